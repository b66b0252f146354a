//! Coverage of the user's code: sites (function entries and branch sides), and the lines
//! that follow from them.
//!
//! A path records the sites it reaches as long as no test covers them; or all, if a pruner learns
//! from what tests cover. A test credits the sites of its path. Reaching a credited site costs one
//! look at a flag.

mod results;

pub use results::{BranchCoverage, Coverage, LineCoverage, SideCoverage, UntakenReasons};

use std::collections::BTreeMap;

use byway_base::SrcLoc;
use byway_base::ubsan::HandlerName;
use byway_ir::{BlockId, Callee, Edge, FuncId, Function, Inst, InstId, Module, Origin, Terminator};
use byway_search::Location;
use rustc_hash::FxHashSet;

use crate::path_info::PathInfo;

/// A function entry or a branch side.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct CoverageSite {
    /// The function that contains it.
    pub func: FuncId,
    /// The block that branches; `None` for a function entry.
    pub from: Option<BlockId>,
    /// The block it leads to.
    pub to: BlockId,
}

/// The sites of the user's code, in the order the compiler numbers them.
pub fn user_sites(module: &Module) -> Vec<CoverageSite> {
    let users = module.funcs.iter().filter(|(_, func)| func.origin == Origin::User);
    users.flat_map(|(id, func)| sites_of(id, func)).collect()
}

/// The sites of a function, in the order the compiler numbers them; none without a body.
pub fn sites_of(id: FuncId, func: &Function) -> Vec<CoverageSite> {
    let Some(entry) = func.blocks.keys().next() else { return Vec::new() };
    let mut sites = vec![CoverageSite { func: id, from: None, to: entry }];
    for (from, block) in &func.blocks {
        let edges = sides_of(&block.term);
        sites.extend(edges.iter().map(|e| CoverageSite {
            func: id,
            from: Some(from),
            to: e.block,
        }));
    }
    sites
}

/// The sides of a block's terminator. Switch values that share an edge are one side.
pub fn sides_of(term: &Terminator) -> Vec<&Edge> {
    match term {
        Terminator::Branch { then, otherwise, .. } => vec![then, otherwise],
        Terminator::Switch { cases, default, .. } => {
            let edges = cases.iter().map(|(_, edge)| edge).chain([default]);
            let mut known = FxHashSet::default();
            edges.filter(|edge| known.insert(*edge)).collect()
        }
        Terminator::IndirectJump { targets, .. } => targets.iter().collect(),
        Terminator::Jump(_) | Terminator::Return(_) | Terminator::Unreachable => Vec::new(),
    }
}

/// Which sites paths reached, and which a test covers.
#[derive(Debug)]
pub struct Tracker {
    credited: Vec<bool>,
    /// Sites that paths need not record: those that a test covers, unless paths record all.
    skipped: Vec<bool>,
    /// Whether paths record what tests cover already, too.
    records_all: bool,
    seen: Vec<bool>,
    /// Sites reached for the first time and not yet reported.
    pub fresh: Vec<u32>,
}

impl Tracker {
    /// A tracker for `sites` sites.
    pub fn new(sites: usize) -> Tracker {
        Tracker {
            credited: vec![false; sites],
            skipped: vec![false; sites],
            records_all: false,
            seen: vec![false; sites],
            fresh: Vec::new(),
        }
    }

    /// Makes paths record all sites, whatever tests cover.
    pub fn record_all(&mut self) {
        self.records_all = true;
        self.skipped.fill(false);
    }

    /// Whether a path that reaches a site need not record it.
    #[inline(always)]
    pub fn is_skipped(&self, site: u32) -> bool {
        self.skipped[site as usize]
    }

    /// Whether some test covers a site.
    pub fn is_credited(&self, site: u32) -> bool {
        self.credited[site as usize]
    }

    /// Whether some path reached a site.
    pub fn is_seen(&self, site: u32) -> bool {
        self.seen[site as usize]
    }

    /// Records that a path reaches a site.
    #[cold]
    pub fn passed(&mut self, site: u32, path: &mut PathInfo) {
        if path.cover(site) && !std::mem::replace(&mut self.seen[site as usize], true) {
            self.fresh.push(site);
        }
    }

    /// Credits the sites of a path that has a test; returns those that no test covered before.
    pub fn credit(&mut self, path: &PathInfo) -> Vec<u32> {
        path.sites().filter(|&site| self.credit_one(site)).collect()
    }

    /// Credits one site; returns whether no test covered it before.
    pub fn credit_one(&mut self, site: u32) -> bool {
        self.skipped[site as usize] = !self.records_all;
        !std::mem::replace(&mut self.credited[site as usize], true)
    }

    /// Takes back that a path reached a site: the path was discarded.
    pub fn forget(&mut self, site: u32) {
        self.seen[site as usize] = false;
    }

    /// Records a site that a path of another worker reached; returns whether it is new here.
    pub fn see(&mut self, site: u32) -> bool {
        !std::mem::replace(&mut self.seen[site as usize], true)
    }
}

/// A line of the user's code.
struct CoverageLine {
    at: SrcLoc,
    first_path: Option<u64>,
    branches: (u32, u32),
}

/// The lines that a site covers.
struct SiteLines {
    /// The lines of the blocks that follow it.
    lines: Vec<u32>,
    /// The line of its branch, if debug information gives one.
    branch: Option<u32>,
    is_branch: bool,
    /// The first path whose test reaches it.
    first_path: Option<u64>,
}

/// Coverage by line and site, with the first path that covers each.
#[derive(Default)]
pub struct CoverageReport {
    lines: Vec<CoverageLine>,
    by_site: Vec<SiteLines>,
    totals: Coverage,
}

impl CoverageReport {
    /// A report in which nothing is covered.
    pub fn new(module: &Module, sites: &[CoverageSite]) -> CoverageReport {
        let mut numbers: BTreeMap<(String, u32), u32> = BTreeMap::new();
        let mut places = Vec::new();
        let mut line_of = |loc: SrcLoc| {
            let next = numbers.len() as u32;
            *numbers.entry((loc.file.clone(), loc.line)).or_insert_with(|| {
                places.push(SrcLoc { column: 0, ..loc });
                next
            })
        };
        let mut by_site = Vec::with_capacity(sites.len());
        let mut branch_lines = Vec::new();
        // The last block looked at, and whether its branch is the source's: the sides of a branch
        // follow each other, and a switch has many.
        let mut last_own = None;
        let mut is_own = |func: FuncId, from: BlockId| match last_own {
            Some((block, own)) if block == (func, from) => own,
            _ => {
                let own = !is_inserted(module, &module.funcs[func], from);
                last_own = Some(((func, from), own));
                own
            }
        };
        for site in sites {
            let func = &module.funcs[site.func];
            let blocks = straight_from(func, site.to);
            let mut lines: Vec<u32> = blocks
                .iter()
                .flat_map(|&block| locations(module, func, block))
                .map(&mut line_of)
                .collect();
            lines.sort_unstable();
            lines.dedup();
            let own = site.from.filter(|&from| is_own(site.func, from));
            let branch = own.and_then(|from| {
                let loc = func.blocks[from].term_loc?;
                Some(module.src_loc(loc)).filter(|loc| loc.line != 0).map(&mut line_of)
            });
            branch_lines.extend(branch);
            by_site.push(SiteLines { lines, branch, is_branch: own.is_some(), first_path: None });
        }
        let mut lines: Vec<CoverageLine> = places
            .into_iter()
            .map(|at| CoverageLine { at, first_path: None, branches: (0, 0) })
            .collect();
        branch_lines.into_iter().for_each(|line| lines[line as usize].branches.0 += 1);
        let totals = Coverage {
            lines_total: lines.len() as u32,
            branches_total: by_site.iter().filter(|site| site.is_branch).count() as u32,
            ..Coverage::default()
        };
        CoverageReport { lines, by_site, totals }
    }

    /// The number of lines and branch sides covered.
    pub fn totals(&self) -> Coverage {
        self.totals
    }

    /// Credits sites that no test covered before to the test of a path. Returns the number
    /// of lines and branch sides that are newly covered.
    pub fn credit(&mut self, sites: &[u32], path: u64) -> u32 {
        let before = self.totals;
        for &site in sites {
            let site = &mut self.by_site[site as usize];
            site.first_path = Some(path);
            if let Some(branch) = site.branch {
                self.lines[branch as usize].branches.1 += 1;
            }
            self.totals.branches += u32::from(site.is_branch);
            for &line in &site.lines {
                let first = &mut self.lines[line as usize].first_path;
                self.totals.lines += u32::from(first.is_none());
                first.get_or_insert(path);
            }
        }
        self.totals.lines - before.lines + self.totals.branches - before.branches
    }

    /// The first path whose test reaches a site.
    pub fn first_path(&self, site: usize) -> Option<u64> {
        self.by_site.get(site)?.first_path
    }

    /// The lines, sorted by file and line.
    pub fn lines(&self) -> Vec<LineCoverage> {
        let mut lines: Vec<LineCoverage> = self
            .lines
            .iter()
            .map(|line| LineCoverage {
                at: line.at.clone(),
                first_path: line.first_path,
                branches: line.branches,
            })
            .collect();
        lines.sort_by(|a, b| a.at.cmp(&b.at));
        lines
    }
}

/// Whether a block ends in a branch that clang inserted, which is none of the source: one side
/// calls a handler of UBSan, or it is a switch without a location, to where a `break` or
/// `return` leads after the scopes that it leaves.
pub fn is_inserted(module: &Module, func: &Function, from: BlockId) -> bool {
    let block = &func.blocks[from];
    let leaves_scopes = matches!(block.term, Terminator::Switch { .. })
        && block.term_loc.is_none()
        && func.scope.is_some();
    leaves_scopes || is_check(module, func, from)
}

fn is_check(module: &Module, func: &Function, from: BlockId) -> bool {
    let is_handler = |inst: InstId| match &func.insts[inst] {
        Inst::Call { callee: Callee::Direct(callee), .. } => {
            let handler = HandlerName::parse(&module.funcs[*callee].name);
            // These two are called where the source itself leads.
            handler.is_some_and(|it| !["builtin_unreachable", "missing_return"].contains(&it.check))
        }
        _ => false,
    };
    let sides = sides_of(&func.blocks[from].term);
    sides.iter().any(|edge| func.blocks[edge.block].inst_ids().any(is_handler))
}

/// A block and the blocks that are certain to follow it, if every call returns.
pub fn straight_from(func: &Function, start: BlockId) -> Vec<BlockId> {
    let mut blocks = vec![start];
    let mut at = start;
    while let Terminator::Jump(edge) = &func.blocks[at].term
        && !blocks.contains(&edge.block)
    {
        at = edge.block;
        blocks.push(at);
    }
    blocks
}

fn locations<'a>(
    module: &'a Module,
    func: &'a Function,
    block: BlockId,
) -> impl Iterator<Item = SrcLoc> + 'a {
    let block = &func.blocks[block];
    let insts = block.inst_ids().filter(|&inst| !matches!(func.insts[inst], Inst::Line));
    let locs = insts.filter_map(|inst| func.loc(inst)).chain(block.term_loc);
    locs.map(|loc| module.src_loc(loc)).filter(|loc| loc.line != 0)
}

impl CoverageSite {
    /// The block it leads to.
    pub fn location(&self) -> Location {
        Location { func: self.func, block: self.to }
    }
}

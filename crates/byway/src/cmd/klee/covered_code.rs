//! What tests cover, in KLEE's units: instructions of the program, and conditional branches.

use std::collections::{BTreeMap, BTreeSet};

use super::assembly::AssemblyLines;
use byway_base::SrcLoc;
use byway_base::entity::EntityRef;
use byway_engine::{CoverageSite, coverage_sites, straight_from};
use byway_ir::{BlockId, FuncId, Inst, Module, Origin, Terminator};
use byway_klee_stats::istats::{FunctionProfile, InstructionProfile, KleeCosts, ProfilePosition};

/// The program's own code, and what of it is covered.
pub struct CoveredCode {
    sites: Vec<SiteCode>,
    functions: Vec<FunctionCode>,
    branches: BTreeMap<(FuncId, BlockId), u32>,
    pub counts: CodeCounts,
}

/// Sums over the program.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct CodeCounts {
    pub instructions: u64,
    pub covered_instructions: u64,
    pub branches: u64,
    /// Branches of which one side is covered.
    pub partial_branches: u64,
    /// Branches of which both sides are covered.
    pub full_branches: u64,
}

/// What reaching a coverage site shows.
struct SiteCode {
    /// The blocks that are executed: the function's number, and theirs.
    blocks: Vec<(usize, usize)>,
    /// The conditional branch of which it is a side.
    branch: Option<(FuncId, BlockId)>,
}

struct FunctionCode {
    name: String,
    start: ProfilePosition,
    blocks: Vec<BlockCode>,
}

struct BlockCode {
    is_covered: bool,
    /// Instructions without a line have an empty file.
    instructions: Vec<ProfilePosition>,
}

impl CoveredCode {
    /// The code of a program of which nothing is covered.
    pub fn new(module: &Module, assembly: &AssemblyLines) -> CoveredCode {
        let mut numbers = BTreeMap::new();
        let mut functions = Vec::new();
        for (id, func) in &module.funcs {
            if func.origin == Origin::User && !func.is_declaration() {
                numbers.insert(id, functions.len());
                functions.push(FunctionCode::new(module, id, assembly));
            }
        }
        let branch_of = |site: &CoverageSite| {
            let from = site.from?;
            let term = &module.funcs[site.func].blocks[from].term;
            matches!(term, Terminator::Branch { .. }).then_some((site.func, from))
        };
        let site_code = |site: CoverageSite| {
            let blocks = straight_from(&module.funcs[site.func], site.to);
            let function = numbers.get(&site.func).copied();
            let blocks = blocks.into_iter().filter_map(|block| Some((function?, block.index())));
            SiteCode { blocks: blocks.collect(), branch: branch_of(&site) }
        };
        let sites: Vec<SiteCode> = coverage_sites(module).into_iter().map(site_code).collect();
        let branches: BTreeMap<_, u32> =
            sites.iter().filter_map(|site| Some((site.branch?, 0))).collect();
        let blocks = functions.iter().flat_map(|it: &FunctionCode| &it.blocks);
        let counts = CodeCounts {
            instructions: blocks.map(|block| block.instructions.len() as u64).sum(),
            branches: branches.len() as u64,
            ..CodeCounts::default()
        };
        CoveredCode { sites, functions, branches, counts }
    }

    /// Adds the sites that a test is the first to cover; returns the lines that are new with them.
    pub fn cover(&mut self, sites: &[u32]) -> BTreeSet<(String, u32)> {
        let mut lines = BTreeSet::new();
        for site in sites {
            let Some(site) = self.sites.get(*site as usize) else { continue };
            if let Some(sides) = site.branch.and_then(|branch| self.branches.get_mut(&branch)) {
                *sides += 1;
                match *sides {
                    1 => self.counts.partial_branches += 1,
                    _ => {
                        self.counts.partial_branches -= 1;
                        self.counts.full_branches += 1;
                    }
                }
            }
            for &(function, block) in &site.blocks {
                let block = &mut self.functions[function].blocks[block];
                if std::mem::replace(&mut block.is_covered, true) {
                    continue;
                }
                self.counts.covered_instructions += block.instructions.len() as u64;
                let known = block.instructions.iter().filter(|it| it.line != 0);
                lines.extend(known.map(|it| (it.file.clone(), it.line)));
            }
        }
        lines
    }

    /// The profile: which instruction is covered.
    pub fn profile(&self) -> Vec<FunctionProfile> {
        let block = |block: &BlockCode| -> Vec<InstructionProfile> {
            let covered = u64::from(block.is_covered);
            let costs = KleeCosts {
                covered_instructions: covered,
                uncovered_instructions: 1 - covered,
                ..KleeCosts::default()
            };
            let positions = block.instructions.iter().cloned();
            positions
                .map(|position| InstructionProfile { position, costs, calls: vec![] })
                .collect()
        };
        let function = |function: &FunctionCode| FunctionProfile {
            name: function.name.clone(),
            start: function.start.clone(),
            instructions: function.blocks.iter().flat_map(block).collect(),
        };
        self.functions.iter().map(function).collect()
    }
}

impl FunctionCode {
    fn new(module: &Module, id: FuncId, assembly: &AssemblyLines) -> FunctionCode {
        let func = &module.funcs[id];
        let position = |at: Option<SrcLoc>| {
            let (file, line) = at.map_or_else(Default::default, |at| (at.file, at.line));
            ProfilePosition { file, line, assembly_line: assembly.of(&func.name, line) }
        };
        let blocks: Vec<BlockCode> = func
            .blocks
            .values()
            .map(|block| {
                let insts = block.inst_ids().filter(|&it| !matches!(func.insts[it], Inst::Line));
                let locs = insts.map(|inst| func.loc(inst)).chain([block.term_loc]);
                let at = locs.map(|loc| position(loc.map(|loc| module.src_loc(loc))));
                BlockCode { is_covered: false, instructions: at.collect() }
            })
            .collect();
        let known = blocks.iter().flat_map(|block| &block.instructions).find(|it| it.line != 0);
        let start = known.cloned().unwrap_or_default();
        FunctionCode { name: func.name.clone(), start, blocks }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_cover_instructions_and_branches() {
        let source = "\
bwir 1
module \"code\"

func user @choose(v0:i1) -> i32 {
b0:
  br v0, b1, b2
b1:
  v1:i32 = add 1:i32, 2:i32
  jump b2
b2:
  ret 5:i32
}
";
        let module = byway_ir::text::parse(source).expect("a module");
        let mut code = CoveredCode::new(&module, &AssemblyLines::default());
        assert_eq!((code.counts.instructions, code.counts.branches), (4, 1));
        code.cover(&[0, 1]);
        assert_eq!((code.counts.covered_instructions, code.counts.partial_branches), (4, 1));
        code.cover(&[2]);
        assert_eq!((code.counts.partial_branches, code.counts.full_branches), (0, 1));
        assert_eq!(code.profile()[0].instructions.len(), 4);
        // A number that the program does not have is ignored.
        code.cover(&[99]);
    }
}

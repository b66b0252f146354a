//! Dependences between source lines.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::flow::{FlowGraph, FlowStep, Point, PointKind};
use super::{DependenceKind, Dependences};
use crate::{BlockId, FuncId, InstId, Module, SourceFileId, Terminator};

/// A line of a function, or a side of a branch there.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LineNode {
    /// The function.
    pub func: FuncId,
    /// The line.
    pub place: LinePlace,
    /// The side, if it is a branch.
    pub side: Option<BranchSide>,
}

/// A side of a branch.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BranchSide {
    /// The condition holds.
    True,
    /// The condition does not hold.
    False,
    /// The case of this value.
    Case(u128),
    /// No other case.
    Default,
    /// A jump to the label at this position among the possible ones.
    Label(u32),
}

/// A line, or code without one.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LinePlace {
    /// A line of the source. The column is that of a branch if the line has several, else zero.
    Line(SourceFileId, u32, u32),
    /// An instruction without a line.
    Inst(InstId),
    /// The end of a block without a line.
    BlockEnd(BlockId),
}

/// What a line depends on, by kind.
pub type LineSources = BTreeMap<DependenceKind, BTreeSet<LineNode>>;

/// What each line of a function depends on.
pub struct LineDependences {
    /// The function.
    pub func: FuncId,
    /// All nodes of the function, and what they depend on.
    pub nodes: BTreeMap<LineNode, LineSources>,
    /// Whether interactive dependences were computed.
    pub has_interactive: bool,
    /// Whether some potential dependences may not exist.
    pub has_approximate_potential: bool,
}

impl Dependences {
    /// The dependences between the lines of a function; `None` if it was not analysed.
    pub fn lines(&self, module: &Module, func: FuncId) -> Option<LineDependences> {
        let function = self.function(func)?;
        let mut names = Names { module, dependences: self, branches: BTreeMap::new() };
        let mut nodes: BTreeMap<LineNode, LineSources> = BTreeMap::new();
        for point in function.graph().points.keys().filter(|&it| function.graph().is_node(it)) {
            if let Some(node) = names.node(func, point) {
                nodes.entry(node).or_default();
            }
        }
        let interactive = function.interactive();
        let has_interactive = interactive.is_some();
        let traditional = function.traditional().iter().copied();
        let interactive = interactive.into_iter().flatten();
        let within = traditional
            .chain(interactive.map(|(to, from)| (to, DependenceKind::Interactive, from)))
            .map(|(to, kind, from)| (to, kind, (func, from)));
        let calls = self.calls().iter().filter(|it| it.point.0 == func);
        let calls = calls.map(|it| (it.point.1, it.kind, it.source));
        for (to, kind, from) in within.chain(calls) {
            let is_loop = (func, to) == from;
            let (Some(to), Some(from)) = (names.node(func, to), names.node(from.0, from.1)) else {
                continue;
            };
            // Of different statements of one line, dependences on each other say nothing.
            if to != from || is_loop {
                nodes.entry(to).or_default().entry(kind).or_default().insert(from);
            }
        }
        let has_approximate_potential = function.has_approximate_potential();
        Some(LineDependences { func, nodes, has_interactive, has_approximate_potential })
    }
}

/// Finds the lines of points.
struct Names<'a> {
    module: &'a Module,
    dependences: &'a Dependences,
    /// The branches of each line of a function.
    branches: BTreeMap<FuncId, BTreeMap<(SourceFileId, u32), BTreeSet<BlockId>>>,
}

impl Names<'_> {
    /// The line of a point; `None` for an entry.
    fn node(&mut self, func: FuncId, point: Point) -> Option<LineNode> {
        let graph = self.dependences.function(func)?.graph();
        let content = &graph.points[point];
        let side = match content.kind {
            PointKind::Entry => return None,
            PointKind::Edge { index, is_side: true } => {
                Some(BranchSide::new(&self.module.funcs[func].blocks[content.block].term, index))
            }
            _ => None,
        };
        let loc = content.loc.map(|loc| &self.module.debug.locs[loc]).filter(|it| it.line != 0);
        let Some(loc) = loc else {
            let place = match content.steps.first() {
                Some(
                    FlowStep::Inst(inst) | FlowStep::CallStart(inst) | FlowStep::CallEnd(inst),
                ) => LinePlace::Inst(*inst),
                _ => LinePlace::BlockEnd(content.block),
            };
            return Some(LineNode { func, place, side });
        };
        let module = self.module;
        let branches = self.branches.entry(func).or_insert_with(|| branches(module, graph));
        let several = branches.get(&(loc.file, loc.line)).is_some_and(|all| all.len() > 1);
        let column = if side.is_some() && several { loc.column } else { 0 };
        Some(LineNode { func, place: LinePlace::Line(loc.file, loc.line, column), side })
    }
}

/// The branches of each line.
fn branches(
    module: &Module,
    graph: &FlowGraph,
) -> BTreeMap<(SourceFileId, u32), BTreeSet<BlockId>> {
    let mut branches: BTreeMap<_, BTreeSet<BlockId>> = BTreeMap::new();
    for content in graph.points.values() {
        if let (PointKind::Edge { is_side: true, .. }, Some(loc)) = (content.kind, content.loc) {
            let loc = &module.debug.locs[loc];
            branches.entry((loc.file, loc.line)).or_default().insert(content.block);
        }
    }
    branches
}

impl LineNode {
    /// The node's name, such as `12`, `2F`, or `5 case 3`; as `main:12` in another function
    /// than `within`, and as `list.h:12` in another file than that of the node's function.
    pub fn name(&self, module: &Module, within: FuncId) -> String {
        let func = &module.funcs[self.func];
        let own_file = func.scope.map(|scope| module.debug.scopes[scope].file);
        let mut name = if self.func == within { String::new() } else { format!("{}:", func.name) };
        match self.place {
            LinePlace::Line(file, line, column) => {
                if Some(file) != own_file {
                    let path = &module.debug.files[file].name;
                    name += path.rsplit('/').next().unwrap_or(path);
                    name.push(':');
                }
                name += &line.to_string();
                if column != 0 {
                    name += &format!(":{column}");
                }
            }
            LinePlace::Inst(inst) => name += &inst.to_string(),
            LinePlace::BlockEnd(block) => name += &block.to_string(),
        }
        if let Some(side) = self.side {
            name += &side.to_string();
        }
        name
    }
}

impl BranchSide {
    fn new(term: &Terminator, index: u32) -> BranchSide {
        match term {
            Terminator::Switch { cases, .. } => match cases.get(index as usize) {
                Some((value, _)) => BranchSide::Case(*value),
                None => BranchSide::Default,
            },
            Terminator::IndirectJump { .. } => BranchSide::Label(index),
            _ if index == 0 => BranchSide::True,
            _ => BranchSide::False,
        }
    }
}

impl fmt::Display for BranchSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BranchSide::True => f.write_str("T"),
            BranchSide::False => f.write_str("F"),
            BranchSide::Case(value) => write!(f, " case {value}"),
            BranchSide::Default => f.write_str(" default"),
            BranchSide::Label(index) => write!(f, " label {index}"),
        }
    }
}

//! The control flow of a function as points: its statements, its edges, and its entry.
//!
//! A statement is a run of consecutive instructions of one source line, so that results read as
//! the source does; an instruction without a location is a statement of its own. A call of a
//! function with a body ends a statement and begins another one of the same line: the callee
//! depends on the first, the second depends on the callee.
//!
//! The edges of a branch are its sides. If a statement only computes the condition of a branch, its
//! instructions are steps of each side, and there is no point for the statement itself.

use byway_base::entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl};

use super::super::{Cfg, Digraph, PointsTo};
use super::point_set::PointSet;
use crate::{
    BlockId, DebugInfo, FuncId, Function, Inst, InstId, LocId, Module, Operand, SourceFileId,
    Terminator, Val,
};

/// A point of a function's control flow.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u32);
entity_impl!(Point, "point");

/// What a point is.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PointKind {
    /// The beginning of the function. It stands for the call: the function's parameters, and
    /// memory as it was at the call.
    Entry,
    /// A statement.
    Statement,
    /// An edge: that of a jump, or one side of a branch, a switch or an indirect jump.
    Edge {
        /// Its position among the edges of its block, as [`Terminator::for_each_edge`] lists
        /// them.
        index: u32,
        /// Whether the block has other edges.
        is_side: bool,
    },
}

/// One step of a point.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FlowStep {
    /// An instruction; a call only if no function that it calls has a body.
    Inst(InstId),
    /// A call, up to the beginning of the callee.
    CallStart(InstId),
    /// A call, from the return of the callee.
    CallEnd(InstId),
    /// The end of the point's block, without the arguments that it passes.
    Term,
}

/// A point's content.
#[derive(Clone, Debug)]
pub struct FlowPoint {
    /// What it is.
    pub kind: PointKind,
    /// Its block; of an edge, where it comes from.
    pub block: BlockId,
    /// Its steps, in order.
    pub steps: Vec<FlowStep>,
    /// The source location of its first step that has one.
    pub loc: Option<LocId>,
}

/// The control flow of a function.
pub struct FlowGraph {
    /// The first one is the entry.
    pub points: PrimaryMap<Point, FlowPoint>,
    /// Where control can go from each point.
    pub succs: SecondaryMap<Point, Vec<Point>>,
    /// The edges out of each block, in the order of its terminator; none if it is unreachable.
    pub edges: SecondaryMap<BlockId, Vec<Point>>,
    /// The edges into each block.
    pub incoming: SecondaryMap<BlockId, Vec<Point>>,
    /// The target of each edge.
    pub target: SecondaryMap<Point, Option<BlockId>>,
    /// Where each instruction's results are defined.
    pub defined_at: SecondaryMap<InstId, Option<Point>>,
    /// Where each call of a function with a body starts.
    pub call_start: SecondaryMap<InstId, Option<Point>>,
    nodes: PointSet,
    /// The points in loops.
    looping: PointSet,
}

/// The lines that an instruction can share with its neighbours.
type LineKey = (SourceFileId, u32, Option<LocId>);

struct Run {
    steps: Vec<FlowStep>,
    key: Option<LineKey>,
    loc: Option<LocId>,
}

impl FlowGraph {
    /// The entry of the function.
    pub const ENTRY: Point = Point(0);

    /// The control flow of a function with a body.
    pub fn new(module: &Module, points_to: &PointsTo, id: FuncId, cfg: &Cfg) -> FlowGraph {
        let func = &module.funcs[id];
        let mut graph = FlowGraph {
            points: PrimaryMap::new(),
            succs: SecondaryMap::new(),
            edges: SecondaryMap::new(),
            incoming: SecondaryMap::new(),
            target: SecondaryMap::new(),
            defined_at: SecondaryMap::new(),
            call_start: SecondaryMap::new(),
            nodes: PointSet::default(),
            looping: PointSet::default(),
        };
        let entry = func.entry().unwrap_or(BlockId::from_u32(0));
        graph.add(PointKind::Entry, entry, Vec::new(), None);
        let users = users(func);
        let mut heads: SecondaryMap<BlockId, Vec<Point>> = SecondaryMap::new();
        for &block in cfg.reverse_post_order() {
            let has_body = |inst| {
                points_to.callees(id, inst).iter().any(|&f| !module.funcs[f].is_declaration())
            };
            let mut runs = runs(&module.debug, func, block, has_body);
            let mut sides = 0;
            func.blocks[block].term.for_each_edge(|_| sides += 1);
            let condition = if sides > 1 {
                absorb(&module.debug, func, block, &users, &mut runs)
            } else {
                Vec::new()
            };
            heads[block] = graph.add_block(func, block, runs, &condition);
        }
        graph.connect(func, &heads);
        graph
    }

    fn add(
        &mut self,
        kind: PointKind,
        block: BlockId,
        steps: Vec<FlowStep>,
        loc: Option<LocId>,
    ) -> Point {
        let point = self.points.push(FlowPoint { kind, block, steps, loc });
        for step in &self.points[point].steps {
            match *step {
                // The condition of a branch is used by its sides alone.
                FlowStep::Inst(_) if kind != PointKind::Statement => {}
                FlowStep::Inst(inst) | FlowStep::CallEnd(inst) => {
                    self.defined_at[inst] = Some(point)
                }
                FlowStep::CallStart(inst) => self.call_start[inst] = Some(point),
                FlowStep::Term => {}
            }
        }
        point
    }

    /// Adds the points of a block; returns the first ones.
    fn add_block(
        &mut self,
        func: &Function,
        block: BlockId,
        runs: Vec<Run>,
        condition: &[FlowStep],
    ) -> Vec<Point> {
        let mut last: Option<Point> = None;
        let mut heads = Vec::new();
        for run in runs {
            let is_node = run.steps.iter().any(|step| !is_frame_setup(func, *step));
            let point = self.add(PointKind::Statement, block, run.steps, run.loc);
            if is_node {
                self.nodes.insert(point);
            }
            match last {
                Some(last) => self.succs[last].push(point),
                None => heads.push(point),
            }
            last = Some(point);
        }
        let content = &func.blocks[block];
        let mut targets = Vec::new();
        content.term.for_each_edge(|edge| targets.push(edge.block));
        let is_side = targets.len() > 1;
        for (index, &target) in targets.iter().enumerate() {
            let steps = if is_side {
                condition.iter().copied().chain([FlowStep::Term]).collect()
            } else {
                Vec::new()
            };
            let kind = PointKind::Edge { index: index as u32, is_side };
            let point = self.add(kind, block, steps, content.term_loc);
            self.edges[block].push(point);
            self.incoming[target].push(point);
            self.target[point] = Some(target);
            if is_side || content.term_loc.is_some() && !func.blocks[target].params.is_empty() {
                self.nodes.insert(point);
            }
            match last {
                Some(last) => self.succs[last].push(point),
                None => heads.push(point),
            }
        }
        heads
    }

    fn connect(&mut self, func: &Function, heads: &SecondaryMap<BlockId, Vec<Point>>) {
        if let Some(entry) = func.entry() {
            self.succs[Self::ENTRY] = heads[entry].clone();
        }
        for point in self.points.keys() {
            if let Some(target) = self.target[point] {
                self.succs[point] = heads[target].clone();
            }
        }
        let of_point =
            |point: Point| self.succs[point].iter().map(move |next| (point.index(), next.index()));
        let edges: Vec<_> = self.points.keys().flat_map(of_point).collect();
        // An edge is a point of its own, so no point leads to itself at once.
        let components = Digraph::new(self.points.len(), &edges).components();
        let loops = components.into_iter().filter(|component| component.len() > 1);
        self.looping = loops.flatten().map(Point::new).collect();
    }

    /// Whether control can come to a point again.
    pub fn is_in_loop(&self, point: Point) -> bool {
        self.looping.contains(point)
    }

    /// The sides of the branch that a side belongs to, itself included; none for other points.
    pub fn sides_of(&self, side: Point) -> &[Point] {
        match self.points[side].kind {
            PointKind::Edge { is_side: true, .. } => &self.edges[self.points[side].block],
            _ => &[],
        }
    }

    /// Whether the point has dependences: all but the creation of local variables, and jumps that
    /// pass nothing or have no line. A jump that passes a value is where a variable without
    /// memory was assigned.
    pub fn is_node(&self, point: Point) -> bool {
        self.nodes.contains(point)
    }

    /// The points that control reaches from `start` while it passes none of `killers`; those
    /// are included.
    pub fn reached(&self, start: Point, killers: &PointSet) -> PointSet {
        let mut reached = PointSet::default();
        let mut work = vec![start];
        while let Some(point) = work.pop() {
            for &next in &self.succs[point] {
                if reached.insert(next) && !killers.contains(next) {
                    work.push(next);
                }
            }
        }
        reached
    }
}

/// Calls `f` with the operands that a step reads.
pub fn for_each_use(func: &Function, block: BlockId, step: FlowStep, mut f: impl FnMut(Operand)) {
    match step {
        FlowStep::Inst(inst) | FlowStep::CallStart(inst) => func.insts[inst].for_each_use(f),
        FlowStep::CallEnd(_) => {}
        FlowStep::Term => match &func.blocks[block].term {
            Terminator::Branch { cond: op, .. }
            | Terminator::Switch { value: op, .. }
            | Terminator::IndirectJump { addr: op, .. } => f(*op),
            Terminator::Return(values) => values.iter().copied().for_each(f),
            Terminator::Jump(_) | Terminator::Unreachable => {}
        },
    }
}

fn key(debug: &DebugInfo, loc: Option<LocId>) -> Option<LineKey> {
    let loc = &debug.locs[loc?];
    (loc.line != 0).then_some((loc.file, loc.line, loc.inlined_at))
}

/// The statements of a block.
fn runs(
    debug: &DebugInfo,
    func: &Function,
    block: BlockId,
    has_body: impl Fn(InstId) -> bool,
) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut is_open = false;
    let mut add = |step, loc, opens: bool, stays_open: bool| {
        let key = key(debug, loc);
        match runs.last_mut() {
            Some(run) if is_open && opens && key.is_some() && run.key == key => {
                run.steps.push(step);
            }
            _ => runs.push(Run { steps: vec![step], key, loc }),
        }
        is_open = stays_open;
    };
    for inst in func.blocks[block].inst_ids() {
        let loc = func.loc(inst);
        if has_body(inst) {
            add(FlowStep::CallStart(inst), loc, true, false);
            add(FlowStep::CallEnd(inst), loc, false, true);
        } else {
            add(FlowStep::Inst(inst), loc, true, true);
        }
    }
    if let Terminator::Return(_) = func.blocks[block].term {
        add(FlowStep::Term, func.blocks[block].term_loc, true, true);
    }
    runs
}

/// Removes the last statement if it only computes the condition of the block's branch, and
/// returns its steps.
fn absorb(
    debug: &DebugInfo,
    func: &Function,
    block: BlockId,
    users: &SecondaryMap<Val, Users>,
    runs: &mut Vec<Run>,
) -> Vec<FlowStep> {
    let is_condition = |run: &Run| {
        let insts: Vec<InstId> = run
            .steps
            .iter()
            .filter_map(|step| match step {
                FlowStep::Inst(inst) => Some(*inst),
                _ => None,
            })
            .collect();
        let is_private = |val: Val| {
            let users = &users[val];
            !users.is_passed
                && users.insts.iter().all(|inst| insts.contains(inst))
                && users.blocks.iter().all(|&it| it == block)
        };
        insts.len() == run.steps.len()
            && insts.iter().all(|&inst| {
                let mut all_private = is_pure(&func.insts[inst]);
                func.insts[inst].for_each_def(|val| all_private &= is_private(val));
                all_private
            })
    };
    let line = key(debug, func.blocks[block].term_loc);
    let same_line = |run: &Run| line.is_some() && run.key == line;
    match runs.pop_if(|run| same_line(run) && is_condition(run)) {
        Some(run) => run.steps,
        None => Vec::new(),
    }
}

/// Whether an instruction does nothing but compute its results.
fn is_pure(inst: &Inst) -> bool {
    !matches!(
        inst,
        Inst::Store { .. }
            | Inst::Alloca { .. }
            | Inst::Lifetime { .. }
            | Inst::StackSave { .. }
            | Inst::StackRestore { .. }
            | Inst::MemCopy { .. }
            | Inst::MemSet { .. }
            | Inst::Call { .. }
            | Inst::VaStart { .. }
            | Inst::Line
            | Inst::Trap
            | Inst::Unsupported { .. }
    )
}

/// Whether a step only creates local variables.
fn is_frame_setup(func: &Function, step: FlowStep) -> bool {
    let FlowStep::Inst(inst) = step else { return false };
    let inst = &func.insts[inst];
    is_constant(inst) || matches!(inst, Inst::Lifetime { begins: true, .. })
}

/// Whether an instruction's result is the same each time: the address of a local variable, or an
/// undefined value.
pub fn is_constant(inst: &Inst) -> bool {
    match inst {
        Inst::Alloca { count, .. } => count.as_val().is_none(),
        _ => matches!(inst, Inst::Undefined { .. } | Inst::StackSave { .. }),
    }
}

/// What reads a value.
#[derive(Clone, Default)]
struct Users {
    insts: Vec<InstId>,
    /// Blocks whose terminators read it, other than to pass it on.
    blocks: Vec<BlockId>,
    /// Whether an edge passes it to a block.
    is_passed: bool,
}

fn users(func: &Function) -> SecondaryMap<Val, Users> {
    let mut users: SecondaryMap<Val, Users> = SecondaryMap::new();
    for (id, inst) in &func.insts {
        inst.for_each_use(|op| {
            if let Some(val) = op.as_val() {
                users[val].insts.push(id);
            }
        });
    }
    for (id, block) in &func.blocks {
        for_each_use(func, id, FlowStep::Term, |op| {
            if let Some(val) = op.as_val() {
                users[val].blocks.push(id);
            }
        });
        block.term.for_each_edge(|edge| {
            edge.args
                .iter()
                .filter_map(|op| op.as_val())
                .for_each(|val| users[val].is_passed = true);
        });
    }
    users
}

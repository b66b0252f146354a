//! Definitions and uses: of values, of block parameters, and of memory.
//!
//! A definition reaches the points that control can reach from it without passing another
//! definition of the same variable. A store replaces what was in memory before if it writes one
//! byte range of one object that exists once: a global, or a local variable of a function that
//! is not recursive, outside of loops.

use std::collections::BTreeMap;

use byway_base::entity::{EntitySet, PrimaryMap, SecondaryMap, entity_impl};

use super::super::points_to::{AbstractObjectKind, ObjectId};
use super::super::{Cfg, PointsTo};
use super::effects::{Effects, MemoryRange, Summaries};
use super::flow::{FlowGraph, Point, Step, for_each_use};
use super::point_set::PointSet;
use super::values::Values;
use crate::{BlockId, FuncId, Inst, Module, Val};

/// A definition of a variable.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DefinitionId(u32);
entity_impl!(DefinitionId, "definition");

/// A definition of a variable.
pub struct Definition {
    /// Where the value comes from.
    pub point: Point,
    /// The points that replace it.
    pub killers: PointSet,
    /// The points that it reaches.
    pub reaches: PointSet,
}

/// A use of a variable.
pub struct Use {
    pub point: Point,
    /// The definitions that it can see, ascending.
    pub definitions: Vec<DefinitionId>,
    /// The block parameter that is used, if it is one.
    pub param: Option<Val>,
}

/// The definitions and uses of a function.
pub struct DefUse {
    pub definitions: PrimaryMap<DefinitionId, Definition>,
    pub uses: Vec<Use>,
    /// The points that determine the results, and the contents of memory at the return.
    pub written_at_return: Vec<Point>,
}

/// A write to memory.
struct MemoryWrite {
    point: Point,
    range: MemoryRange,
    /// Whether it replaces all of its range.
    is_strong: bool,
}

struct Builder<'a> {
    module: &'a Module,
    points_to: &'a PointsTo,
    summaries: &'a Summaries,
    func: FuncId,
    graph: &'a FlowGraph,
    values: &'a Values,
    out: DefUse,
    by_value: BTreeMap<Point, DefinitionId>,
    by_edge: BTreeMap<(Point, Point), DefinitionId>,
    by_entry: BTreeMap<MemoryRange, DefinitionId>,
    writes: Vec<MemoryWrite>,
    /// The definition of each write.
    of_write: Vec<DefinitionId>,
    reads: Vec<(Point, Vec<MemoryRange>)>,
    /// Objects that no other object of their kind exists beside.
    unique: EntitySet<ObjectId>,
}

impl DefUse {
    pub fn new(
        module: &Module,
        points_to: &PointsTo,
        summaries: &Summaries,
        func: FuncId,
        cfg: &Cfg,
        graph: &FlowGraph,
        values: &Values,
    ) -> DefUse {
        let mut builder = Builder {
            module,
            points_to,
            summaries,
            func,
            graph,
            values,
            out: DefUse { definitions: PrimaryMap::new(), uses: Vec::new(), written_at_return: Vec::new() },
            by_value: BTreeMap::new(),
            by_edge: BTreeMap::new(),
            by_entry: BTreeMap::new(),
            writes: Vec::new(),
            of_write: Vec::new(),
            reads: Vec::new(),
            unique: unique_objects(module, points_to, summaries, func, cfg),
        };
        builder.add_values();
        builder.collect_accesses();
        builder.add_writes();
        builder.add_reads();
        builder.find_written_at_return();
        builder.out
    }
}

impl Builder<'_> {
    fn add_values(&mut self) {
        let func = &self.module.funcs[self.func];
        for (point, content) in &self.graph.points {
            let mut vals: Vec<Val> = Vec::new();
            let mut started: Vec<Point> = Vec::new();
            for &step in &content.steps {
                for_each_use(func, content.block, step, |op| vals.extend(op.as_val()));
                if let Step::CallEnd(inst) = step {
                    started.extend(self.graph.call_start[inst].filter(|&it| it != point));
                }
            }
            for start in started {
                let definitions = vec![self.of_value(start)];
                self.out.uses.push(Use { point, definitions, param: None });
            }
            vals.sort_unstable();
            vals.dedup();
            for val in vals {
                self.add_value_use(point, val);
            }
        }
    }

    fn add_value_use(&mut self, point: Point, val: Val) {
        let definitions = match self.values.block(val) {
            Some(block) => self.of_param(block, val),
            None => {
                let definition = self.values.definition(val).filter(|&it| it != point);
                definition.map(|it| self.of_value(it)).into_iter().collect()
            }
        };
        let param = self.values.block(val).map(|_| val);
        if !definitions.is_empty() || param.is_some() {
            self.out.uses.push(Use { point, definitions, param });
        }
    }

    /// The definition of the values that a point computes.
    fn of_value(&mut self, point: Point) -> DefinitionId {
        if let Some(&known) = self.by_value.get(&point) {
            return known;
        }
        let id = self.add(point, PointSet::default());
        self.by_value.insert(point, id);
        id
    }

    /// The definitions of a block parameter: what each edge passes, until another edge is
    /// taken.
    fn of_param(&mut self, block: BlockId, param: Val) -> Vec<DefinitionId> {
        let func = &self.module.funcs[self.func];
        let index = func.blocks[block].params.iter().position(|&it| it == param);
        let Some(index) = index else { return Vec::new() };
        let mut definitions = Vec::new();
        for &edge in &self.graph.incoming[block] {
            let arg = self.values.args(edge)[index];
            for source in self.values.sources_of(edge, arg) {
                let id = match self.by_edge.get(&(source, edge)) {
                    Some(&known) => known,
                    None => {
                        let others = self.graph.incoming[block].iter().filter(|&&it| it != edge);
                        let id = self.add(source, others.copied().collect());
                        self.by_edge.insert((source, edge), id);
                        id
                    }
                };
                definitions.push(id);
            }
        }
        definitions.sort_unstable();
        definitions.dedup();
        definitions
    }

    fn add(&mut self, point: Point, killers: PointSet) -> DefinitionId {
        let reaches = self.graph.reached(point, &killers);
        self.out.definitions.push(Definition { point, killers, reaches })
    }

    fn collect_accesses(&mut self) {
        for (point, content) in &self.graph.points {
            for &step in &content.steps {
                let (Step::Inst(inst) | Step::CallStart(inst) | Step::CallEnd(inst)) = step else {
                    continue;
                };
                let own;
                let mut called: Vec<&Effects> = Vec::new();
                if let Step::CallStart(_) | Step::CallEnd(_) = step {
                    let callees = self.points_to.callees(self.func, inst).iter();
                    let bodies = callees.filter(|&&it| !self.module.funcs[it].is_declaration());
                    called.extend(bodies.map(|&it| self.summaries.effects(it)));
                }
                if !matches!(step, Step::CallEnd(_)) {
                    own = Effects::of_inst(self.module, self.points_to, self.func, inst);
                    self.add_own_writes(point, &own);
                    called.push(&own);
                }
                if let Step::CallEnd(_) = step {
                    let ranges = called.iter().flat_map(|it| it.writes.iter());
                    let write = |range| MemoryWrite { point, range, is_strong: false };
                    self.writes.extend(ranges.map(write));
                } else {
                    let ranges: Vec<_> = called.iter().flat_map(|it| it.reads.iter()).collect();
                    if !ranges.is_empty() {
                        self.reads.push((point, ranges));
                    }
                }
            }
        }
    }

    fn add_own_writes(&mut self, point: Point, own: &Effects) {
        let ranges: Vec<MemoryRange> = own.writes.iter().collect();
        let is_strong = ranges.len() == 1
            && ranges[0].len.is_some()
            && ranges[0].offsets.stride == 0
            && self.unique.contains(ranges[0].object);
        let write = |range| MemoryWrite { point, range, is_strong };
        self.writes.extend(ranges.into_iter().map(write));
    }

    /// The points that replace all of a range.
    fn killers(&self, range: &MemoryRange) -> PointSet {
        let strong = self.writes.iter().filter(|it| it.is_strong && it.range.covers(range));
        strong.map(|it| it.point).collect()
    }

    fn add_writes(&mut self) {
        for index in 0..self.writes.len() {
            let MemoryWrite { point, range, .. } = self.writes[index];
            let killers = self.killers(&range);
            // A later write of the same statement replaces it at once.
            let mut later = self.writes[index + 1..].iter();
            let is_dead =
                later.any(|it| it.point == point && it.is_strong && it.range.covers(&range));
            let id = self.add(point, killers);
            if is_dead {
                self.out.definitions[id].reaches = PointSet::default();
            }
            self.of_write.push(id);
        }
    }

    fn add_reads(&mut self) {
        for (point, ranges) in std::mem::take(&mut self.reads) {
            for range in ranges {
                let mut definitions: Vec<DefinitionId> = Vec::new();
                for (write, &id) in self.writes.iter().zip(&self.of_write) {
                    if write.range.overlaps(&range, self.points_to)
                        && self.out.definitions[id].reaches.contains(point)
                    {
                        definitions.push(id);
                    }
                }
                definitions.extend(self.of_entry(point, &range));
                if !definitions.is_empty() {
                    self.out.uses.push(Use { point, definitions, param: None });
                }
            }
        }
    }

    /// The contents of memory when the function was called, if the point can see them.
    fn of_entry(&mut self, point: Point, range: &MemoryRange) -> Option<DefinitionId> {
        let is_recursive = self.summaries.is_recursive(self.func);
        match self.points_to.objects()[range.object].kind {
            AbstractObjectKind::Global(global) if self.module.globals[global].constant => {
                return None;
            }
            AbstractObjectKind::Function(_) => return None,
            AbstractObjectKind::Local(func, _) if func == self.func && !is_recursive => return None,
            _ => {}
        }
        let id = match self.by_entry.get(range) {
            Some(&known) => known,
            None => {
                let killers = self.killers(range);
                let id = self.add(FlowGraph::ENTRY, killers);
                self.by_entry.insert(*range, id);
                id
            }
        };
        self.out.definitions[id].reaches.contains(point).then_some(id)
    }

    fn find_written_at_return(&mut self) {
        let func = &self.module.funcs[self.func];
        let is_return = |point: Point| {
            let content = &self.graph.points[point];
            content.steps.contains(&Step::Term)
                && matches!(func.blocks[content.block].term, crate::Terminator::Return(_))
        };
        let returns: Vec<Point> = self.graph.points.keys().filter(|&it| is_return(it)).collect();
        let is_recursive = self.summaries.is_recursive(self.func);
        let is_gone = |object| {
            let kind = self.points_to.objects()[object].kind;
            matches!(kind, AbstractObjectKind::Local(func, _) if func == self.func && !is_recursive)
        };
        let mut points = if func.rets.is_empty() { Vec::new() } else { returns.clone() };
        for (write, &id) in self.writes.iter().zip(&self.of_write) {
            let reaches = &self.out.definitions[id].reaches;
            let survives = |it: &Point| reaches.contains(*it) || *it == write.point;
            if !is_gone(write.range.object) && returns.iter().any(survives) {
                points.push(write.point);
            }
        }
        points.sort_unstable();
        points.dedup();
        self.out.written_at_return = points;
    }
}

/// The objects of which at most one exists at any time, so that a write replaces what they held.
fn unique_objects(
    module: &Module,
    points_to: &PointsTo,
    summaries: &Summaries,
    func: FuncId,
    cfg: &Cfg,
) -> EntitySet<ObjectId> {
    let mut blocks: SecondaryMap<crate::InstId, Option<BlockId>> = SecondaryMap::new();
    for (id, block) in &module.funcs[func].blocks {
        block.inst_ids().for_each(|inst| blocks[inst] = Some(id));
    }
    let is_once = |inst: crate::InstId| {
        let is_fixed = matches!(&module.funcs[func].insts[inst],
            Inst::Alloca { count, .. } if count.as_val().is_none());
        is_fixed && blocks[inst].is_some_and(|block| cfg.position(block) == Some(0))
    };
    let mut unique = EntitySet::new();
    for (object, content) in points_to.objects() {
        let is_unique = match content.kind {
            AbstractObjectKind::Global(_) => true,
            AbstractObjectKind::Local(owner, inst) => {
                owner == func && !summaries.is_recursive(func) && is_once(inst)
            }
            _ => false,
        };
        if is_unique {
            unique.insert(object);
        }
    }
    unique
}

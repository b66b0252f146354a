//! Definitions and uses: of values, of block parameters, and of memory.
//!
//! A definition reaches the points that control can reach from it without passing another
//! definition of the same variable. A store replaces what was in memory before if it writes one
//! byte range of one object that exists once: a global, or a local variable of a function that
//! is not recursive, outside of loops.

use std::collections::{BTreeMap, BTreeSet};

use byway_base::entity::{EntitySet, PrimaryMap, SecondaryMap, entity_impl};

use super::super::effects::{Effects, MemoryRange};
use super::super::points_to::{AbstractObjectKind, ObjectId};
use super::super::{Cfg, PointsTo, ProgramEffects};
use super::flow::{FlowGraph, FlowStep, Point, for_each_use};
use super::point_set::PointSet;
use super::values::Values;
use crate::{BlockId, FuncId, Inst, InstId, Module, Terminator, Val};

/// The most sources of a block parameter that are told apart by what replaces them. Beyond that,
/// nothing does, which gives more dependences, never fewer.
const MOST_SOURCES: usize = 16;

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
    /// Whether there is a value to read afterwards: not where the scope of a variable begins.
    is_definition: bool,
}

struct Builder<'a> {
    module: &'a Module,
    points_to: &'a PointsTo,
    effects: &'a ProgramEffects,
    func: FuncId,
    graph: &'a FlowGraph,
    values: &'a Values,
    out: DefUse,
    /// The definitions by their point and killers, which determine what they reach.
    known: BTreeMap<(Point, Vec<Point>), DefinitionId>,
    writes: Vec<MemoryWrite>,
    /// The writes that replace all of their range, by object, as positions in `writes`.
    strong: BTreeMap<ObjectId, Vec<usize>>,
    /// The definitions that each range is written by.
    written: BTreeMap<MemoryRange, BTreeSet<DefinitionId>>,
    /// The ranges that each point reads.
    reads: BTreeMap<Point, BTreeSet<MemoryRange>>,
    /// Objects that no other object of their kind exists beside.
    unique: EntitySet<ObjectId>,
}

impl DefUse {
    pub fn new(
        module: &Module,
        points_to: &PointsTo,
        effects: &ProgramEffects,
        func: FuncId,
        cfg: &Cfg,
        graph: &FlowGraph,
        values: &Values,
    ) -> DefUse {
        let mut builder = Builder {
            module,
            points_to,
            effects,
            func,
            graph,
            values,
            out: DefUse {
                definitions: PrimaryMap::new(),
                uses: Vec::new(),
                written_at_return: Vec::new(),
            },
            known: BTreeMap::new(),
            writes: Vec::new(),
            strong: BTreeMap::new(),
            written: BTreeMap::new(),
            reads: BTreeMap::new(),
            unique: unique_objects(module, points_to, effects, func, cfg),
        };
        builder.add_values();
        builder.collect_accesses();
        builder.add_writes();
        builder.add_reads();
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
                if let FlowStep::CallEnd(inst) = step {
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

    /// The definition of the values that a point computes, until it does so again.
    fn of_value(&mut self, point: Point) -> DefinitionId {
        self.define(point, vec![point])
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
            let sources = self.values.sources_of(edge, arg);
            let others = self.graph.incoming[block].iter().filter(|&&it| it != edge);
            let killers: Vec<Point> =
                if sources.len() > MOST_SOURCES { Vec::new() } else { others.copied().collect() };
            for source in sources {
                definitions.push(self.define(source, killers.clone()));
            }
        }
        definitions.sort_unstable();
        definitions.dedup();
        definitions
    }

    /// The definition at a point that `killers` replace.
    fn define(&mut self, point: Point, mut killers: Vec<Point>) -> DefinitionId {
        killers.retain(|&it| it != point || self.graph.is_in_loop(it));
        killers.sort_unstable();
        killers.dedup();
        let (graph, definitions) = (self.graph, &mut self.out.definitions);
        *self.known.entry((point, killers)).or_insert_with_key(|(_, killers)| {
            let killers: PointSet = killers.iter().copied().collect();
            let reaches = graph.reached(point, &killers);
            definitions.push(Definition { point, killers, reaches })
        })
    }

    fn collect_accesses(&mut self) {
        for (point, content) in &self.graph.points {
            for &step in &content.steps {
                let (FlowStep::Inst(inst) | FlowStep::CallStart(inst) | FlowStep::CallEnd(inst)) =
                    step
                else {
                    continue;
                };
                let own;
                let mut called: Vec<&Effects> = Vec::new();
                if let FlowStep::CallStart(_) | FlowStep::CallEnd(_) = step {
                    let callees = self.points_to.callees(self.func, inst).iter();
                    let bodies = callees.filter(|&&it| !self.module.funcs[it].is_declaration());
                    called.extend(bodies.map(|&it| self.effects.of_call(it)));
                }
                if !matches!(step, FlowStep::CallEnd(_)) {
                    own = self.effects.of_inst(self.module, self.points_to, self.func, inst);
                    self.add_own_writes(point, inst, &own);
                    called.push(&own);
                }
                if let FlowStep::CallEnd(_) = step {
                    let ranges = called.iter().flat_map(|it| it.definitions());
                    let write =
                        |range| MemoryWrite { point, range, is_strong: false, is_definition: true };
                    self.writes.extend(ranges.map(write));
                } else {
                    let ranges = called.iter().flat_map(|it| it.reads.iter());
                    self.reads.entry(point).or_default().extend(ranges);
                }
            }
        }
    }

    fn add_own_writes(&mut self, point: Point, inst: InstId, own: &Effects) {
        let ranges: Vec<MemoryRange> = own.definitions().collect();
        let is_strong = ranges.len() == 1
            && ranges[0].len.is_some()
            && ranges[0].offsets.stride == 0
            && self.unique.contains(ranges[0].object);
        let is_definition = !matches!(
            self.module.funcs[self.func].insts[inst],
            Inst::Lifetime { begins: true, .. }
        );
        let write = |range| MemoryWrite { point, range, is_strong, is_definition };
        self.writes.extend(ranges.into_iter().map(write));
    }

    /// The writes that replace all of a range.
    fn killers(&self, range: &MemoryRange) -> impl Iterator<Item = (usize, &MemoryWrite)> {
        let strong = self.strong.get(&range.object).into_iter().flatten();
        let strong = strong.map(|&index| (index, &self.writes[index]));
        strong.filter(move |(_, write)| write.range.covers(range))
    }

    fn add_writes(&mut self) {
        for (index, write) in self.writes.iter().enumerate().filter(|(_, it)| it.is_strong) {
            self.strong.entry(write.range.object).or_default().push(index);
        }
        let returns = self.returns();
        let mut at_return: BTreeSet<Point> = BTreeSet::new();
        if !self.module.funcs[self.func].rets.is_empty() {
            at_return.extend(&returns);
        }
        for index in 0..self.writes.len() {
            let MemoryWrite { point, range, is_definition, .. } = self.writes[index];
            // A later write of the same statement replaces it at once.
            let is_dead = self.killers(&range).any(|(it, by)| it > index && by.point == point);
            if is_dead || !is_definition {
                continue;
            }
            let killers = self.killers(&range).map(|(_, by)| by.point).collect();
            let id = self.define(point, killers);
            self.written.entry(range).or_default().insert(id);
            let reaches = &self.out.definitions[id].reaches;
            let survives = |it: &Point| reaches.contains(*it) || *it == point;
            if !self.is_own_local(range.object) && returns.iter().any(survives) {
                at_return.insert(point);
            }
        }
        self.out.written_at_return = at_return.into_iter().collect();
    }

    fn add_reads(&mut self) {
        let mut visible: BTreeMap<MemoryRange, Vec<DefinitionId>> = BTreeMap::new();
        for (point, ranges) in std::mem::take(&mut self.reads) {
            let mut seen: BTreeSet<Vec<DefinitionId>> = BTreeSet::new();
            for range in ranges {
                let all = visible.entry(range).or_insert_with(|| self.visible(&range));
                let reaches = |id: &DefinitionId| self.out.definitions[*id].reaches.contains(point);
                let definitions: Vec<_> = all.iter().copied().filter(reaches).collect();
                if !definitions.is_empty() {
                    seen.insert(definitions);
                }
            }
            let uses = seen.into_iter().map(|definitions| Use { point, definitions, param: None });
            self.out.uses.extend(uses);
        }
    }

    /// The definitions that a read of a range can see, wherever it is; ascending.
    fn visible(&mut self, range: &MemoryRange) -> Vec<DefinitionId> {
        let overlapping = self.written.iter().filter(|it| it.0.overlaps(range, self.points_to));
        let mut all: BTreeSet<DefinitionId> = overlapping.flat_map(|it| it.1).copied().collect();
        let is_fixed = match self.points_to.objects()[range.object].kind {
            AbstractObjectKind::Global(global) => self.module.globals[global].constant,
            AbstractObjectKind::Function(_) => true,
            _ => self.is_own_local(range.object),
        };
        if !is_fixed {
            // The contents when the function was called.
            let killers = self.killers(range).map(|(_, by)| by.point).collect();
            all.insert(self.define(FlowGraph::ENTRY, killers));
        }
        all.into_iter().collect()
    }

    /// Whether an object is a local variable that exists only while this call runs.
    fn is_own_local(&self, object: ObjectId) -> bool {
        let kind = self.points_to.objects()[object].kind;
        matches!(kind, AbstractObjectKind::Local(func, _) if func == self.func)
            && !self.effects.is_recursive(self.func)
    }

    /// The statements that return.
    fn returns(&self) -> Vec<Point> {
        let func = &self.module.funcs[self.func];
        let is_return = |point: &Point| {
            let content = &self.graph.points[*point];
            content.steps.contains(&FlowStep::Term)
                && matches!(func.blocks[content.block].term, Terminator::Return(_))
        };
        self.graph.points.keys().filter(is_return).collect()
    }
}

/// The objects of which at most one exists at any time, so that a write replaces what they held.
fn unique_objects(
    module: &Module,
    points_to: &PointsTo,
    effects: &ProgramEffects,
    func: FuncId,
    cfg: &Cfg,
) -> EntitySet<ObjectId> {
    let mut blocks: SecondaryMap<InstId, Option<BlockId>> = SecondaryMap::new();
    for (id, block) in &module.funcs[func].blocks {
        block.inst_ids().for_each(|inst| blocks[inst] = Some(id));
    }
    let is_once = |inst: InstId| {
        let is_fixed = matches!(&module.funcs[func].insts[inst],
            Inst::Alloca { count, .. } if count.as_val().is_none());
        is_fixed && blocks[inst].is_some_and(|block| cfg.position(block) == Some(0))
    };
    let mut unique = EntitySet::new();
    for (object, content) in points_to.objects() {
        let is_unique = match content.kind {
            AbstractObjectKind::Global(_) => true,
            AbstractObjectKind::Local(owner, inst) => {
                owner == func && !effects.is_recursive(func) && is_once(inst)
            }
            _ => false,
        };
        if is_unique {
            unique.insert(object);
        }
    }
    unique
}

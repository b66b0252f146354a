//! Values: which points they come from, and which sides select among those of a block parameter.
//!
//! A variable without memory is a block parameter wherever paths meet that assigned it
//! differently. Its value comes from the definitions of the values that edges pass. A
//! constant has no definition: it comes from the assignments that its block marks with
//! [`Inst::Line`], or from the jump that passes it; if there are none, from the nearest marks
//! before. That can name the line of another constant, but it loses nothing, because the sides
//! that lead to an edge are dependences in any case.

use std::collections::BTreeSet;

use byway_base::entity::SecondaryMap;

use super::super::DomTree;
use super::control::ControlDependence;
use super::flow::{FlowGraph, Point, PointKind, is_constant};
use super::point_set::PointSet;
use crate::{BlockId, Function, Inst, Module, Operand, Terminator, Val};

/// Where values come from.
pub struct Values {
    /// The point that defines each value. `None` for a block parameter, and for a value that
    /// never changes: the address of a local variable, an undefined value.
    definition: SecondaryMap<Val, Option<Point>>,
    /// The block of each block parameter.
    block: SecondaryMap<Val, Option<BlockId>>,
    /// The points that each block parameter's value comes from.
    sources: SecondaryMap<Val, BTreeSet<Point>>,
    /// The sides that select each block parameter's value and do not assign it.
    selected_by: SecondaryMap<Val, BTreeSet<Point>>,
    /// The edges that each side leads to before the sides of its branch meet, the last ones
    /// included.
    before_join: SecondaryMap<Point, Vec<Point>>,
    /// What each edge passes.
    args: SecondaryMap<Point, Vec<Operand>>,
    /// The points that the constants of each edge come from.
    constants: SecondaryMap<Point, Vec<Point>>,
}

impl Values {
    pub fn new(
        module: &Module,
        func: &Function,
        graph: &FlowGraph,
        control: &ControlDependence,
        dominators: &DomTree,
    ) -> Values {
        let mut values = Values {
            definition: definitions(func, graph),
            block: SecondaryMap::new(),
            sources: SecondaryMap::new(),
            selected_by: SecondaryMap::new(),
            before_join: SecondaryMap::new(),
            args: SecondaryMap::new(),
            constants: SecondaryMap::new(),
        };
        for (id, block) in &func.blocks {
            block.params.iter().for_each(|&val| values.block[val] = Some(id));
            let mut index = 0;
            block.term.for_each_edge(|edge| {
                if let Some(&point) = graph.edges[id].get(index) {
                    values.args[point] = edge.args.to_vec();
                    if edge.args.iter().any(|arg| arg.as_val().is_none()) {
                        values.constants[point] = constants(module, func, graph, dominators, point);
                    }
                }
                index += 1;
            });
        }
        values.find_sources(func, graph);
        values.find_selections(func, graph, control);
        values
    }

    fn find_sources(&mut self, func: &Function, graph: &FlowGraph) {
        let of_arg = |this: &Self, edge, arg| this.sources_of(edge, arg);
        self.until_stable(func, graph, of_arg, |this, param| &mut this.sources[param]);
    }

    /// Adds what `of` gives for each argument to the set of its parameter, until nothing
    /// changes.
    fn until_stable(
        &mut self,
        func: &Function,
        graph: &FlowGraph,
        of: impl Fn(&Self, Point, Operand) -> BTreeSet<Point>,
        set: impl Fn(&mut Self, Val) -> &mut BTreeSet<Point>,
    ) {
        let mut changed = true;
        while changed {
            changed = false;
            for (id, block) in &func.blocks {
                for &edge in &graph.incoming[id] {
                    for (index, &param) in block.params.iter().enumerate() {
                        let new = of(self, edge, self.args[edge][index]);
                        let all = set(self, param);
                        let before = all.len();
                        all.extend(new);
                        changed |= all.len() != before;
                    }
                }
            }
        }
    }

    /// A side selects a parameter's value if it leads to the parameter's block with a value
    /// from before the branch, and another side with another value.
    fn find_selections(&mut self, func: &Function, graph: &FlowGraph, control: &ControlDependence) {
        for block in func.blocks.keys().filter(|&it| graph.edges[it].len() > 1) {
            let join = control.join(block);
            for &side in &graph.edges[block] {
                self.before_join[side] = edges_before_join(graph, side, join);
            }
            for &side in &graph.edges[block] {
                let others: Vec<Point> = graph.edges[block]
                    .iter()
                    .filter(|&&other| other != side)
                    .flat_map(|&other| self.before_join[other].iter().copied())
                    .collect();
                for &edge in &self.before_join[side] {
                    let Some(target) = graph.target[edge] else { continue };
                    for (number, &param) in func.blocks[target].params.iter().enumerate() {
                        let arg = self.args[edge][number];
                        let differs = others
                            .iter()
                            .filter(|&&other| graph.target[other] == Some(target))
                            .any(|&other| self.args[other][number] != arg);
                        if differs && !self.is_assigned_by(graph, control, side, edge, arg) {
                            self.selected_by[param].insert(side);
                        }
                    }
                }
            }
        }
        let of_arg = |this: &Self, _, arg: Operand| {
            arg.as_val().map(|val| this.selected_by[val].clone()).unwrap_or_default()
        };
        self.until_stable(func, graph, of_arg, |this, param| &mut this.selected_by[param]);
    }

    /// Whether what an edge passes is assigned by statements that a side controls.
    fn is_assigned_by(
        &self,
        graph: &FlowGraph,
        control: &ControlDependence,
        side: Point,
        edge: Point,
        arg: Operand,
    ) -> bool {
        let is_controlled = |&point: &Point| control.controls(graph, side, point);
        let sources = self.sources_of(edge, arg);
        !sources.is_empty() && sources.iter().all(is_controlled)
    }

    /// The point that defines a value.
    pub fn definition(&self, val: Val) -> Option<Point> {
        self.definition[val]
    }

    /// The block of a parameter; `None` for other values.
    pub fn block(&self, val: Val) -> Option<BlockId> {
        self.block[val]
    }

    /// The points that the argument of an edge comes from.
    pub fn sources_of(&self, edge: Point, arg: Operand) -> BTreeSet<Point> {
        match arg.as_val() {
            None => self.constants[edge].iter().copied().collect(),
            Some(val) if self.block[val].is_some() => self.sources[val].clone(),
            Some(val) => self.definition[val].into_iter().collect(),
        }
    }

    /// What an edge passes.
    pub fn args(&self, edge: Point) -> &[Operand] {
        &self.args[edge]
    }

    /// The edges that a side leads to before the sides of its branch meet.
    pub fn before_join(&self, side: Point) -> &[Point] {
        &self.before_join[side]
    }

    /// The sides that select a block parameter's value and do not assign it.
    pub fn selected_by(&self, param: Val) -> &BTreeSet<Point> {
        &self.selected_by[param]
    }
}

fn definitions(func: &Function, graph: &FlowGraph) -> SecondaryMap<Val, Option<Point>> {
    let mut definition = SecondaryMap::new();
    func.params.iter().for_each(|&val| definition[val] = Some(FlowGraph::ENTRY));
    for (id, inst) in &func.insts {
        if !is_constant(inst) {
            inst.for_each_def(|val| definition[val] = graph.defined_at[id]);
        }
    }
    definition
}

/// The edges that a side leads to before the sides of its branch meet, the last ones included.
fn edges_before_join(graph: &FlowGraph, side: Point, join: Option<BlockId>) -> Vec<Point> {
    let branch = graph.points[side].block;
    let mut seen = PointSet::default();
    let mut edges = Vec::new();
    let mut work = vec![side];
    while let Some(point) = work.pop() {
        if !seen.insert(point) {
            continue;
        }
        if let Some(target) = graph.target[point] {
            edges.push(point);
            if Some(target) == join || target == branch {
                continue;
            }
        }
        work.extend(&graph.succs[point]);
    }
    edges.sort_unstable();
    edges
}

/// The points that the constants of an edge come from.
fn constants(
    module: &Module,
    func: &Function,
    graph: &FlowGraph,
    dominators: &DomTree,
    edge: Point,
) -> Vec<Point> {
    let line = |loc: Option<crate::LocId>| {
        let loc = &module.debug.locs[loc?];
        Some((loc.file, loc.line))
    };
    let marks = |block: BlockId| -> Vec<Point> {
        let insts = func.blocks[block].inst_ids();
        let marks = insts.filter(|&inst| matches!(func.insts[inst], Inst::Line));
        marks.filter_map(|inst| graph.defined_at[inst]).collect()
    };
    let from = &graph.points[edge];
    let mut all = marks(from.block);
    if let PointKind::Edge { is_side: false, .. } = from.kind
        && graph.is_node(edge)
    {
        all.push(edge);
    }
    // An expression such as `a && b` passes constants that no line assigned.
    let is_expression = || {
        let target = &func.blocks[graph.target[edge]?];
        let mut locs = target.inst_ids().map(|inst| func.loc(inst)).chain([target.term_loc]);
        let next = locs.find(Option::is_some)?;
        let is_return = matches!(target.term, Terminator::Return(_));
        Some(line(next) == line(from.loc) && !(is_return && target.first == target.end))
    };
    if !all.is_empty() || is_expression() == Some(true) {
        return all;
    }
    let mut block = from.block;
    while let Some(above) = dominators.idom(block) {
        all = marks(above);
        if !all.is_empty() {
            break;
        }
        block = above;
    }
    all
}

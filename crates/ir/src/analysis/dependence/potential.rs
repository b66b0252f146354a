//! Potential dependence: a point uses a variable that was defined before a branch, and another
//! side of the branch could have defined it anew.

use std::collections::{BTreeMap, BTreeSet};

use super::MAX_VISITED_POINTS;
use super::control::ControlDependence;
use super::definitions::{DefUse, DefinitionId, Use};
use super::flow::{FlowGraph, Point};
use super::point_set::PointSet;
use super::values::Values;

/// The most definitions of one use whose ends are told apart. Beyond that, the influence of a
/// side does not end.
const MOST_DEFINITIONS: usize = 16;

/// The potential dependences of a function.
#[derive(Default)]
pub struct Potential {
    /// The sides that each point potentially depends on, as pairs of point and side.
    pub pairs: BTreeSet<(Point, Point)>,
    /// For each side, the points where its influence on a variable ends: one set for each
    /// variable.
    pub killers: BTreeMap<Point, Vec<PointSet>>,
    /// The searches reached their limit. From there on, a definition is taken to reach all that
    /// control reaches, which gives more dependences, never fewer.
    pub is_approximate: bool,
}

struct PotentialSearch<'a> {
    graph: &'a FlowGraph,
    control: &'a ControlDependence,
    def_use: &'a DefUse,
    /// The points after each side.
    after: BTreeMap<Point, PointSet>,
    /// The points after each side until a definition is replaced.
    reached: BTreeMap<(Point, DefinitionId), PointSet>,
    effort: u64,
    out: Potential,
}

impl Potential {
    pub fn new(
        graph: &FlowGraph,
        control: &ControlDependence,
        values: &Values,
        def_use: &DefUse,
    ) -> Potential {
        let mut search = PotentialSearch {
            graph,
            control,
            def_use,
            after: BTreeMap::new(),
            reached: BTreeMap::new(),
            effort: 0,
            out: Potential::default(),
        };
        for used in &def_use.uses {
            search.add_redefinitions(used);
            search.add_selections(values, used);
        }
        search.out
    }

    fn add(&mut self, side: Point, point: Point, killers: PointSet) {
        self.pairs.insert((point, side));
        let known = self.killers.entry(side).or_default();
        if !known.contains(&killers) {
            known.push(killers);
        }
    }
}

impl PotentialSearch<'_> {
    /// Sides that keep a definition which another side replaces.
    fn add_redefinitions(&mut self, used: &Use) {
        let mut replacing: BTreeSet<Point> = BTreeSet::new();
        for &id in &used.definitions {
            let at = self.def_use.definitions[id].point;
            if at != FlowGraph::ENTRY {
                replacing.extend(self.control.transitive(self.graph, at).iter());
            }
        }
        let candidates: BTreeSet<Point> = replacing
            .iter()
            .flat_map(|&side| self.graph.sides_of(side).iter().filter(move |&&it| it != side))
            .copied()
            .collect();
        for side in candidates {
            if self.is_controlled(side, used.point) {
                continue;
            }
            for &id in &used.definitions {
                if !self.keeps(side, id, used.point) {
                    continue;
                }
                if used.definitions.len() > MOST_DEFINITIONS {
                    self.out.add(side, used.point, PointSet::default());
                    break;
                }
                let killers = self.def_use.definitions[id].killers.clone();
                self.out.add(side, used.point, killers);
            }
        }
    }

    /// Sides that select among the values of a block parameter.
    fn add_selections(&mut self, values: &Values, used: &Use) {
        let Some(param) = used.param else { return };
        for &side in values.selected_by(param) {
            if self.is_controlled(side, used.point) {
                continue;
            }
            let taken = values.before_join(side);
            let block = values.block(param);
            let incoming = block.map_or(&[][..], |block| &self.graph.incoming[block]);
            let others = incoming.iter().filter(|edge| !taken.contains(edge)).copied();
            let is_direct = incoming.iter().any(|edge| taken.contains(edge));
            let killers = if is_direct { others.collect() } else { PointSet::default() };
            self.out.add(side, used.point, killers);
        }
    }

    /// Whether a point is control dependent on the branch of a side.
    fn is_controlled(&self, side: Point, point: Point) -> bool {
        let sides = self.graph.sides_of(side);
        self.control.direct(self.graph, point).iter().any(|it| sides.contains(it))
    }

    /// Whether a definition from before a side reaches a point through it.
    fn keeps(&mut self, side: Point, id: DefinitionId, point: Point) -> bool {
        let definition = &self.def_use.definitions[id];
        if !definition.reaches.contains(side) || definition.killers.contains(side) {
            return false;
        }
        let (graph, effort) = (self.graph, &mut self.effort);
        let after = self.after.entry(side).or_insert_with(|| {
            *effort += graph.points.len() as u64;
            graph.reached(side, &PointSet::default())
        });
        if !after.contains(point) {
            return false;
        }
        if definition.killers.is_disjoint(after) {
            return true;
        }
        if *effort > MAX_VISITED_POINTS {
            self.out.is_approximate = true;
            return true;
        }
        let reached = self.reached.entry((side, id)).or_insert_with(|| {
            *effort += graph.points.len() as u64;
            graph.reached(side, &definition.killers)
        });
        reached.contains(point)
    }
}

//! Interactive dependence: two points that a later point depends on both, on one path.
//!
//! The first of the two does not change what the second one does, but what it leads to. The
//! definition is recursive: the later point may itself depend on them interactively. A pair
//! counts only if control can go from the first through the second to the later point while
//! neither is replaced on the way.

use std::collections::BTreeSet;

use byway_base::entity::{EntitySet, SecondaryMap};
use rustc_hash::FxHashMap;

use super::MAX_VISITED_POINTS;
use super::control::ControlDependence;
use super::definitions::DefUse;
use super::flow::{FlowGraph, Point};
use super::point_set::PointSet;
use super::potential::Potential;

/// The most influences of one point that are kept apart. Beyond that, one stands for all.
const MOST_INFLUENCES: usize = 8;

/// How long a point has an influence on others.
#[derive(Clone)]
struct Influence {
    /// Where it ends.
    killers: PointSet,
    /// The points that it reaches.
    reaches: PointSet,
}

struct PairSearch<'a> {
    graph: &'a FlowGraph,
    influences: SecondaryMap<Point, Vec<Influence>>,
    /// For two points in this order, the points that both reach at once.
    pairs: FxHashMap<(Point, Point), PointSet>,
    effort: u64,
}

/// What a function's points depend on interactively, as pairs of point and source; `None` if
/// it costs too much. `dependences` are all others, as such pairs.
pub fn interactive(
    graph: &FlowGraph,
    control: &ControlDependence,
    def_use: &DefUse,
    potential: &Potential,
    dependences: &BTreeSet<(Point, Point)>,
) -> Option<BTreeSet<(Point, Point)>> {
    let influences = influences(graph, control, def_use, potential);
    let mut search = PairSearch { graph, influences, pairs: FxHashMap::default(), effort: 0 };
    let mut sources: SecondaryMap<Point, Vec<Point>> = SecondaryMap::new();
    let mut known: SecondaryMap<Point, PointSet> = SecondaryMap::new();
    let mut found: SecondaryMap<Point, PointSet> = SecondaryMap::new();
    for &(point, source) in dependences {
        sources[point].push(source);
        known[point].insert(source);
    }
    let mut work: Vec<(Point, Point)> = dependences.iter().copied().collect();
    while let Some((later, source)) = work.pop() {
        for index in 0..sources[later].len() {
            let other = sources[later][index];
            for (first, second) in [(source, other), (other, source)] {
                if found[second].contains(first) || !search.reach(first, second)?.contains(later) {
                    continue;
                }
                found[second].insert(first);
                if known[second].insert(first) {
                    sources[second].push(first);
                    work.push((second, first));
                }
            }
        }
    }
    let of_point = |point: Point| found[point].iter().map(move |source| (point, source));
    Some(graph.points.keys().flat_map(of_point).collect())
}

impl PairSearch<'_> {
    /// The points that two points reach at once, the second after the first; `None` if the
    /// effort is spent.
    fn reach(&mut self, first: Point, second: Point) -> Option<&PointSet> {
        self.effort += 1;
        if self.effort > MAX_VISITED_POINTS {
            return None;
        }
        let PairSearch { graph, influences, pairs, effort } = self;
        Some(pairs.entry((first, second)).or_insert_with(|| {
            let mut all = PointSet::default();
            for one in &influences[first] {
                if !one.reaches.contains(second) || one.killers.contains(second) {
                    continue;
                }
                for two in &influences[second] {
                    if one.killers.is_disjoint(&two.reaches) {
                        all.add_all(&two.reaches);
                        continue;
                    }
                    *effort += graph.points.len() as u64;
                    let mut killers = one.killers.clone();
                    killers.add_all(&two.killers);
                    all.add_all(&graph.reached(second, &killers));
                }
            }
            all
        }))
    }
}

fn influences(
    graph: &FlowGraph,
    control: &ControlDependence,
    def_use: &DefUse,
    potential: &Potential,
) -> SecondaryMap<Point, Vec<Influence>> {
    let mut killers: SecondaryMap<Point, Vec<PointSet>> = SecondaryMap::new();
    let mut used = EntitySet::new();
    def_use.uses.iter().flat_map(|it| &it.definitions).for_each(|&id| _ = used.insert(id));
    for id in used.iter() {
        let definition = &def_use.definitions[id];
        killers[definition.point].push(definition.killers.clone());
    }
    for (&side, sets) in &potential.killers {
        killers[side].extend(sets.iter().cloned());
    }
    for side in graph.points.keys().filter(|&it| !graph.sides_of(it).is_empty()) {
        let (inside, outside): (Vec<Point>, Vec<Point>) =
            graph.points.keys().partition(|&it| control.controls(graph, side, it));
        if !inside.is_empty() {
            killers[side].push(outside.into_iter().collect());
        }
    }
    let mut influences: SecondaryMap<Point, Vec<Influence>> = SecondaryMap::new();
    for point in graph.points.keys() {
        let mut all: Vec<Influence> = Vec::new();
        for mut killers in std::mem::take(&mut killers[point]) {
            let reaches = graph.reached(point, &killers);
            killers.keep_only(&reaches);
            if all.iter().all(|it| it.killers != killers) {
                all.push(Influence { killers, reaches });
            }
        }
        let endless = all.iter().position(|it| it.killers.is_empty());
        if let Some(index) = endless {
            all = vec![all.swap_remove(index)];
        } else if all.len() > MOST_INFLUENCES {
            let killers = PointSet::default();
            let reaches = graph.reached(point, &killers);
            all = vec![Influence { killers, reaches }];
        }
        influences[point] = all;
    }
    influences
}

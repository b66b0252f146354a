//! Dependences between functions.

use std::collections::BTreeMap;

use super::flow::{FlowGraph, Point};
use super::{DependenceKind, FunctionDependences, ProgramEffects};
use crate::FuncId;

/// A dependence of a point on a point of another function, or of another call of the same.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CallDependence {
    /// The function and point that depends.
    pub point: (FuncId, Point),
    /// Why: control or data.
    pub kind: DependenceKind,
    /// The function and point that it depends on.
    pub source: (FuncId, Point),
}

/// The dependences between functions, ascending.
pub fn between(
    effects: &ProgramEffects,
    functions: &BTreeMap<FuncId, FunctionDependences>,
) -> Vec<CallDependence> {
    let mut all = Vec::new();
    for (&id, callee) in functions {
        let uses_entry = callee.traditional.iter().filter(|it| it.2 == FlowGraph::ENTRY);
        let uses_entry: Vec<Point> = uses_entry.map(|it| it.0).collect();
        for &(caller, inst) in effects.callers(id) {
            let Some(calling) = functions.get(&caller) else { continue };
            if let Some(start) = calling.graph.call_start[inst] {
                let add = |(point, kind)| CallDependence {
                    point: (id, point),
                    kind,
                    source: (caller, start),
                };
                let always = callee.uncontrolled().map(|it| (it, DependenceKind::Control));
                let used = uses_entry.iter().map(|&it| (it, DependenceKind::Data));
                all.extend(always.chain(used).map(add));
            }
            if let Some(end) = calling.graph.defined_at[inst] {
                let add = |&point| CallDependence {
                    point: (caller, end),
                    kind: DependenceKind::Data,
                    source: (id, point),
                };
                all.extend(callee.def_use.written_at_return.iter().map(add));
            }
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

impl FunctionDependences {
    /// The points that every call of the function executes, unless it ends early.
    fn uncontrolled(&self) -> impl Iterator<Item = Point> + '_ {
        let points = self.graph.points.keys().filter(|&it| self.graph.is_node(it));
        points.filter(|&it| self.control.direct(&self.graph, it).is_empty())
    }
}

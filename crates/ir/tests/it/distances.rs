//! Distances against equations over single instructions, solved by iteration to a fixed
//! point, and on programs small enough to be counted by hand.

use std::collections::BTreeMap;

use byway_base::entity::EntityRef;
use byway_ir::analysis::{CallEffect, CallGraph, CallShape, DistanceGraph, ProgramPoint};
use byway_ir::{
    BlockId, Callee, Const, FuncId, Function, Inst, Module, OperandKind, Symbol, Terminator, text,
};
use proptest::prelude::*;

use crate::generate;

const NEVER: u64 = u64::MAX;

/// Where each instruction leads at once.
struct Equations<'a> {
    module: &'a Module,
    graph: CallGraph,
    to_return: BTreeMap<(FuncId, BlockId, u32), u64>,
    to_target: BTreeMap<(FuncId, BlockId, u32), u64>,
    targets: Vec<(FuncId, BlockId, u32)>,
}

impl<'a> Equations<'a> {
    fn solve(module: &'a Module, targets: Vec<(FuncId, BlockId, u32)>) -> Equations<'a> {
        let graph = CallGraph::new(module);
        let (to_return, to_target) = (BTreeMap::new(), BTreeMap::new());
        let mut this = Equations { module, graph, to_return, to_target, targets };
        while this.round() {}
        this
    }

    fn points(&self) -> Vec<(FuncId, BlockId, u32)> {
        let mut points = Vec::new();
        for (f, func) in &self.module.funcs {
            for (b, block) in &func.blocks {
                let count = block.inst_ids().count() as u32;
                points.extend((0..=count).map(|i| (f, b, i)));
            }
        }
        points
    }

    /// Returns whether a distance became shorter.
    fn round(&mut self) -> bool {
        let mut changed = false;
        for point in self.points() {
            let (back, on) = (self.back(point), self.on(point));
            changed |= self.to_return.insert(point, back).unwrap_or(NEVER) != back;
            changed |= self.to_target.insert(point, on).unwrap_or(NEVER) != on;
        }
        changed
    }

    fn callees(&self, func: &Function, inst: &Inst) -> Option<Vec<FuncId>> {
        let Inst::Call { callee, .. } = inst else { return None };
        Some(match callee {
            Callee::Direct(target) => vec![*target],
            Callee::Indirect(op) => match op.kind() {
                OperandKind::Const(c) => match func.consts[c] {
                    Const::Address { symbol: Symbol::Func(target), offset: 0 } => vec![target],
                    _ => self.pointees(func, inst),
                },
                OperandKind::Val(_) => self.pointees(func, inst),
            },
        })
    }

    /// The functions that a call through an unknown pointer suits.
    fn pointees(&self, func: &Function, call: &Inst) -> Vec<FuncId> {
        let shape = CallShape::of(func, call).expect("a call");
        let suits = |callee: &FuncId| {
            let callee = &self.module.funcs[*callee];
            callee.is_declaration() || shape.mismatch(callee).is_none()
        };
        self.graph.address_taken().iter().copied().filter(suits).collect()
    }

    /// From the entry of a function by one of the two measures.
    fn at_entry(
        &self,
        of: &BTreeMap<(FuncId, BlockId, u32), u64>,
        func: FuncId,
        without: u64,
    ) -> u64 {
        match self.module.funcs[func].entry() {
            Some(entry) => of.get(&(func, entry, 0)).copied().unwrap_or(NEVER),
            None => without,
        }
    }

    fn callee_returns(&self, callees: &[FuncId]) -> u64 {
        callees.iter().map(|&c| self.at_entry(&self.to_return, c, 0)).min().unwrap_or(NEVER)
    }

    /// What lies behind an instruction by one of the two measures.
    fn behind(
        &self,
        of: &BTreeMap<(FuncId, BlockId, u32), u64>,
        (f, b, i): (FuncId, BlockId, u32),
    ) -> u64 {
        let func = &self.module.funcs[f];
        let get = |point| of.get(&point).copied().unwrap_or(NEVER);
        match func.blocks[b].inst_ids().nth(i as usize) {
            Some(inst) => {
                let called = self.callees(func, &func.insts[inst]);
                let inside = called.map_or(0, |callees| self.callee_returns(&callees));
                get((f, b, i + 1)).saturating_add(inside)
            }
            None => {
                let mut least = NEVER;
                let mut take = |edge: &byway_ir::Edge| least = least.min(get((f, edge.block, 0)));
                func.blocks[b].term.for_each_edge(&mut take);
                least
            }
        }
    }

    fn back(&self, point: (FuncId, BlockId, u32)) -> u64 {
        let (f, b, i) = point;
        let block = &self.module.funcs[f].blocks[b];
        let at_end = i as usize == block.inst_ids().count();
        if at_end && matches!(block.term, Terminator::Return(_)) {
            return 1;
        }
        self.behind(&self.to_return, point).saturating_add(1)
    }

    fn on(&self, point: (FuncId, BlockId, u32)) -> u64 {
        let (f, b, i) = point;
        if self.targets.contains(&point) {
            return 0;
        }
        let func = &self.module.funcs[f];
        let mut least = self.behind(&self.to_target, point);
        if let Some(inst) = func.blocks[b].inst_ids().nth(i as usize)
            && let Some(callees) = self.callees(func, &func.insts[inst])
        {
            let entries = callees.iter().map(|&c| self.at_entry(&self.to_target, c, NEVER));
            least = least.min(entries.min().unwrap_or(NEVER));
        }
        least.saturating_add(1)
    }
}

fn known(distance: Option<u64>) -> u64 {
    distance.unwrap_or(NEVER)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn distances_solve_the_equations_over_single_instructions(seed: u64, size in 1..40usize) {
        let module = generate::module(seed, size);
        let mut random = generate::Random::new(seed);
        let all = Equations::solve(&module, Vec::new()).points();
        let some: Vec<_> = all.into_iter().filter(|_| random.chance(3)).collect();
        let graph = DistanceGraph::new(&module, |_| CallEffect::Returns);
        let points = some.iter().map(|&(func, block, inst)| ProgramPoint { func, block, inst });
        let distances = graph.to(points);
        let equations = Equations::solve(&module, some);
        for (func, block, inst) in equations.points() {
            let point = ProgramPoint { func, block, inst };
            let (back, on) = (graph.to_return(point), distances.from(&graph, point));
            prop_assert_eq!(known(back), equations.to_return[&(func, block, inst)], "{:?}", point);
            prop_assert_eq!(known(on), equations.to_target[&(func, block, inst)], "{:?}", point);
        }
    }
}

const CALLS: &str = r#"bwir 1
module "calls"

func user @main(v0:i1) -> i32 {
b0:
  call @middle(v0)
  call @middle(v0)
  br v0, b1, b2
b1:
  ret 0:i32
b2:
  ret 1:i32
}

func user @middle(v0:i1) {
b0:
  br v0, b1, b2
b1:
  call @leaf()
  call @leaf()
  jump b2
b2:
  ret
}

func user @leaf() {
b0:
  call @outside()
  ret
}

func user @endless() {
b0:
  jump b0
}

func user @outside()
"#;

fn at(func: usize, block: usize, inst: u32) -> ProgramPoint {
    ProgramPoint { func: FuncId::new(func), block: BlockId::new(block), inst }
}

#[test]
fn a_path_continues_after_its_open_calls() {
    let module = text::parse(CALLS).unwrap_or_else(|error| panic!("{error}"));
    let graph = DistanceGraph::new(&module, |_| CallEffect::Returns);
    assert_eq!(graph.blocks(), 8);
    // The shortest path through `middle` avoids the calls.
    assert_eq!(graph.to_return(at(1, 0, 0)), Some(2));
    // Two calls of `leaf`, each 1 and then its 2; a jump; a return.
    assert_eq!(graph.to_return(at(1, 1, 0)), Some(8));
    assert_eq!(graph.to_return(at(1, 1, 1)), Some(5));
    assert_eq!(graph.to_return(at(0, 0, 0)), Some(3 + 2 * 2 + 1));
    assert_eq!(graph.to_return(at(3, 0, 0)), None);
    assert_eq!(graph.to_return(at(4, 0, 0)), None, "nothing is known of what has no body");

    // To the end of `main`, from within the first call of `leaf`.
    let to_end = graph.to([at(0, 2, 0)]);
    assert_eq!(to_end.from(&graph, at(0, 0, 0)), Some(3 + 2 * 2));
    assert_eq!(to_end.from(&graph, at(2, 0, 0)), None);
    let stack = [at(2, 0, 0), at(1, 1, 1), at(0, 0, 1)];
    assert_eq!(to_end.along(&graph, stack), Some(2 + 5 + (1 + 2 + 1)));
    assert_eq!(to_end.along(&graph, [at(3, 0, 0), at(0, 0, 1)]), None);

    // Into a callee: the second call of `leaf` is nearer than the first one again.
    let to_leaf = graph.to([at(2, 0, 0)]);
    assert_eq!(to_leaf.from(&graph, at(2, 0, 0)), Some(0));
    assert_eq!(to_leaf.from(&graph, at(2, 0, 1)), None);
    assert_eq!(to_leaf.from(&graph, at(1, 1, 1)), Some(1));
    assert_eq!(to_leaf.along(&graph, [at(2, 0, 1), at(1, 1, 1), at(0, 0, 1)]), Some(1 + 1));
    assert_eq!(to_leaf.from(&graph, at(0, 0, 1)), Some(1 + 1 + 1));
    assert_eq!(graph.to([]).along(&graph, stack), None);
}

#[test]
fn mutually_recursive_functions_have_shortest_returns() {
    let module = r#"bwir 1
module "recursion"

func user @even(v0:i1) {
b0:
  call @odd(v0)
  jump b1
b1:
  jump b2
b2:
  ret
}

func user @odd(v0:i1) {
b0:
  br v0, b1, b2
b1:
  call @even(v0)
  jump b2
b2:
  ret
}
"#;
    let module = text::parse(module).unwrap_or_else(|error| panic!("{error}"));
    let graph = DistanceGraph::new(&module, |_| CallEffect::Returns);
    assert_eq!(graph.to_return(at(1, 0, 0)), Some(2));
    assert_eq!(graph.to_return(at(0, 0, 0)), Some(1 + 2 + 1 + 1 + 1));
    assert_eq!(graph.to_return(at(1, 1, 0)), Some(1 + 6 + 1 + 1));
}

const JUMPS: &str = r#"bwir 1
module "jumps"

func user @main(v0:i1) -> i32 {
b0:
  v1:i32 = call @setjmp()
  v2:i1 = icmp eq v1, 0:i32
  br v2, b1, b2
b1:
  call @deep(v0)
  ret 0:i32
b2:
  ret 1:i32
}

func user @deep(v0:i1) {
b0:
  br v0, b1, b2
b1:
  call @longjmp()
  unreachable
b2:
  ret
}

func user @flat() {
b0:
  ret
}

func user @setjmp() -> i32

func user @longjmp()
"#;

/// The error side of a `setjmp` is reachable as long as a `longjmp` is.
#[test]
fn a_longjmp_leads_behind_the_setjmps_of_open_calls() {
    let module = text::parse(JUMPS).unwrap_or_else(|error| panic!("{error}"));
    let graph = DistanceGraph::new(&module, |func| match func.index() {
        3 => CallEffect::SavesPoint,
        4 => CallEffect::JumpsBack,
        _ => CallEffect::Returns,
    });
    let error_side = graph.to([at(0, 2, 0)]);
    let behind_call = at(0, 1, 1);
    assert_eq!(error_side.along(&graph, [at(0, 0, 0)]), Some(3));
    // To the call of longjmp, then from behind the setjmp.
    assert_eq!(error_side.along(&graph, [at(1, 0, 0), behind_call]), Some(1 + 2));
    assert_eq!(error_side.along(&graph, [at(1, 1, 0), behind_call]), Some(2));
    // Here no longjmp is left to come.
    assert_eq!(error_side.along(&graph, [at(1, 2, 0), behind_call]), None);
    assert_eq!(error_side.along(&graph, [at(2, 0, 0), behind_call]), None);
    for (top, expected) in [(at(1, 0, 0), true), (at(1, 1, 0), true), (at(1, 2, 0), false)] {
        let mut reachable = graph.reachable();
        reachable.add([top, behind_call]);
        assert_eq!(reachable.contains(at(0, 2, 0)), expected, "{top:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// What is reachable is what has a distance, for stacks of any points.
    #[test]
    fn reachable_points_are_those_at_a_distance(seed: u64, size in 1..40usize) {
        let module = generate::module(seed, size);
        let mut random = generate::Random::new(seed);
        let graph = DistanceGraph::new(&module, |func| match func.index() % 5 {
            0 => CallEffect::SavesPoint,
            1 => CallEffect::JumpsBack,
            _ => CallEffect::Returns,
        });
        let all = Equations::solve(&module, Vec::new()).points();
        let point = |&(func, block, inst): &_| ProgramPoint { func, block, inst };
        let all: Vec<ProgramPoint> = all.iter().map(point).collect();
        let stack: Vec<_> = all.iter().copied().filter(|_| random.chance(2)).take(3).collect();
        let mut reachable = graph.reachable();
        reachable.add(stack.iter().copied());
        for target in all.into_iter().filter(|_| random.chance(10)) {
            let distance = graph.to([target]).along(&graph, stack.iter().copied());
            prop_assert_eq!(reachable.contains(target), distance.is_some(), "{:?}", target);
        }
    }
}

//! The dependences of figure 2 of "Dependence guided symbolic execution" against its table 2, and
//! of random functions against the definitions of the paper.

use std::collections::BTreeSet;

use byway_ir::analysis::dependence::{DependenceKind, FlowGraph, FlowStep, Point};
use byway_ir::{Function, Inst, Module, Operand, text};
use proptest::prelude::*;

use crate::files::dependences;

const FILE: &str = include_str!("../files/dependence.bwir");

const CONTROL: &str = "2T,3 4T,5 4F,7 8T,9 8F,11";
const DATA: &str = "1,12 1,13 1,14 3,12 3,13 3,14 5,12 5,13 7,12 7,13 9,14 11,14 12,13";
const POTENTIAL: &str = "2F,12 2F,13 2F,14";
const INTERACTIVE: &str = "1,2F 1,4T 1,4F 1,5 1,7 1,8T 1,8F 1,9 1,11 1,12 2F,4T 2F,4F 2F,5 2F,7 \
                           2F,8T 2F,8F 2F,9 2F,11 2F,12 3,4T 3,4F 3,5 3,7 3,8T 3,8F 3,9 3,11 \
                           3,12 5,12 7,12";

/// The pairs of a kind within a function, as `from,to`.
fn pairs(module: &Module, func: &str, kind: DependenceKind) -> BTreeSet<String> {
    let id = module.func_by_name(func).expect("the function exists");
    let lines = dependences(module).lines(module, id).expect("it is reached");
    assert!(lines.has_interactive);
    let mut pairs = BTreeSet::new();
    for (to, dependences) in &lines.nodes {
        for from in dependences.get(&kind).into_iter().flatten().filter(|it| it.func == id) {
            pairs.insert(format!("{},{}", from.name(module, id), to.name(module, id)));
        }
    }
    pairs
}

#[test]
fn table_2_of_the_paper() {
    let module = text::parse(FILE).expect("it parses");
    let table = [
        (DependenceKind::Control, CONTROL),
        (DependenceKind::Data, DATA),
        (DependenceKind::Potential, POTENTIAL),
        (DependenceKind::Interactive, INTERACTIVE),
    ];
    for func in ["memory", "values"] {
        for (kind, expected) in table {
            let expected: BTreeSet<String> =
                expected.split_whitespace().map(str::to_owned).collect();
            assert_eq!(pairs(&module, func, kind), expected, "{kind:?} of {func}");
        }
    }
}

/// A function without loops: what each block writes (true) or reads, and where it goes.
type RandomBlock = (Vec<(bool, usize)>, (usize, usize));

fn program(blocks: &[RandomBlock]) -> String {
    let mut text = String::from("bwir 1\nmodule \"m\"\n");
    for global in 0..2 {
        text += &format!("global user @g{global} size 4 align 4 = {{\n}}\n");
    }
    text += "func user @main(v0:i1) {\n";
    let mut values = 0;
    for (index, (accesses, (then, otherwise))) in blocks.iter().enumerate() {
        text += &format!("b{index}:\n");
        for &(is_write, global) in accesses {
            if is_write {
                text += &format!("  store @g{global}, 1:i32, align 4\n");
            } else {
                values += 1;
                text += &format!("  v{values}:i32 = load @g{global}, align 4\n");
            }
        }
        let left = blocks.len() - 1 - index;
        let target = |by: &usize| index + 1 + by % left;
        text += &match left {
            0 => "  ret\n".to_owned(),
            _ if then % left == otherwise % left => format!("  jump b{}\n", target(then)),
            _ => format!("  br v0, b{}, b{}\n", target(then), target(otherwise)),
        };
    }
    text + "}\n"
}

/// The definitions of the paper, over all paths of a function without loops.
struct Literal<'a> {
    func: &'a Function,
    graph: &'a FlowGraph,
    paths: Vec<Vec<Point>>,
    control: BTreeSet<(Point, Point)>,
    /// The sides that control each point, directly or not, as pairs.
    controls: BTreeSet<(Point, Point)>,
    data: BTreeSet<(Point, Point)>,
    potential: BTreeSet<(Point, Point)>,
}

impl<'a> Literal<'a> {
    fn new(func: &'a Function, graph: &'a FlowGraph) -> Self {
        let mut paths = vec![vec![FlowGraph::ENTRY]];
        let mut complete = Vec::new();
        while let Some(path) = paths.pop() {
            let next = &graph.succs[*path.last().expect("it has an entry")];
            paths.extend(next.iter().map(|&point| [&path[..], &[point]].concat()));
            if next.is_empty() {
                complete.push(path);
            }
        }
        let mut this = Literal {
            func,
            graph,
            paths: complete,
            control: BTreeSet::new(),
            controls: BTreeSet::new(),
            data: BTreeSet::new(),
            potential: BTreeSet::new(),
        };
        this.find_control();
        this.find_data();
        this.find_potential();
        this
    }

    fn nodes(&self) -> Vec<Point> {
        self.graph.points.keys().filter(|&it| self.graph.is_node(it)).collect()
    }

    fn sides(&self) -> Vec<Point> {
        self.nodes().into_iter().filter(|&it| !self.graph.sides_of(it).is_empty()).collect()
    }

    /// Whether a point writes a global or reads it, and which.
    fn access(&self, point: Point) -> Option<(bool, Operand)> {
        match self.graph.points[point].steps.first() {
            Some(FlowStep::Inst(inst)) => match self.func.insts[*inst] {
                Inst::Store { addr, .. } => Some((true, addr)),
                Inst::Load { addr, .. } => Some((false, addr)),
                _ => None,
            },
            _ => None,
        }
    }

    fn writes(&self, point: Point, global: Operand) -> bool {
        self.access(point) == Some((true, global))
    }

    fn is_written(&self, global: Operand) -> bool {
        let writes = |inst: &Inst| matches!(inst, Inst::Store { addr, .. } if *addr == global);
        self.func.insts.values().any(writes)
    }

    fn find_control(&mut self) {
        let block = |point: Point| self.graph.points[point].block;
        let follows = |side: Point, point: Point| {
            let through = self.paths.iter().filter_map(move |path| {
                let at = path.iter().position(|&it| it == side)?;
                Some(path[at + 1..].iter().any(|&it| block(it) == block(point)))
            });
            through.collect::<Vec<bool>>()
        };
        for side in self.sides() {
            for point in self.graph.points.keys().skip(1) {
                let others = self.graph.sides_of(side).iter().filter(|&&it| it != side);
                let can_avoid = others.clone().any(|&it| follows(it, point).contains(&false));
                if can_avoid && !follows(side, point).contains(&false) {
                    self.control.insert((point, side));
                }
            }
        }
        self.controls = self.control.clone();
        for _ in 0..self.graph.points.len() {
            let known = self.controls.clone();
            for &(point, side) in &known {
                let outer = known.iter().filter(|it| it.0 == side).map(|it| (point, it.1));
                self.controls.extend(outer);
            }
        }
    }

    fn find_data(&mut self) {
        for path in &self.paths {
            for (at, &point) in path.iter().enumerate() {
                // What nothing writes is constant.
                if let Some((false, global)) = self.access(point)
                    && self.is_written(global)
                {
                    let last = path[..at].iter().rev().find(|&&it| self.writes(it, global));
                    self.data.insert((point, last.copied().unwrap_or(FlowGraph::ENTRY)));
                }
            }
        }
        // Every branch is on the parameter.
        self.data.extend(self.sides().into_iter().map(|side| (side, FlowGraph::ENTRY)));
    }

    fn find_potential(&mut self) {
        let mut found = BTreeSet::new();
        for path in &self.paths {
            for (at, &side) in path.iter().enumerate() {
                let sides = self.graph.sides_of(side);
                for (later, &point) in path.iter().enumerate().skip(at + 1) {
                    let Some((false, global)) = self.access(point) else { continue };
                    let is_kept = !path[at..later].iter().any(|&it| self.writes(it, global));
                    let is_free = !sides.iter().any(|&it| self.control.contains(&(point, it)));
                    let could_change = sides.iter().filter(|&&it| it != side).any(|&other| {
                        let mut sources = self.data.iter().filter(|it| it.0 == point);
                        sources.any(|it| self.controls.contains(&(it.1, other)))
                    });
                    if is_kept && is_free && could_change {
                        found.insert((point, side));
                    }
                }
            }
        }
        self.potential = found;
    }

    /// Whether a point that is executed at `from` still has an influence at `to`.
    fn lasts(&self, path: &[Point], from: usize, to: usize) -> bool {
        let (point, between) = (path[from], &path[from + 1..to]);
        let keeps = |global| !between.iter().any(|&it| self.writes(it, global));
        match self.access(point) {
            Some((true, global)) => self.data.iter().any(|it| it.1 == point) && keeps(global),
            Some((false, _)) => false,
            None => {
                let controlled: Vec<_> = self.controls.iter().filter(|it| it.1 == point).collect();
                let is_inside = !controlled.is_empty()
                    && between.iter().all(|&it| {
                        let block = self.graph.points[it].block;
                        controlled.iter().any(|pair| self.graph.points[pair.0].block == block)
                    });
                let kept = self.potential.iter().filter(|it| it.1 == point);
                is_inside || kept.filter_map(|it| self.access(it.0)).any(|it| keeps(it.1))
            }
        }
    }

    fn interactive(&self) -> BTreeSet<(Point, Point)> {
        let all = self.control.iter().chain(&self.data).chain(&self.potential).copied();
        let is_inner = |it: &(Point, Point)| it.1 != FlowGraph::ENTRY && self.graph.is_node(it.0);
        let mut known: BTreeSet<_> = all.filter(is_inner).collect();
        let mut found = BTreeSet::new();
        loop {
            let before = found.len();
            for path in &self.paths {
                for third in 0..path.len() {
                    for second in 0..third {
                        for first in 0..second {
                            let (a, b, c) = (path[first], path[second], path[third]);
                            if known.contains(&(c, a))
                                && known.contains(&(c, b))
                                && self.lasts(path, first, third)
                                && self.lasts(path, second, third)
                            {
                                found.insert((b, a));
                                known.insert((b, a));
                            }
                        }
                    }
                }
            }
            if found.len() == before {
                return found;
            }
        }
    }
}

fn random_blocks() -> impl Strategy<Value = Vec<RandomBlock>> {
    let accesses = prop::collection::vec((any::<bool>(), 0..2usize), 0..3);
    prop::collection::vec((accesses, (0..4usize, 0..4usize)), 1..8)
}

proptest! {
    #[test]
    fn dependences_are_as_the_paper_defines_them(blocks in random_blocks()) {
        let module = text::parse(&program(&blocks)).expect("it parses");
        let id = module.func_by_name("main").expect("it is there");
        let dependences = dependences(&module);
        let found = dependences.function(id).expect("it is reached");
        let literal = Literal::new(&module.funcs[id], found.graph());
        let of_kind = |kind| -> BTreeSet<(Point, Point)> {
            let all = found.traditional().iter().filter(|it| it.1 == kind);
            all.map(|&(point, _, source)| (point, source)).collect()
        };
        let is_node = |it: &&(Point, Point)| found.graph().is_node(it.0);
        let control: BTreeSet<_> = literal.control.iter().filter(is_node).copied().collect();
        prop_assert_eq!(of_kind(DependenceKind::Control), control);
        prop_assert_eq!(of_kind(DependenceKind::Data), literal.data.clone());
        prop_assert_eq!(of_kind(DependenceKind::Potential), literal.potential.clone());
        prop_assert_eq!(found.interactive().expect("it is small"), literal.interactive());
    }
}

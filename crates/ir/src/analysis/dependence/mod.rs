//! The program dependences of dependence guided symbolic execution (Wang, Liu, Guan, Shen,
//! Yang, "Dependence guided symbolic execution"): what each statement depends on.
//!
//! | kind | a point depends on |
//! |---|---|
//! | [control](DependenceKind::Control) | the side of a branch that leads to it |
//! | [data](DependenceKind::Data) | the definition of a variable that it uses |
//! | [potential](DependenceKind::Potential) | the side of a branch that kept a variable which another side defines |
//! | [interactive](DependenceKind::Interactive) | an earlier point, if a later point depends on both |
//!
//! Variables are values, block parameters and memory, which the points-to analysis tells
//! apart. Calls connect functions: the start of a call is what the callee's statements depend
//! on, for its parameters and for memory as well; the end of a call depends on the callee's
//! results and writes. Within a function, a call reads and writes what its callees do. So every
//! dependence between two functions is one of single steps, and interactive dependence within
//! functions is enough.
//!
//! Two things are not followed: `longjmp`, and the order of inputs and outputs.
//!
//! | file | content |
//! |---|---|
//! | `flow.rs` | the points of a function: statements and edges |
//! | `control.rs`, `potential.rs`, `interactive.rs` | these dependences |
//! | `values.rs` | where values and block parameters come from |
//! | `definitions.rs` | definitions, uses, and which reach which: data dependence |
//! | `calls.rs` | dependences between functions |
//! | `lines.rs`, `print.rs` | dependences between source lines, as text and as a graph |

mod calls;
mod control;
mod definitions;
mod flow;
mod interactive;
mod lines;
mod point_set;
mod potential;
mod print;
mod values;

use std::collections::{BTreeMap, BTreeSet};

pub use calls::CallDependence;
pub use flow::{FlowGraph, FlowPoint, FlowStep, Point, PointKind};
pub use lines::{BranchSide, LineDependences, LineNode, LinePlace, LineSources};

use super::{Cfg, PointsTo, ProgramEffects};
use crate::{FuncId, Module};
use control::ControlDependence;
use definitions::DefUse;
use potential::Potential;
use values::Values;

/// Why a point depends on another one.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DependenceKind {
    /// It is executed because of it.
    Control,
    /// It uses what is defined there.
    Data,
    /// It uses a variable that would be defined anew on another side of the branch.
    Potential,
    /// A later point depends on both.
    Interactive,
}

/// The dependences within a function.
pub struct FunctionDependences {
    graph: FlowGraph,
    control: ControlDependence,
    def_use: DefUse,
    potential: Potential,
    /// Control, data and potential dependences, as point, kind and source.
    traditional: BTreeSet<(Point, DependenceKind, Point)>,
}

/// The dependences of functions of a program.
pub struct Dependences {
    functions: BTreeMap<FuncId, FunctionDependences>,
    calls: Vec<CallDependence>,
}

/// The points that the searches for one kind of dependence in a function may visit, about two
/// seconds. A function that needs more gets no interactive dependences, and potential ones that
/// need not exist.
pub const MAX_VISITED_POINTS: u64 = 100_000_000;
/// The most ranges of one object that the effects of a call keep apart. Beyond that, a call
/// accesses the whole object.
const MAX_RANGES: usize = 8;

impl Dependences {
    /// Analyses those of `funcs` that have a body and that a call can reach. The module must
    /// verify.
    pub fn new(module: &Module, points_to: &PointsTo, funcs: &[FuncId]) -> Dependences {
        let effects = ProgramEffects::new(module, points_to, MAX_RANGES);
        let mut functions = BTreeMap::new();
        for &func in funcs {
            if points_to.is_reached(func) && !module.funcs[func].is_declaration() {
                let function = FunctionDependences::new(module, points_to, &effects, func);
                functions.insert(func, function);
            }
        }
        let calls = calls::between(&effects, &functions);
        Dependences { functions, calls }
    }

    /// The dependences within a function; `None` if it was not analysed.
    pub fn function(&self, func: FuncId) -> Option<&FunctionDependences> {
        self.functions.get(&func)
    }

    /// The dependences between functions.
    pub fn calls(&self) -> &[CallDependence] {
        &self.calls
    }
}

impl FunctionDependences {
    fn new(
        module: &Module,
        points_to: &PointsTo,
        effects: &ProgramEffects,
        func: FuncId,
    ) -> FunctionDependences {
        let body = &module.funcs[func];
        let cfg = Cfg::new(body);
        let graph = FlowGraph::new(module, points_to, func, &cfg);
        let surviving = effects.surviving_blocks(module, points_to, func, &cfg);
        let control = ControlDependence::new(body, &cfg, &surviving, &graph);
        let values = Values::new(module, body, &graph, &control, &cfg.dominators());
        let def_use = DefUse::new(module, points_to, effects, func, &cfg, &graph, &values);
        let potential = Potential::new(&graph, &control, &values, &def_use);
        let mut traditional = BTreeSet::new();
        for point in graph.points.keys().filter(|&it| graph.is_node(it)) {
            for &side in control.direct(&graph, point) {
                traditional.insert((point, DependenceKind::Control, side));
            }
        }
        for used in &def_use.uses {
            for &id in &used.definitions {
                let source = def_use.definitions[id].point;
                traditional.insert((used.point, DependenceKind::Data, source));
            }
        }
        let pairs = potential.pairs.iter();
        traditional.extend(pairs.map(|&(point, side)| (point, DependenceKind::Potential, side)));
        FunctionDependences { graph, control, def_use, potential, traditional }
    }

    /// The points of the function.
    pub fn graph(&self) -> &FlowGraph {
        &self.graph
    }

    /// The control, data and potential dependences: each a point, the kind, and the point that
    /// it depends on. Dependences on the entry are those on the call. A point that depends on
    /// itself is in a loop.
    pub fn traditional(&self) -> &BTreeSet<(Point, DependenceKind, Point)> {
        &self.traditional
    }

    /// Whether the search for potential dependences reached [`MAX_VISITED_POINTS`]: some of
    /// them may not exist.
    pub fn has_approximate_potential(&self) -> bool {
        self.potential.is_approximate
    }

    /// The interactive dependences, as pairs of a point and the one that it depends on; `None`
    /// if the search for them reaches [`MAX_VISITED_POINTS`].
    pub fn interactive(&self) -> Option<BTreeSet<(Point, Point)>> {
        let inner = self.traditional.iter().filter(|it| it.2 != FlowGraph::ENTRY);
        let pairs = inner.map(|&(point, _, source)| (point, source)).collect();
        let Self { graph, control, def_use, potential, .. } = self;
        interactive::interactive(graph, control, def_use, potential, &pairs)
    }
}

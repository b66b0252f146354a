//! The endings of a build: how it ends, and under which conditions.

use std::rc::Rc;

use byway_base::{ExprId, Fault, FaultIdentity, Outcome, SrcLoc};
use byway_expr::Model;
use byway_search::reducer::ConditionId;
use rustc_hash::FxHashMap;

/// What an ending looks like. Two pairs of endings with the same kinds show the same difference.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum EndingKind {
    /// Only the low byte of an exit code is passed on.
    Exit(u8),
    /// The exit code depends on more than the conditions.
    SymbolicExit(ExprId),
    Fault(FaultIdentity, Option<SrcLoc>),
}

impl EndingKind {
    /// The kind of a path's ending; `None` if it shows nothing about the program.
    pub fn of(outcome: &Outcome, exit_code: Option<ExprId>) -> Option<EndingKind> {
        match (outcome, exit_code) {
            (Outcome::Exit(_), Some(term)) => Some(EndingKind::SymbolicExit(term)),
            (Outcome::Exit(code), None) => Some(EndingKind::Exit(*code as u8)),
            (Outcome::Fault(fault), _) => Some(EndingKind::Fault(fault.identity(), place(fault))),
            _ => None,
        }
    }

    pub fn is_exit(&self) -> bool {
        !matches!(self, EndingKind::Fault(..))
    }

    pub fn is_symbolic(&self) -> bool {
        matches!(self, EndingKind::SymbolicExit(_))
    }

    /// Whether two builds that end so end alike.
    pub fn is_same(&self, other: &EndingKind) -> bool {
        match (self, other) {
            (EndingKind::Fault(own, _), EndingKind::Fault(other, _)) => own == other,
            _ => self == other,
        }
    }
}

fn place(fault: &Fault) -> Option<SrcLoc> {
    fault.culprit().and_then(|frame| frame.loc.clone())
}

/// How a build ends.
#[derive(Clone, Debug)]
pub struct Ending {
    pub kind: EndingKind,
    /// The number of its kind, among those of the build.
    pub kind_number: u32,
    /// The conditions that it depends on, in the order of demand.
    pub conditions: Rc<[ConditionId]>,
    /// Whether the conditions determine output that the change can affect.
    pub has_output: bool,
    /// An input that leads to it.
    pub witness: Model,
    /// Failures that prevented it though its conditions held.
    pub failures: Vec<Vec<ConditionId>>,
}

/// The endings of a build that are known.
#[derive(Default)]
pub struct BuildEndings {
    all: Vec<Ending>,
    numbers: FxHashMap<(Rc<[ConditionId]>, u32), usize>,
    kinds: FxHashMap<EndingKind, u32>,
    /// Exits by their conditions.
    exits: FxHashMap<Rc<[ConditionId]>, usize>,
}

impl BuildEndings {
    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn get(&self, number: usize) -> &Ending {
        &self.all[number]
    }

    /// Notes failures that prevent an ending.
    pub fn prevent(&mut self, number: usize, failure: Vec<ConditionId>) {
        self.all[number].failures.push(failure);
    }

    /// The number of an ending, which is added if it is new.
    pub fn add(
        &mut self,
        kind: EndingKind,
        conditions: Vec<ConditionId>,
        has_output: bool,
        witness: &Model,
    ) -> usize {
        let next = self.kinds.len() as u32;
        let kind_number = *self.kinds.entry(kind.clone()).or_insert(next);
        let conditions: Rc<[ConditionId]> = conditions.into();
        let next = self.all.len();
        let number = *self.numbers.entry((Rc::clone(&conditions), kind_number)).or_insert(next);
        if number == next {
            if kind.is_exit() {
                self.exits.insert(Rc::clone(&conditions), number);
            }
            let (witness, failures) = (witness.clone(), Vec::new());
            self.all.push(Ending { kind, kind_number, conditions, has_output, witness, failures });
        }
        number
    }

    /// The exit with exactly these conditions.
    pub fn exit_under(&self, conditions: &[ConditionId]) -> Option<usize> {
        self.exits.get(conditions).copied()
    }

    /// All endings, those with common first conditions beside each other.
    pub fn by_conditions(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.all.len()).collect();
        order.sort_by(|&a, &b| self.all[a].conditions.cmp(&self.all[b].conditions));
        order
    }
}

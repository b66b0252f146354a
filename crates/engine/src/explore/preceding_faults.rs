//! Targets behind faults.
//!
//! A path ends at its first fault, but a native run may continue: an overflow wraps around, an
//! uninitialised value is some number, a read out of bounds finds the neighbour. So a target to
//! which the control flow leads from such a fault is not unreachable, whatever else was explored.
//! [`PrecedingFaults`] collects where paths ended so, and finds the targets behind.

use byway_base::{Fault, FaultKind, NativeEffect, SrcLoc};
use byway_ir::analysis::{DistanceGraph, ProgramPoint};
use byway_ir::{Callee, Const, FuncId, Inst, Module, Origin, Symbol};
use rustc_hash::FxHashSet;

use super::metrics::points_at_fault;
use crate::intrinsic::Intrinsic;
use crate::program::Program;
use crate::state::State;
use crate::stop::CALL_OF_NULL;

/// Ends of paths that are kept before their targets are looked for.
const KEPT: usize = 1_024;

/// Functions that install a handler for a signal.
const HANDLER_FUNCTIONS: [&str; 6] =
    ["signal", "sigaction", "sigset", "bsd_signal", "sysv_signal", "__sysv_signal"];

/// A fault that ended a path before a target.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PrecedingFault {
    /// Its location in the user's code, if known.
    pub location: Option<SrcLoc>,
    /// Its kind.
    pub kind: FaultKind,
}

/// Where a native run continues behind a fault.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Continuation {
    Nowhere,
    /// Behind the fault, as the control flow leads.
    Behind,
    /// Anywhere: in a handler for its signal, or wherever a bad pointer leads.
    Anywhere,
}

/// The faults that ended paths, and the targets behind them.
#[derive(Default)]
pub(super) struct PrecedingFaults {
    /// The points of paths that ended since the last search for targets.
    ended: Vec<(Vec<ProgramPoint>, PrecedingFault)>,
    /// The points in `ended`.
    known: FxHashSet<Vec<ProgramPoint>>,
    /// The first fault found before each target.
    by_target: Vec<Option<PrecedingFault>>,
    /// Whether the user's code installs handlers for signals, once that is known.
    handles_signals: Option<bool>,
}

impl PrecedingFaults {
    /// For this number of targets.
    pub fn new(targets: usize) -> PrecedingFaults {
        PrecedingFaults { by_target: vec![None; targets], ..PrecedingFaults::default() }
    }

    /// A path ended with a fault; `passed` are the targets for faults whose points it got to.
    pub fn add(
        &mut self,
        program: &Program,
        state: &State,
        fault: &Fault,
        passed: impl Iterator<Item = u32>,
    ) {
        let points = points_at_fault(program, state);
        let continuation = self.continuation(program.module, points.first(), fault);
        if continuation == Continuation::Nowhere {
            return;
        }
        let location = fault.culprit().and_then(|frame| frame.loc.clone());
        let fault = PrecedingFault { location, kind: fault.kind };
        for target in passed {
            self.by_target[target as usize].get_or_insert_with(|| fault.clone());
        }
        if continuation == Continuation::Anywhere {
            self.by_target.iter_mut().for_each(|it| _ = it.get_or_insert_with(|| fault.clone()));
        } else if self.known.insert(points.clone()) {
            self.ended.push((points, fault));
        }
    }

    /// Whether so many ends were added that the targets behind them should be looked for.
    pub fn is_full(&self) -> bool {
        self.ended.len() >= KEPT
    }

    /// Finds the targets behind the ends that were added.
    pub fn find(&mut self, graph: &DistanceGraph, targets: &[Vec<ProgramPoint>]) {
        let mut reachable = graph.reachable();
        self.known.clear();
        for (points, fault) in self.ended.drain(..) {
            reachable.add(points);
            for (found, target) in self.by_target.iter_mut().zip(targets) {
                if found.is_none() && target.iter().any(|&point| reachable.contains(point)) {
                    *found = Some(fault.clone());
                }
            }
        }
    }

    /// The fault before each target, of those that were looked for.
    pub fn take(&mut self) -> Vec<Option<PrecedingFault>> {
        std::mem::take(&mut self.by_target)
    }

    fn continuation(
        &mut self,
        module: &Module,
        at: Option<&ProgramPoint>,
        fault: &Fault,
    ) -> Continuation {
        let effect = match at {
            // The check of a sanitizer: without it, nothing happens at all.
            Some(&at) if is_sanitizer_report(module, at) => NativeEffect::MayContinue,
            _ if fault.message == CALL_OF_NULL => NativeEffect::Signals,
            _ => fault.kind.native_effect(),
        };
        match effect {
            NativeEffect::Ends => Continuation::Nowhere,
            NativeEffect::Signals => {
                match *self.handles_signals.get_or_insert_with(|| handles_signals(module)) {
                    true => Continuation::Anywhere,
                    false => Continuation::Nowhere,
                }
            }
            NativeEffect::MayContinue => match fault.kind {
                FaultKind::BadFunctionPointer | FaultKind::BadJump => Continuation::Anywhere,
                _ => Continuation::Behind,
            },
        }
    }
}

fn is_sanitizer_report(module: &Module, at: ProgramPoint) -> bool {
    let func = &module.funcs[at.func];
    match func.blocks[at.block].inst_ids().nth(at.inst as usize).map(|inst| &func.insts[inst]) {
        Some(Inst::Call { callee: Callee::Direct(callee), .. }) => {
            let handler = Intrinsic::by_name(&module.funcs[*callee].name);
            matches!(handler, Some(Intrinsic::Ubsan(_)))
        }
        _ => false,
    }
}

/// Whether the user's code calls a function that installs a handler, or takes its address.
fn handles_signals(module: &Module) -> bool {
    let installs = |func: FuncId| HANDLER_FUNCTIONS.contains(&module.funcs[func].name.as_str());
    let users = module.funcs.values().filter(|func| func.origin == Origin::User);
    users.into_iter().any(|func| {
        let is_call = |inst: &Inst| {
            matches!(inst, Inst::Call { callee: Callee::Direct(callee), .. } if installs(*callee))
        };
        let is_address = |it: &Const| {
            matches!(it, Const::Address { symbol: Symbol::Func(func), .. } if installs(*func))
        };
        func.insts.values().any(is_call) || func.consts.values().any(is_address)
    })
}

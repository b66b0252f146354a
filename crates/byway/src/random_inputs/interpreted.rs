//! Runs random inputs concretely on the engine: for programs that cannot run natively, such as
//! functions with unconstrained parameters.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use byway_base::{Fault, FaultIdentity, Outcome, SrcLoc};
use byway_engine::{ConcreteRun, ConcreteRuns, ExploreConfig, HostFiles};
use byway_ir::Module;
use byway_native::inputs::InputBatch;

use super::{BackendResult, InputBackend, NovelExecution};

/// The most instructions of a run.
const LONGEST_RUN: u64 = 1_000_000;

/// Inputs between two looks at whether to go on.
const BETWEEN_LOOKS: usize = 64;

/// Runs inputs on the engine.
pub struct InterpretedBackend<'m> {
    runs: ConcreteRuns<'m>,
    files: Option<&'m Mutex<dyn HostFiles + Send + 'm>>,
    faults: HashSet<LocatedFault>,
}

/// What makes two faults the same.
type LocatedFault = (FaultIdentity, Option<SrcLoc>);

impl<'m> InterpretedBackend<'m> {
    /// Lays out a program for concrete runs. The error is one sentence.
    pub fn new(
        module: &'m Module,
        config: &ExploreConfig,
        files: Option<&'m Mutex<dyn HostFiles + Send + 'm>>,
    ) -> Result<InterpretedBackend<'m>, String> {
        let call = config.invocation.clone();
        let runs = ConcreteRuns::new(module, &config.engine, call, LONGEST_RUN)?;
        Ok(InterpretedBackend { runs, files, faults: HashSet::new() })
    }
}

impl InputBackend for InterpretedBackend<'_> {
    fn run(
        &mut self,
        batch: &InputBatch,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<BackendResult, String> {
        let mut result = BackendResult::default();
        let mut started = 0;
        let mut files =
            self.files.map(|files| files.lock().unwrap_or_else(PoisonError::into_inner));
        let files = files.as_mut().map(|files| &mut **files as &mut dyn HostFiles);
        self.runs.run(files, |last| {
            if let Some(run) = last {
                add(&mut result, run, &mut self.faults);
            }
            let is_stopped = started % BETWEEN_LOOKS == 0 && !goes_on();
            if started == batch.len() || is_stopped {
                return None;
            }
            started += 1;
            Some(batch.input(started - 1).to_vec())
        })?;
        result.executed.executions = self.runs.take_executions();
        Ok(result)
    }
}

fn add(result: &mut BackendResult, run: ConcreteRun, faults: &mut HashSet<LocatedFault>) {
    let ConcreteRun { outcome, instructions, inputs, new_sites } = run;
    result.executed.runs += 1;
    result.executed.cost += instructions;
    let consumed = inputs.iter().map(|input| input.bytes.len()).sum();
    result.consumed = result.consumed.max(consumed);
    let is_new_fault = match &outcome {
        Outcome::Fault(fault) => faults.insert(identity(fault)),
        _ => false,
    };
    // An input that an assumption excludes has no path, whatever it reached before.
    if outcome != Outcome::Excluded && (is_new_fault || !new_sites.is_empty()) {
        result.novel.push(NovelExecution { inputs, sites: new_sites, is_new_fault });
    }
}

fn identity(fault: &Fault) -> LocatedFault {
    (fault.identity(), fault.culprit().and_then(|frame| frame.loc.clone()))
}

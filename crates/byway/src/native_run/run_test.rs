//! The tests of a run: selection, recorded outcome, decoded input.

use std::collections::{BTreeMap, BTreeSet};

use std::time::Duration;

use byway_base::TestCase;
use byway_native::NativeJob;
use byway_rundir::{OutcomeRecord, RunReader};
use byway_testcase::ktest;
use byway_testcase::symbolic::ProgramInput;

use crate::failure::{Failure, Result, reason};

/// A test of a run, with the recorded outcome of its path.
pub struct RunTest {
    /// The number of the path.
    pub number: u64,
    /// The file name.
    pub name: String,
    /// The outcome of the path; `None` if the run was killed before it was recorded.
    pub outcome: Option<OutcomeRecord>,
    /// The fault occurred in the C library, called from the reported line.
    pub in_library: bool,
    /// The number of instructions that the path executed.
    pub instructions: Option<u64>,
}

/// The instruction limit for a test without a record, and the margin for a path that ended.
const LEEWAY: u64 = 10_000_000;

impl RunTest {
    /// Whether the path ended by itself: no limit, interrupt or end of the run truncated it.
    pub fn has_ended(&self) -> bool {
        self.outcome.as_ref().is_some_and(|outcome| !outcome.is_truncated())
    }

    /// The instruction limit for a rerun: exactly the length of the path if it was truncated,
    /// since it may never end; with a margin if it ended.
    pub fn instruction_limit(&self) -> u64 {
        match (self.instructions, self.has_ended()) {
            (Some(taken), false) => taken,
            _ => self.limit_to_end(),
        }
    }

    /// The instruction limit for a rerun that shall end, if it can, also of a truncated path.
    pub fn limit_to_end(&self) -> u64 {
        self.instructions.unwrap_or(0).saturating_mul(2).saturating_add(LEEWAY)
    }
}

/// A test read from its file and decoded, ready for native runs.
pub struct LoadedTest {
    /// The inputs as stored.
    pub inputs: TestCase,
    bytes: Vec<u8>,
    env: Vec<Vec<u8>>,
    /// The inputs decoded.
    pub input: ProgramInput,
}

impl LoadedTest {
    /// Reads a test of a run. `env` is the environment beside the test's own variables.
    pub fn read(
        run: &RunReader,
        name: &str,
        env: &[Vec<u8>],
    ) -> std::result::Result<LoadedTest, String> {
        let bytes = run.read_test(name).map_err(|error| reason(&error))?;
        let inputs = ktest::decode(&bytes).map_err(|error| error.to_string())?;
        let input = ProgramInput::from_test(&inputs)?;
        let variables = input.variables.iter();
        let variables = variables.map(|(name, value)| [name, b"=".as_slice(), value].concat());
        let env = env.iter().cloned().chain(variables).collect();
        Ok(LoadedTest { inputs, bytes, env, input })
    }

    /// A native run of the test with this time limit.
    pub fn job(&self, time_limit: Duration) -> NativeJob<'_> {
        NativeJob {
            test: &self.bytes,
            consumed_inputs: self.input.consumed_inputs,
            args: &self.input.arguments,
            env: &self.env,
            stdin: self.input.stdin.as_deref().unwrap_or_default(),
            files: &self.input.files,
            time_limit,
        }
    }
}

/// The tests of a run in ascending order; only those in `numbers` if given.
pub fn select_tests(run: &RunReader, numbers: Option<&[u64]>) -> Result<Vec<RunTest>> {
    let in_library: BTreeMap<u64, bool> = run
        .faults()?
        .iter()
        .map(|fault| (fault.id, fault.stack.first().is_some_and(|frame| !frame.user)))
        .collect();
    let mut tests = BTreeMap::new();
    for record in run.paths()? {
        let record = record?;
        let Some(name) = record.test else { continue };
        let in_library = match record.outcome {
            OutcomeRecord::Fault { id, .. } => in_library.get(&id).copied().unwrap_or(false),
            _ => false,
        };
        let (number, instructions) = (record.path, Some(record.instructions));
        let outcome = Some(record.outcome);
        tests.insert(number, RunTest { number, name, outcome, in_library, instructions });
    }
    for (number, name) in run.test_names()? {
        let unrecorded =
            || RunTest { number, name, outcome: None, in_library: false, instructions: None };
        tests.entry(number).or_insert_with(unrecorded);
    }
    if let Some(numbers) = numbers {
        let numbers: BTreeSet<u64> = numbers.iter().copied().collect();
        if let Some(missing) = numbers.iter().find(|number| !tests.contains_key(number)) {
            let shown = run.dir().display();
            return Err(Failure::new(format!("'{shown}' has no test {missing}")));
        }
        tests.retain(|number, _| numbers.contains(number));
    }
    Ok(tests.into_values().collect())
}

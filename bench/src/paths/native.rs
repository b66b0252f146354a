//! The native behaviour of a program on every input: the reference for
//! explorations.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use byway_base::{FaultKind, TestCase};

use super::generate::GeneratedProgram;
use crate::process::{self, ProcessStatus};
use crate::setup::{BenchSetup, WorkDir};
use crate::toolchain::Level;

/// All inputs of a program take less than a second; more means an endless loop.
const LIMIT: Duration = Duration::from_secs(60);

/// Bytes of a record, as the prelude has it.
const RECORD: usize = 16;

/// How a run ends.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum NativeEnd {
    /// By itself.
    Exit,
    /// An assumption did not hold.
    Excluded,
    /// This kind of fault in this line.
    Fault(FaultKind, u32),
}

impl std::fmt::Display for NativeEnd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NativeEnd::Exit => write!(f, "exit"),
            NativeEnd::Excluded => write!(f, "excluded"),
            NativeEnd::Fault(kind, line) => write!(f, "{kind}@{line}"),
        }
    }
}

/// The common properties of all inputs that follow one path.
pub type PathClass = (u64, NativeEnd);

/// The behaviour on one input.
#[derive(Clone, Debug)]
pub struct NativeExecution {
    /// The path and its outcome.
    pub class: PathClass,
    /// The exit code.
    pub code: u8,
}

/// The behaviour on every input, indexed by the number its bytes encode.
pub struct NativeTruth {
    runs: Vec<NativeExecution>,
}

impl NativeTruth {
    /// Compiles a program natively and tries every input. The error says why the
    /// program is no test.
    pub fn find(
        setup: &BenchSetup,
        program: &GeneratedProgram,
        source: &Path,
        at: &WorkDir,
    ) -> Result<Self, String> {
        let (bitcode, native) = (at.file("native.bc"), at.file("native"));
        let flags = ["-DNATIVE", "-fno-strict-aliasing", "-fwrapv"].map(str::to_owned);
        setup.toolchain.bitcode(source, Level::O0, &flags, &bitcode)?;
        setup.toolchain.executable(&bitcode, Level::O0, &native)?;
        let mut command = Command::new(&native);
        command.arg(program.input_bytes.to_string());
        let ended = process::run(&mut command, b"", LIMIT)?;
        if ended.status != ProcessStatus::Code(0) {
            return Err(format!("natively: {}", ended.status));
        }
        let runs = ended.stdout.chunks_exact(RECORD).map(run).collect::<Option<Vec<_>>>();
        let runs = runs.ok_or("natively: a record of no kind")?;
        match runs.len() == 1 << (8 * program.input_bytes) {
            true => Ok(NativeTruth { runs }),
            false => Err(format!("natively: {} records", runs.len())),
        }
    }

    /// As if these runs had been seen.
    #[cfg(test)]
    pub fn of_runs(runs: Vec<NativeExecution>) -> Self {
        NativeTruth { runs }
    }

    /// The paths there are, each with an input that takes it.
    pub fn classes(&self) -> BTreeMap<&PathClass, usize> {
        let mut classes = BTreeMap::new();
        for (input, run) in self.runs.iter().enumerate() {
            if run.class.1 != NativeEnd::Excluded {
                classes.entry(&run.class).or_insert(input);
            }
        }
        classes
    }

    /// The faults there are.
    pub fn faults(&self) -> BTreeSet<&NativeEnd> {
        let ends = self.runs.iter().map(|run| &run.class.1);
        ends.filter(|end| matches!(end, NativeEnd::Fault(..))).collect()
    }

    /// The behaviour on the input of a test.
    pub fn of(&self, test: &TestCase) -> Option<&NativeExecution> {
        let bytes = test.inputs.iter().flat_map(|input| &input.bytes);
        let number = bytes.rev().fold(0, |number, byte| number << 8 | usize::from(*byte));
        self.runs.get(number)
    }
}

fn run(record: &[u8]) -> Option<NativeExecution> {
    let trace = u64::from_le_bytes(record.get(..8)?.try_into().ok()?);
    let line = u32::from_le_bytes(record.get(8..12)?.try_into().ok()?);
    let end = match usize::from(*record.get(12)?) {
        0 => NativeEnd::Exit,
        1 => NativeEnd::Excluded,
        kind => NativeEnd::Fault(*FaultKind::ALL.get(kind - 2)?, line),
    };
    Some(NativeExecution { class: (trace, end), code: *record.get(13)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use byway_base::Input;

    #[test]
    fn records_are_read() {
        let mut record = [0; RECORD];
        record[0] = 5;
        record[13] = 7;
        let exit = run(&record).expect("sound");
        assert_eq!((exit.class, exit.code), ((5, NativeEnd::Exit), 7));
        record[8] = 99;
        record[12] = 2 + FaultKind::AssertFailed as u8;
        let fault = run(&record).expect("sound").class.1;
        assert_eq!(fault.to_string(), "assert@99");
        record[12] = 255;
        assert!(run(&record).is_none());
    }

    #[test]
    fn tests_are_looked_up_by_their_bytes() {
        let run = |code| NativeExecution { class: (0, NativeEnd::Exit), code };
        let truth = NativeTruth::of_runs((0..=u16::MAX).map(|n| run((n >> 8) as u8)).collect());
        let input = Input { name: "in".to_owned(), bytes: vec![3, 200] };
        let test = TestCase { args: vec![], inputs: vec![input] };
        assert_eq!(truth.of(&test).map(|run| run.code), Some(200));
        assert_eq!(truth.classes().len(), 1);
    }
}

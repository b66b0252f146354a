//! The check of one program with given bounds.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use byway_testcase::symbolic::{ProgramInput, SymbolicInputSpec};

use super::inputs;
use super::native::{Behaviour, NotedProgram};
use crate::explore::found_paths::FoundPaths;
use crate::process::{self, ProcessStatus};
use crate::setup::BenchSetup;

/// Generous: an exploration takes a second, but the machine may be busy.
const LIMIT: Duration = Duration::from_secs(300);

/// How programs are explored: as unlike each other as can be.
const MODES: [[&str; 2]; 2] =
    [["--search=dfs", "--feasibility=eager"], ["--search=random-path", "--feasibility=lazy"]];

/// A program and its bounds.
pub struct SymCheck {
    /// Its name in `bench/sym`.
    pub program: &'static str,
    /// The options that make inputs symbolic.
    pub words: &'static str,
    /// The bytes that brute force tries; all if empty.
    alphabet: &'static [u8],
    /// Whether it forks only at recorded decisions, so that each behaviour is one path.
    once: bool,
}

/// All of them: each program with all bytes, and with larger bounds over a few.
pub const CHECKS: [SymCheck; 7] = [
    SymCheck { program: "options", words: "--sym-args 0 1 2", alphabet: b"", once: false },
    SymCheck {
        program: "options",
        words: "--sym-args 0 2 2",
        alphabet: b"-ab01onx\xff",
        once: false,
    },
    SymCheck { program: "options", words: "--sym-args 0 2 3", alphabet: b"-ab01on", once: false },
    SymCheck {
        program: "records",
        words: "--sym-arg 1 --sym-files 1 1 --sym-sizes",
        alphabet: b"",
        once: false,
    },
    SymCheck {
        program: "records",
        words: "A --sym-files 1 4 --sym-sizes",
        alphabet: b"\n:x\0",
        once: true,
    },
    SymCheck {
        program: "filter",
        words: "--sym-env MODE 1 --sym-stdin 1 --sym-sizes",
        alphabet: b"",
        once: true,
    },
    SymCheck {
        program: "filter",
        words: "--sym-env MODE 2 --sym-stdin 3 --sym-sizes",
        alphabet: b"us qQ\0",
        once: true,
    },
];

/// The result of a check.
pub struct SymCounts {
    /// Inputs that brute force tried.
    pub inputs: usize,
    /// Behaviours that it found.
    pub behaviours: usize,
    /// Tests of the first exploration.
    pub tests: usize,
    /// Whatever is not as it should be.
    pub defects: Vec<String>,
}

impl SymCheck {
    /// The name in reports and for `--only`.
    pub fn name(&self) -> String {
        format!("{} ({})", self.program, self.alphabet_name())
    }

    /// Which bytes brute force tries, in words.
    pub fn alphabet_name(&self) -> String {
        match self.alphabet.len() {
            0 => "all".into(),
            some => some.to_string(),
        }
    }

    /// Runs the whole check; fails if a step cannot be carried out.
    pub fn run(&self, setup: &BenchSetup) -> Result<SymCounts, String> {
        let folder = setup.folder(&self.name())?;
        let source = setup.root.join("bench/sym").join(format!("{}.c", self.program));
        let program = NotedProgram::new(setup, &source, &folder)?;
        let words: Vec<Vec<u8>> =
            self.words.split(' ').map(|word| word.as_bytes().to_vec()).collect();
        let every: Vec<u8> = (0..=u8::MAX).collect();
        let alphabet = if self.alphabet.is_empty() { &every } else { self.alphabet };
        let inputs = inputs::all(&SymbolicInputSpec::parse(&words)?, alphabet)?;
        let truth: BTreeMap<Behaviour, &ProgramInput> =
            program.run(&inputs)?.into_iter().zip(&inputs).collect();
        let mut outcome = SymCounts {
            inputs: inputs.len(),
            behaviours: truth.len(),
            tests: 0,
            defects: Vec::new(),
        };
        for (index, mode) in MODES.iter().enumerate() {
            let found = self.explore(setup, &source, &folder.file(&index.to_string()), mode)?;
            if index == 0 {
                outcome.tests = found.predictions.len();
            }
            let mut defects = self.judge(&program, &truth, &found)?;
            defects.iter_mut().for_each(|it| *it = format!("{}: {it}", mode.join(" ")));
            outcome.defects.append(&mut defects);
        }
        Ok(outcome)
    }

    fn explore(
        &self,
        setup: &BenchSetup,
        source: &Path,
        out: &Path,
        mode: &[&str],
    ) -> Result<FoundPaths, String> {
        let mut command = setup.byway();
        command.args(["run", "--color=never", "--output-dir"]).arg(out).args(mode);
        command.arg(source).arg("--").args(self.words.split(' '));
        let ended = process::run(&mut command, b"", LIMIT)?;
        match ended.status {
            ProcessStatus::Code(0) => FoundPaths::read(out),
            status => Err(format!("{status}: {}", ended.stderr_text().trim())),
        }
    }

    /// Compares the behaviours that the tests show with those of brute force.
    fn judge(
        &self,
        program: &NotedProgram<'_>,
        truth: &BTreeMap<Behaviour, &ProgramInput>,
        found: &FoundPaths,
    ) -> Result<Vec<String>, String> {
        let mut defects = Vec::new();
        let lost: Vec<String> =
            found.lost.iter().map(|(what, how)| format!("{what}: {how}")).collect();
        if !lost.is_empty() {
            defects.push(format!("something was lost: {}", lost.join(", ")));
        }
        let inputs: Vec<ProgramInput> = found
            .predictions
            .iter()
            .map(|prediction| ProgramInput::from_test(&prediction.test))
            .collect::<Result<_, _>>()?;
        let shown = program.run(&inputs)?;
        for (behaviour, prediction) in shown.iter().zip(&found.predictions) {
            if prediction.code != Some(behaviour.code) {
                defects.push(format!(
                    "a test is said to end with {:?}, but does {behaviour}",
                    prediction.code
                ));
            }
        }
        let distinct: BTreeSet<&Behaviour> = shown.iter().collect();
        let missing: Vec<_> = truth.iter().filter(|(it, _)| !distinct.contains(it)).collect();
        if let Some((behaviour, input)) = missing.first() {
            defects.push(format!(
                "{} behaviours without a test, such as {behaviour} by {input:?}",
                missing.len()
            ));
        }
        if let Some(other) = distinct.iter().find(|it| !truth.contains_key(it)) {
            defects.push(format!("a behaviour that brute force does not find: {other}"));
        }
        if self.once && shown.len() != distinct.len() {
            defects.push(format!("{} tests for {} behaviours", shown.len(), distinct.len()));
        }
        Ok(defects)
    }

    /// A command that reproduces a defect.
    pub fn reproduce(&self) -> String {
        format!("byway run bench/sym/{}.c -- {}", self.program, self.words)
    }
}

//! What a run that ended early goes on with: its paths, faults and sums, and its states.

use std::collections::BTreeMap;

use crate::CHECKPOINT;
use crate::checkpoint::{CheckpointLog, SavedStates};
use crate::error::Result;
use crate::reader::RunReader;
use crate::record::{FaultRecord, LearntRecord, OutcomeRecord, SampleRecord};

/// A run so far.
#[derive(Default)]
pub struct RunSoFar {
    /// The paths that ended: the digest of each, and whether it is truncated.
    pub paths: Vec<(u64, bool)>,
    /// The coverage sites that tests cover, each with the number of the first path that does.
    pub covered: Vec<(u32, u64)>,
    /// The highest number of a path or a test.
    pub last_path: u64,
    /// Tests that a path names.
    pub tests: u64,
    /// Tests that no path names: the run was killed before it wrote the path, which ends again.
    pub unnamed_tests: Vec<(u64, String)>,
    /// Paths by outcome kind.
    pub outcomes: BTreeMap<String, u64>,
    /// The faults, in the order they were found.
    pub faults: Vec<FaultRecord>,
    /// How many paths have each fault, by its number.
    pub fault_counts: BTreeMap<u64, u64>,
    /// Sittings so far.
    pub sittings: u64,
    /// The last statistics. Their sums may be a little older than the paths.
    pub last: Option<SampleRecord>,
    /// What searchers and pruners have learnt, by worker.
    pub learnt: Vec<LearntRecord>,
    /// It cannot be read. The run goes on without.
    pub is_knowledge_damaged: bool,
    /// The states to go on with; `None` if there is no checkpoint.
    pub states: Option<SavedStates>,
}

impl RunSoFar {
    /// Reads a run.
    pub fn read(run: &RunReader) -> Result<RunSoFar> {
        let states = CheckpointLog::read(&run.dir().join(CHECKPOINT))?;
        let (learnt, is_knowledge_damaged) = match run.learnt() {
            Ok(learnt) => (learnt, false),
            Err(_) => (Vec::new(), true),
        };
        let all = RunSoFar::read_without_states(run)?;
        Ok(RunSoFar { states, learnt, is_knowledge_damaged, ..all })
    }

    /// Reads a run that goes on at the program's start, whatever states it has left and whatever
    /// its searchers have learnt.
    pub fn read_without_states(run: &RunReader) -> Result<RunSoFar> {
        let mut all = RunSoFar {
            last: run.clock()?.last,
            sittings: run.sittings()?.len() as u64 + 1,
            ..RunSoFar::default()
        };
        let mut tests = run.test_names()?;
        all.last_path = tests.keys().next_back().copied().unwrap_or(0);
        for path in run.paths()? {
            let path = path?;
            all.paths.push((path.digest, path.outcome.is_truncated()));
            all.covered.extend(path.covers.iter().map(|&site| (site, path.path)));
            all.last_path = all.last_path.max(path.path);
            if path.test.is_some() {
                all.tests += 1;
                tests.remove(&path.path);
            }
            *all.outcomes.entry(path.outcome.name().to_string()).or_default() += 1;
            if let OutcomeRecord::Fault { id, .. } = path.outcome {
                *all.fault_counts.entry(id).or_default() += 1;
            }
        }
        // The path of the last fault may not have been written.
        let known = |fault: &FaultRecord| all.fault_counts.contains_key(&fault.id);
        all.faults = run.faults()?.into_iter().filter(known).collect();
        all.unnamed_tests = tests.into_iter().collect();
        Ok(all)
    }
}

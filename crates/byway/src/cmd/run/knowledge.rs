//! What searchers and pruners have learnt, in earlier sittings of a run and in earlier runs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use byway_engine::EarlierKnowledge;
use byway_rundir::{LearntRecord, RunManifest, RunReader, RunSoFar};
use byway_search::{Knowledge, KnowledgeOrigin, KnowledgeTable};

use crate::console;
use crate::failure::Result;

/// What the runs of `--learn-from` have learnt; says what they give.
pub fn of_runs(runs: &[PathBuf], now: &RunManifest) -> Result<Vec<EarlierKnowledge>> {
    runs.iter().map(|run| of_run(run, now)).collect()
}

fn of_run(run: &Path, now: &RunManifest) -> Result<EarlierKnowledge> {
    let reader = RunReader::open(run)?;
    let learnt = reader.learnt()?;
    let (origin, build) = match reader.manifest().program.digest == now.program.digest {
        true => (KnowledgeOrigin::SameBuild, "the same build"),
        false => (KnowledgeOrigin::OtherBuild, "another version of the program"),
    };
    let mut names: Vec<&str> = learnt.iter().map(|it| &it.name[..]).collect();
    names.sort_unstable();
    names.dedup();
    let learners = match names.is_empty() {
        true => "its tests alone".to_string(),
        false => format!("its tests; {}", names.join("; ")),
    };
    console::say(&format!(
        "byway: learning from '{}', a run of {build}: {learners}",
        run.display()
    ));
    Ok(EarlierKnowledge { worker: None, knowledge: Arc::new(knowledge(learnt, origin)) })
}

/// What the sittings before have learnt, for workers whose number may have changed. A run that
/// begins again from the program's start has new states.
pub fn of_sittings(before: &mut RunSoFar, jobs: usize) -> Vec<EarlierKnowledge> {
    if before.is_knowledge_damaged {
        console::say("byway: what the searchers have learnt is damaged; going on without");
    }
    let origin = match before.states {
        Some(_) => KnowledgeOrigin::ThisExploration,
        None => KnowledgeOrigin::SameBuild,
    };
    before.learnt.iter_mut().for_each(|record| record.job %= jobs as u64);
    let of_worker = |worker: usize| {
        let own = before.learnt.iter().filter(|record| record.job == worker as u64);
        let knowledge = Arc::new(knowledge(own.cloned().collect(), origin));
        EarlierKnowledge { worker: Some(worker), knowledge }
    };
    (0..jobs).map(of_worker).collect()
}

/// The records of what a worker has learnt.
pub fn records(worker: usize, learnt: Vec<KnowledgeTable>) -> Vec<LearntRecord> {
    let record = |KnowledgeTable { name, rows }| LearntRecord { job: worker as u64, name, rows };
    learnt.into_iter().map(record).collect()
}

fn knowledge(learnt: Vec<LearntRecord>, origin: KnowledgeOrigin) -> Knowledge {
    let table = |LearntRecord { name, rows, .. }| KnowledgeTable { name, rows };
    Knowledge { origin, tables: learnt.into_iter().map(table).collect() }
}

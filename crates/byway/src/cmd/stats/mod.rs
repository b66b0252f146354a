//! `byway stats`: the summary of a run, as text or JSON.

mod config;
mod flags;

use std::time::Duration;

use byway_rundir::{
    ByteString, ClockData, EndReason, FaultRecord, RunManifest, RunReader, RunSummary,
};
use serde::Serialize;

pub use config::StatsConfig;
pub use flags::{EXAMPLES, StatsFlags};

use crate::console::{Style, print};
use crate::exit;
use crate::failure::{Failure, Result};
use crate::report::{self, RunDetails};

/// What `byway stats --json` prints.
#[derive(Serialize)]
struct StatsJson<'a> {
    manifest: &'a RunManifest,
    summary: &'a RunSummary,
    faults: &'a [FaultRecord],
    clock: &'a ClockData,
}

/// Prints the summary; the exit code is always success.
pub fn stats(config: &StatsConfig) -> Result<u8> {
    let run = RunReader::open(&config.run)?;
    let summary = run.summary()?;
    let clock = run.clock()?;
    let faults = run.faults()?;
    let coverage = run.coverage()?;
    if config.json {
        let manifest = run.manifest();
        let all = StatsJson { manifest, summary: &summary, faults: &faults, clock: &clock };
        let text = serde_json::to_string_pretty(&all)
            .map_err(|error| Failure::new(format!("cannot serialise the results: {error}")))?;
        print(&format!("{text}\n"))?;
        return Ok(exit::SUCCESS);
    }
    if config.markov {
        let markov = summary.markov.as_ref().ok_or_else(|| {
            Failure::new(
                "the run has no Markov chain: no greedy searcher took part, or it was cut short",
            )
            .hint("explore with --search greedy")
        })?;
        print(&report::render_markov(markov))?;
        return Ok(exit::SUCCESS);
    }
    let facts = RunDetails {
        dir: run.dir(),
        program: Some(program(run.manifest())),
        coverage: coverage.as_ref(),
        faults: &faults,
        sampled: summary.ended != EndReason::CutShort || clock.last.is_some(),
        elapsed: clock.last.as_ref().map(|sample| Duration::from_millis(sample.elapsed_ms)),
        jobs: clock.last.as_ref().map_or(&[], |sample| &sample.jobs),
        process_memory: clock.last.as_ref().map(|sample| sample.max_process_memory),
        solver_ms: clock.last.as_ref().and_then(|sample| sample.solver_ms.as_ref()),
        shares: &summary.shares,
    };
    print(&report::render_run(&summary, &facts, Style::new(config.color)))?;
    if let Some(plan) = &run.manifest().campaign {
        let paths = summary.totals.path_count();
        print(&report::render_campaign(plan, &run.sittings()?, paths))?;
    }
    Ok(exit::SUCCESS)
}

/// The files of a program and its arguments, as they were typed.
fn program(manifest: &RunManifest) -> String {
    let shown = |text: &ByteString| report::visible(&String::from_utf8_lossy(text.bytes()));
    let program = &manifest.program;
    let mut words: Vec<String> = program.files.iter().map(|file| shown(&file.given)).collect();
    if program.args.len() > 1 {
        words.push("--".into());
        words.extend(program.args.iter().skip(1).map(shown));
    }
    words.join(" ")
}

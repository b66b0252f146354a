//! `--resume`: the options of the run that goes on, and whether it still can.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, path};

use byway_base::quantity::plural;
use byway_engine::ResumePoint;
use byway_rundir::{ByteString, CampaignRecord, RunManifest, RunReader, RunSoFar};

use crate::console;
use crate::failure::{Failure, Result};

/// A run that goes on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResumedCommand {
    /// Its directory, as an absolute path.
    pub run: PathBuf,
    /// The options that were given now.
    pub options: Vec<OsString>,
}

/// The words of a command line, and what they go on with.
pub struct CompletedLine {
    /// With the options that the run began with.
    pub words: Vec<OsString>,
    /// What the manifest of a new run records.
    pub command: Vec<OsString>,
    pub resume: Option<ResumedCommand>,
    /// The plan of the campaign that goes on.
    pub campaign: Option<CampaignRecord>,
}

/// Options that may be repeated: the values of a run of a campaign replace those before.
const REPEATED: [&str; 2] = ["--search", "--random-inputs"];

/// Options of a campaign as a whole, not of its runs.
const OF_CAMPAIGNS: [&str; 4] = ["--campaign", "--max-time", "--max-cpu", "--max-work"];

impl ResumedCommand {
    /// Whether an option was given now.
    pub fn gives(&self, option: &str) -> bool {
        value_of(option, &self.options).is_some()
    }
}

impl CompletedLine {
    /// Completes the words of a command line that goes on with a run: the options that it began
    /// with come first. Changes to the directory where that was.
    pub fn complete(mut words: Vec<OsString>) -> Result<CompletedLine> {
        if words.get(1).is_none_or(|command| command != "run") {
            return Ok(CompletedLine { words, command: Vec::new(), resume: None, campaign: None });
        }
        let (given, tail) = split_arguments(&words[2..]);
        let Some(run) = value_of("--resume", given) else {
            let mut options = given.to_vec();
            remove("--output-dir", &mut options);
            let command = options.iter().chain(tail).cloned().collect();
            return Ok(CompletedLine { words, command, resume: None, campaign: None });
        };
        let run = path::absolute(&run).map_err(|e| Failure::io("find", Path::new(&run), &e))?;
        let reader = RunReader::open(&run)?;
        let manifest = reader.manifest();
        if manifest.command.is_empty() {
            let message = format!("the run in '{}' cannot go on", run.display());
            return Err(Failure::new(message)
                .hint("'byway run' of this version did not make it: start a new run"));
        }
        if !tail.is_empty() {
            return Err(Failure::new("--resume takes no arguments for the program")
                .hint("the program has those it began with"));
        }
        let earlier: Vec<OsString> = manifest.command.iter().map(word).collect();
        let (earlier, tail) = split_arguments(&earlier);
        let (mut all, mut options) = (earlier.to_vec(), given.to_vec());
        remove("--resume", &mut options);
        if value_of("--search", &options).is_some() {
            remove("--search", &mut all);
        }
        // Its plan is in the manifest: the file may have changed.
        remove("--campaign", &mut all);
        all.extend(options.iter().cloned());
        let campaign = manifest.campaign.clone();
        let command = all.iter().chain(tail).cloned().collect();
        all.extend([OsString::from("--resume"), run.clone().into_os_string()]);
        words.truncate(2);
        words.extend(all.into_iter().chain(tail.iter().cloned()));
        let directory = PathBuf::from(word(&manifest.program.directory));
        env::set_current_dir(&directory)
            .map_err(|error| Failure::io("change to the directory", &directory, &error))?;
        let resume = Some(ResumedCommand { run, options });
        Ok(CompletedLine { words, command, resume, campaign })
    }

    /// The words after `byway run` for a run of a campaign with options of its own. They replace
    /// those that the campaign began with; options given now replace both.
    pub fn words_of_run(&self, own: &[String]) -> Vec<OsString> {
        let (options, tail) = split_arguments(&self.command);
        let given = self.resume.as_ref().map_or(0, |resumed| resumed.options.len());
        let (first, given) = options.split_at(options.len().saturating_sub(given));
        let (mut first, mut given) = (first.to_vec(), given.to_vec());
        for option in OF_CAMPAIGNS {
            remove(option, &mut first);
            remove(option, &mut given);
        }
        let own: Vec<OsString> = own.iter().map(OsString::from).collect();
        let mut words = first;
        for later in [own, given] {
            for option in REPEATED {
                if value_of(option, &later).is_some() {
                    remove(option, &mut words);
                }
            }
            words.extend(later);
        }
        words.extend_from_slice(tail);
        words
    }
}

fn word(text: &ByteString) -> OsString {
    OsString::from_vec(text.bytes().to_vec())
}

/// The options and files, and `--` with the arguments of the program.
fn split_arguments(words: &[OsString]) -> (&[OsString], &[OsString]) {
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    words.split_at(end)
}

/// The last value of an option.
fn value_of(option: &str, words: &[OsString]) -> Option<OsString> {
    let at = words.iter().rposition(|word| is_option(option, word))?;
    match after_equals(option, &words[at]) {
        Some(value) => Some(value.to_os_string()),
        None => words.get(at + 1).cloned(),
    }
}

/// Removes an option and its values.
fn remove(option: &str, words: &mut Vec<OsString>) {
    while let Some(at) = words.iter().position(|word| is_option(option, word)) {
        let count = if after_equals(option, &words[at]).is_some() { 1 } else { 2 };
        words.drain(at..words.len().min(at + count));
    }
}

fn is_option(option: &str, word: &OsStr) -> bool {
    word == option || after_equals(option, word).is_some()
}

fn after_equals<'a>(option: &str, word: &'a OsStr) -> Option<&'a OsStr> {
    let rest = word.as_bytes().strip_prefix(option.as_bytes())?;
    rest.strip_prefix(b"=").map(OsStr::from_bytes)
}

/// Reads what a run goes on with. An error if its program or options have changed.
pub fn read(run: &Path, now: &RunManifest) -> Result<RunSoFar> {
    let reader = RunReader::open(run)?;
    check_same(run, reader.manifest(), now)?;
    let before = RunSoFar::read(&reader)?;
    if before.states.is_none() && RunReader::has_ended(run) {
        return Err(no_states(run));
    }
    console::say(&format!("byway: {}", description(&before)));
    Ok(before)
}

/// The error for a run of which nothing is left.
pub fn no_states(run: &Path) -> Failure {
    Failure::new(format!("the run in '{}' has no states to go on with", run.display()))
        .hint("'byway stats' shows why it ended")
}

/// What a run goes on with.
pub fn description(before: &RunSoFar) -> String {
    let ended = plural(before.paths.len() as u64, "path");
    match &before.states {
        Some(states) if states.is_damaged => format!(
            "the last checkpoint is damaged; going on from the one before, with {} after {ended}",
            plural(states.states.len() as u64, "state")
        ),
        Some(states) => {
            format!("going on with {} after {ended}", plural(states.states.len() as u64, "state"))
        }
        None => format!(
            "there is no checkpoint: exploring from the program's start; {ended} are known already"
        ),
    }
}

/// What the engine goes on with.
pub fn point(before: &mut RunSoFar) -> Arc<ResumePoint> {
    let states = before.states.as_mut();
    let (shapes, states) = states.map_or((Vec::new(), None), |it| {
        (std::mem::take(&mut it.shapes), Some(std::mem::take(&mut it.states)))
    });
    Arc::new(ResumePoint {
        shapes,
        states,
        paths: std::mem::take(&mut before.paths),
        last_path: before.last_path,
        covered: std::mem::take(&mut before.covered),
    })
}

/// An error if the program or its options have changed.
pub fn check_same(run: &Path, began: &RunManifest, now: &RunManifest) -> Result<()> {
    let run = run.display();
    let refused = |what: &str, hint: &str| {
        Err(Failure::new(format!("the run in '{run}' cannot go on: {what}")).hint(hint))
    };
    if began.byway != now.byway {
        let hint = "use that version, or start a new run";
        return refused(&format!("byway {} made it", began.byway), hint);
    }
    if began.program.digest != now.program.digest {
        let hint = "start a new run; --seed-dir DIR/tests begins with the tests of the old one";
        return refused("its program has changed", hint);
    }
    let kept = fixed_part(began);
    if kept != fixed_part(now) {
        let hint = "limits, --search, --prune and -j may change; omit the other options";
        return refused("its options have changed", hint);
    }
    Ok(())
}

/// The part of a manifest that stays the same when a run goes on.
fn fixed_part(manifest: &RunManifest) -> RunManifest {
    let mut fixed = manifest.clone();
    fixed.command.clear();
    fixed.seed = 0;
    let config = &mut fixed.config;
    config.search.clear();
    config.jobs = 0;
    config.prune = None;
    config.random_inputs.clear();
    config.interpret_inputs = false;
    config.feasibility.clear();
    config.solver_check = false;
    config.unfinished_tests.clear();
    let limits = &mut config.limits;
    (limits.max_time_ms, limits.max_cpu_ms, limits.max_work) = (None, None, None);
    (limits.max_memory, limits.max_states, limits.max_depth) = (None, None, None);
    (limits.max_tests, limits.max_faults) = (None, None);
    (limits.max_solver_time_ms, limits.solver_effort) = (None, None);
    fixed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn options_are_found_and_removed() {
        let mut given = words("--resume a x.c --search=dfs --max-time 3s --search bfs");
        assert_eq!(value_of("--resume", &given), Some("a".into()));
        assert_eq!(value_of("--search", &given), Some("bfs".into()));
        assert_eq!(value_of("--max", &given), None);
        remove("--search", &mut given);
        assert_eq!(given, words("--resume a x.c --max-time 3s"));
        let mut last = words("x.c --resume");
        assert_eq!(value_of("--resume", &last), None);
        remove("--resume", &mut last);
        assert_eq!(last, words("x.c"));
    }

    #[test]
    fn a_new_run_records_its_words_without_the_directory() {
        let line = "byway run --output-dir d x.c --seed 3 -- -a --output-dir e";
        let complete = CompletedLine::complete(words(line)).expect("a new run");
        assert_eq!(complete.words, words(line));
        assert_eq!(complete.command, words("x.c --seed 3 -- -a --output-dir e"));
        assert_eq!(complete.resume, None);
        let other = CompletedLine::complete(words("byway stats --resume r")).expect("no run");
        assert!(other.command.is_empty() && other.resume.is_none());
    }

    #[test]
    fn a_run_of_a_campaign_replaces_options_of_the_command_line() {
        let text = "byway run --campaign c --max-time 9h --search bfs --jobs 2 a.c -- --search x";
        let mut line = CompletedLine::complete(words(text)).expect("a new run");
        let own = ["--search=dfs", "--max-time=3s"].map(String::from);
        let run = line.words_of_run(&own);
        assert_eq!(run, words("--jobs 2 a.c --search=dfs --max-time=3s -- --search x"));
        assert_eq!(line.words_of_run(&[]), words("--search bfs --jobs 2 a.c -- --search x"));
        let options = words("--max-time 1h --search random-path");
        line.command = words("--campaign=c --jobs 2 a.c --max-time 1h --search random-path");
        line.resume = Some(ResumedCommand { run: "r".into(), options });
        let expected = "--jobs 2 a.c --max-time=3s --search random-path";
        assert_eq!(line.words_of_run(&own), words(expected));
    }
}

//! The summary of a run, printed when it ends and by `byway stats`.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use byway_rundir::{
    BackwardCounts, CampaignCounts, CoverageRecord, EndReason, FaultCount, FaultRecord, JobRecord,
    LineRecord, LossesRecord, RandomCounts, ReductionCounts, RunReader, RunSummary, SharesRecord,
    TargetCounts, TotalsRecord,
};

use crate::console::Style;
use crate::report::snippet::{Sources, visible};
use crate::report::{differences, seeds, shares};
use byway_base::quantity::{grouped, percent, plural, size, time};
use byway_engine::UndecidedReason;

/// Data shown in addition to the summary's own numbers.
pub struct RunDetails<'a> {
    /// The directory of the run.
    pub dir: &'a Path,
    /// The program with its arguments; `None` when the user has just typed it.
    pub program: Option<String>,
    /// Coverage by file, if known.
    pub coverage: Option<&'a CoverageRecord>,
    /// The faults as they were first found.
    pub faults: &'a [FaultRecord],
    /// The totals are known. A run that was killed may not have written any.
    pub sampled: bool,
    /// The duration of the run, if known.
    pub elapsed: Option<Duration>,
    /// The largest resident size of the process in bytes.
    pub process_memory: Option<u64>,
    /// The solver's milliseconds by layer; `None` omits the row.
    pub solver_ms: Option<&'a BTreeMap<String, f64>>,
    /// The totals of each worker; empty for a single one.
    pub jobs: &'a [JobRecord],
    /// The searchers' shares of the work; empty omits the tables.
    pub shares: &'a [SharesRecord],
}

/// Renders a summary.
pub fn render_run(summary: &RunSummary, facts: &RunDetails, style: Style) -> String {
    let mut out = headline(summary, facts, style);
    for (name, value) in rows(summary, facts) {
        out += &format!("  {name:<13} {value}\n");
        match name {
            "faults" => out += &faults(&summary.faults, facts),
            "coverage" => out += &files(facts.coverage),
            "workers" => out += &jobs(facts.jobs),
            "searchers" => out += &shares::tables(facts.shares),
            "seeds" => out += &summary.seeds.as_ref().map_or(String::new(), seeds::reasons),
            _ => {}
        }
    }
    if let Some(record) = &summary.differences {
        out += &differences::render(record, facts.dir, style);
    }
    let lost = losses(summary);
    if !lost.is_empty() {
        out += &format!("  {}\n", style.warning("incomplete or imprecise:"));
        out += &lost.iter().map(|line| format!("    {line}\n")).collect::<String>();
    }
    out
}

fn headline(summary: &RunSummary, facts: &RunDetails, style: Style) -> String {
    let took = facts.elapsed.map_or(String::new(), |elapsed| format!(" after {}", time(elapsed)));
    let text = match (summary.ended, stop_cause(summary.ended)) {
        (_, Some(cause)) => format!("{}{took}: {cause}", style.warning("stopped")),
        (EndReason::CutShort, None) => format!(
            "{}: the run was killed, could not write, or is still running; results so far",
            style.warning("incomplete")
        ),
        (_, None) if summary.complete && summary.totals.targets.is_some() => {
            format!("explored every path to a target{took}")
        }
        (_, None) if summary.complete => format!("explored completely{took}"),
        (_, None) => format!("done{took}, but the exploration is incomplete: see below"),
    };
    format!("byway: {text}\n")
}

/// Why a run stopped before nothing was left.
fn stop_cause(ended: EndReason) -> Option<&'static str> {
    match ended {
        EndReason::MaxWork => Some("reached the work limit (--max-work)"),
        EndReason::MaxInstructions => {
            Some("reached the limit on instructions (--max-instructions)")
        }
        EndReason::Seeds => Some("followed the seeds (--only-seeds)"),
        EndReason::MaxTime => Some("reached the time limit (--max-time)"),
        EndReason::MaxCpu => Some("reached the processor time limit (--max-cpu)"),
        EndReason::MaxTests => Some("wrote the requested number of tests (--max-tests)"),
        EndReason::MaxFaults => Some("found the requested number of faults (--max-faults)"),
        EndReason::Targets => Some("all targets reached"),
        EndReason::Interrupted => Some("interrupted"),
        EndReason::WriteFailed => Some("cannot write the results"),
        EndReason::Done | EndReason::CutShort => None,
    }
}

/// What made a run incomplete, in one line.
pub fn render_incomplete(summary: &RunSummary) -> String {
    format!("byway: incomplete: {}\n", incomplete_causes(summary).join("; "))
}

/// What made a run incomplete: why it stopped, then what was lost.
pub fn incomplete_causes(summary: &RunSummary) -> Vec<String> {
    let cause = stop_cause(summary.ended).map(str::to_string);
    cause.into_iter().chain(losses(summary)).collect()
}

/// The value of a row whose total is unknown.
const NO_TOTALS: &str = "unknown: the run wrote no statistics";

fn rows(summary: &RunSummary, facts: &RunDetails) -> Vec<(&'static str, String)> {
    let totals = &summary.totals;
    // Over a shorter time the rate means nothing.
    let rate = facts.elapsed.map(|elapsed| elapsed.as_secs_f64()).filter(|s| *s >= 0.1);
    let rate = rate.map_or(String::new(), |seconds| {
        format!(" ({:.1} million/s)", totals.instructions as f64 / seconds / 1e6)
    });
    let followed = match totals.followed {
        0 => String::new(),
        count => format!("; {} of them replayed an input up to its branch", grouped(count)),
    };
    let paths = breakdown(totals.paths.iter().map(|(kind, &count)| (kind.as_str(), count)));
    let process = facts
        .process_memory
        .map_or(String::new(), |bytes| format!("; the process took at most {}", size(bytes)));
    let coverage = totals.coverage;
    let part = |covered: u32, all: u32, what: &str| {
        let percent = percent(covered.into(), all.into());
        format!("{} of {} {what} ({percent})", grouped(covered.into()), grouped(all.into()))
    };
    let branches = match coverage.branches_total {
        0 => String::new(),
        all => format!(", {}", part(coverage.branches, all, "branch sides")),
    };
    let known = |text: String| if facts.sampled { text } else { NO_TOTALS.to_string() };
    let instructions = match facts.sampled {
        true => format!("{}{rate}{followed}", grouped(totals.instructions)),
        false => {
            format!(
                "{} on these paths, each counted from the program's start",
                grouped(totals.instructions)
            )
        }
    };
    let program = facts.program.iter().map(|program| ("program", program.clone()));
    let numbers = [
        ("paths", format!("{}{paths}", grouped(totals.path_count()))),
        ("tests", format!("{} in {}", grouped(summary.tests), places_of_tests(facts.dir))),
        ("faults", grouped(summary.faults.len() as u64)),
        ("instructions", instructions),
        ("forks", known(grouped(totals.forks))),
        ("states", known(format!("at most {} at once", grouped(totals.max_states)))),
        ("queries", known(queries(totals))),
        (
            "coverage",
            known(match coverage.lines_total {
                0 => "unknown: the program has no debug information (compile with -g)".into(),
                all => part(coverage.lines, all, "lines") + &branches,
            }),
        ),
        ("memory", known(format!("at most {} accounted{process}", size(totals.max_memory)))),
    ];
    let random = totals.random.iter().map(|counts| ("inputs", random(counts)));
    let seeds = summary.seeds.iter().map(|counts| ("seeds", seeds::row(counts)));
    let targets = totals.targets.iter().map(|counts| ("targets", targets(counts)));
    let backward = totals.backward.iter().map(|counts| ("backward", backward(counts, totals.work)));
    let reduction = totals.reduction.iter().map(|counts| ("reduction", reduction(counts)));
    let campaign = totals.campaign.iter().flat_map(campaign);
    let solver = facts.solver_ms.map(|times| ("solver", solver_time(times)));
    let jobs = (!facts.jobs.is_empty()).then(|| ("workers", facts.jobs.len().to_string()));
    let shares = (!facts.shares.is_empty())
        .then(|| ("searchers", "share of the work, +new coverage".to_string()));
    let rows = program.chain(targets).chain(seeds).chain(random).chain(numbers).chain(backward);
    rows.chain(reduction).chain(campaign).chain(solver).chain(jobs).chain(shares).collect()
}

/// The row of random inputs.
fn random(counts: &RandomCounts) -> String {
    let RandomCounts { drawn, repeated, followed, .. } = *counts;
    let drawn = grouped(drawn);
    match followed {
        Some(followed) => format!("{drawn} random; {} did something new", grouped(followed)),
        None => format!("{drawn} random; {} of them repeated a known path", grouped(repeated)),
    }
}

/// The rows of an exploration in several runs, and in several sittings.
fn campaign(counts: &CampaignCounts) -> impl Iterator<Item = (&'static str, String)> {
    let CampaignCounts { restarts, repeated, sittings, .. } = *counts;
    let repeated = plural(repeated, "path");
    let runs = (restarts > 0).then(|| {
        format!("{} from the start; {repeated} repeated in a later one", grouped(restarts + 1))
    });
    let again = if restarts == 0 { format!("; {repeated} ended again") } else { String::new() };
    let sittings = (sittings > 0).then(|| format!("{}{again}", grouped(sittings)));
    let rows = [("runs", runs), ("sittings", sittings)];
    rows.into_iter().filter_map(|(name, text)| Some((name, text?)))
}

/// The row of targets.
fn targets(counts: &TargetCounts) -> String {
    let TargetCounts { open, nearest, unreachable } = *counts;
    let left = match (open, nearest) {
        (0, _) => "all reached".to_string(),
        (_, Some(nearest)) => {
            let instructions = plural(nearest, "instruction");
            format!("{} not reached; the nearest state was {instructions} away", grouped(open))
        }
        (_, None) => format!("{} not reached", grouped(open)),
    };
    format!("{left}; {} dropped that could reach none", states(unreachable))
}

/// The row of the backward search.
fn backward(counts: &BackwardCounts, work: u64) -> String {
    format!(
        "paths from {}: {} kept, followed {}, refuted {}; {} of the work",
        plural(counts.origins, "function"),
        plural(counts.kept, "partial path"),
        times(counts.followed),
        times(counts.refuted),
        percent(counts.work, work),
    )
}

/// The row of a reduction.
fn reduction(counts: &ReductionCounts) -> String {
    if counts.is_abandoned {
        return format!(
            "given up after {}: too few paths can be skipped, so all are explored",
            plural(counts.tasks, "task")
        );
    }
    let mut row = format!(
        "about {} without it; {}, {} redundant, {} infeasible, {} repeated a path",
        plural(counts.estimated_paths, "path"),
        plural(counts.tasks, "task"),
        grouped(counts.redundant),
        grouped(counts.infeasible),
        grouped(counts.repeated),
    );
    if !counts.unknown.is_empty() {
        let reason = |(reason, &count): (&String, &u64)| format!("{} ({reason})", grouped(count));
        let reasons: Vec<String> = counts.unknown.iter().map(reason).collect();
        row += &format!("; nothing skipped behind paths with {}", reasons.join(", "));
    }
    if counts.missed_goals > 0 {
        row += &format!("; {} took another path than solved for", grouped(counts.missed_goals));
    }
    row
}

/// One line per worker.
fn jobs(jobs: &[JobRecord]) -> String {
    let line = |(index, job): (usize, &JobRecord)| {
        let diverged = match job.diverged {
            0 => String::new(),
            count => format!(", {} diverged in replay", states(count)),
        };
        format!(
            "    {}: {}, {} instructions, {} queries; sent {}, received {} ({} instructions of \
             replay{diverged}); idle {}\n",
            index + 1,
            plural(job.paths, "path"),
            grouped(job.instructions),
            grouped(job.queries),
            states(job.given),
            grouped(job.taken),
            grouped(job.followed),
            time(Duration::from_millis(job.idle_ms)),
        )
    };
    jobs.iter().enumerate().map(line).collect()
}

/// Coverage by file, if the program has several.
fn files(coverage: Option<&CoverageRecord>) -> String {
    let Some(files) = coverage.map(|it| &it.files).filter(|files| files.len() > 1) else {
        return String::new();
    };
    let sources = Sources::new();
    let line = |(file, lines): (&String, &Vec<LineRecord>)| {
        let (all, covered) = (lines.len(), lines.iter().filter(|l| l.first_path.is_some()).count());
        let percent = percent(covered as u64, all as u64);
        format!("    {}: {covered} of {all} lines ({percent})\n", sources.file(file))
    };
    files.iter().map(line).collect()
}

/// Where the tests of a run are.
fn places_of_tests(dir: &Path) -> String {
    let files = dir.join("tests");
    match RunReader::has_pack(dir) {
        true => format!("{} and {}", files.display(), dir.join("tests.pack").display()),
        false => files.display().to_string(),
    }
}

fn queries(totals: &TotalsRecord) -> String {
    let solver = &totals.solver;
    let unknown: u64 = solver.unknown.values().sum();
    let answers = [("sat", solver.sat), ("unsat", solver.unsat), ("unknown", unknown)];
    let layers = solver.layers.iter().map(|layer| (layer.name.as_str(), layer.answered));
    let by_layer = match breakdown(layers) {
        text if text.is_empty() => text,
        text => format!("; answered by{}", text.trim_start_matches(':')),
    };
    let retries = totals.retries.map_or(String::new(), |counts| {
        let attempts = plural(counts.attempts, "attempt");
        format!("; {attempts} with more effort decided {}", states(counts.decided))
    });
    format!("{}{}{by_layer}{retries}", grouped(solver.queries), breakdown(answers.into_iter()))
}

/// The solver's time by layer, without layers below a millisecond.
fn solver_time(times: &BTreeMap<String, f64>) -> String {
    let mut parts: Vec<(&str, f64)> = times
        .iter()
        .map(|(layer, &ms)| (layer.as_str(), ms))
        .filter(|(_, ms)| *ms >= 1.0)
        .collect();
    parts.sort_by(|a, b| b.1.total_cmp(&a.1));
    let parts: Vec<String> =
        parts.into_iter().map(|(layer, ms)| format!("{:.3} s {layer}", ms / 1e3)).collect();
    let all = format!("{:.3} s", times.values().fold(0.0, |all, ms| all + ms) / 1e3);
    if parts.is_empty() { all } else { format!("{all}: {}", parts.join(", ")) }
}

/// `: 3 exit, 1 fault`, without zero counts.
fn breakdown<'a>(counts: impl Iterator<Item = (&'a str, u64)>) -> String {
    let some = counts.filter(|(_, count)| *count > 0);
    let parts: Vec<String> = some.map(|(what, n)| format!("{} {what}", grouped(n))).collect();
    match parts.is_empty() {
        true => String::new(),
        false => format!(": {}", parts.join(", ")),
    }
}

fn faults(counts: &[FaultCount], facts: &RunDetails) -> String {
    let sources = Sources::new();
    let line = |fault: &FaultCount| {
        let record = facts.faults.iter().find(|record| record.id == fault.id);
        let function = record.and_then(|record| record.stack.first()).map(|frame| &frame.function);
        let location = match (&fault.at, function) {
            (Some(at), _) => format!(" at {}", sources.location(at)),
            (None, Some(function)) => format!(" in function '{}'", visible(function)),
            (None, None) => String::new(),
        };
        let on = plural(fault.count, "path");
        let test = record.and_then(|record| record.test.as_ref());
        let test = test.map_or(String::new(), |test| format!(", first in {test}"));
        let mark = match record.is_some_and(|record| record.under_constrained) {
            true => ", under-constrained",
            false => "",
        };
        format!("    {} {}{location}: on {on}{test}{mark}\n", fault.id, visible(&fault.kind))
    };
    counts.iter().map(line).collect()
}

/// The paths that were not explored and the features that were modelled inexactly, one line each,
/// with advice.
fn losses(summary: &RunSummary) -> Vec<String> {
    let LossesRecord {
        dropped,
        undecided,
        diverged,
        concretised,
        unsupported,
        internal_errors,
        warnings,
        unfinished,
        untested,
        too_long,
        failed_allocations,
    } = &summary.totals.lost;
    let mut lines = Vec::new();
    each(&mut lines, internal_errors, |error, n| {
        format!("{} ended by a bug in Byway ({error}); please report it", plural(n, "path"))
    });
    let solver = &summary.totals.solver;
    if solver.disagreements > 0 {
        let wrong = plural(solver.disagreements, "wrong solver answer");
        lines.push(format!("{wrong}: a bug in Byway; please report it"));
    }
    if summary.totals.random.is_some_and(|counts| counts.followed.is_none()) {
        lines.push("random testing only: there may be other paths".into());
    }
    let strayed = summary.totals.random.map_or(0, |counts| counts.diverged);
    if strayed > 0 {
        let inputs = plural(strayed, "random input");
        lines.push(format!("{inputs} diverged: the exploration took another path"));
    }
    if *unfinished > 0 {
        let advice = match summary.ended {
            EndReason::MaxTime => ": raise --max-time",
            EndReason::MaxCpu => ": raise --max-cpu",
            EndReason::MaxWork => ": raise --max-work",
            EndReason::MaxInstructions => ": raise --max-instructions",
            EndReason::Seeds => ": omit --only-seeds",
            EndReason::MaxTests => ": raise --max-tests",
            EndReason::MaxFaults => ": raise --max-faults",
            _ => "",
        };
        lines.push(format!("{} unexplored{advice}", plural(*unfinished, "state")));
    }
    each(&mut lines, dropped, |limit, n| match limit {
        "no-forking" => format!("{} dropped because the program disabled forking", states(n)),
        "pruned" => format!("{} dropped by a pruner", states(n)),
        limit => format!("{} dropped by a limit: raise --{limit}", states(n)),
    });
    if *untested > 0 {
        let states = plural(*untested, "feasible state");
        lines.push(format!("{states} of these gave no test (--unfinished-tests all writes them)"));
    }
    if *failed_allocations > 0 {
        let allocations = plural(*failed_allocations, "allocation");
        lines.push(format!("{allocations} of the program failed: raise --max-memory"));
    }
    let shortages = summary.totals.memory_shortages;
    if shortages > 0 {
        let times = plural(shortages, "time");
        lines.push(format!(
            "the process reached --max-memory {times}: what was dropped then depends on the machine"
        ));
    }
    each(&mut lines, undecided, |reason, n| {
        let advice = match UndecidedReason::by_name(reason) {
            Some(UndecidedReason::Effort) => ": raise --max-solver-effort",
            Some(UndecidedReason::Time) => ": raise --max-solver-time",
            Some(UndecidedReason::Memory) => ": raise --max-memory",
            Some(UndecidedReason::Interrupted) => "",
            _ => " (--log-queries records the queries)",
        };
        format!("{} undecided by the solver: {reason}{advice}", states(n))
    });
    if *diverged > 0 {
        let inputs = plural(*diverged, "input");
        lines.push(format!("{inputs} diverged: the solved input did not reach its branch"));
    }
    if *too_long > 0 {
        let paths = plural(*too_long, "path");
        lines.push(format!(
            "{paths} cut off at the instruction limit: raise --max-path-instructions"
        ));
    }
    each(&mut lines, unsupported, |what, n| {
        format!("{} ended at an unsupported feature: {what}", plural(n, "path"))
    });
    each(&mut lines, concretised, |what, n| format!("concretised {}: {what}", times(n)));
    each(&mut lines, warnings, |what, n| format!("not modelled faithfully, {}: {what}", times(n)));
    lines
}

fn each(
    lines: &mut Vec<String>,
    counts: &BTreeMap<String, u64>,
    line: impl Fn(&str, u64) -> String,
) {
    lines.extend(counts.iter().map(|(what, &count)| line(&visible(what), count)));
}

fn states(count: u64) -> String {
    plural(count, "state")
}

fn times(count: u64) -> String {
    if count == 1 { "once".into() } else { plural(count, "time") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use byway_base::SrcLoc;
    use byway_rundir::SCHEMA;
    use byway_solver::{Layer, Statistics};

    fn summary(ended: EndReason, adjust: impl FnOnce(&mut TotalsRecord)) -> RunSummary {
        let mut totals = TotalsRecord::default();
        adjust(&mut totals);
        let complete = ended == EndReason::Done && totals.nothing_lost();
        RunSummary {
            schema: SCHEMA,
            ended,
            complete,
            tests: 3,
            faults: vec![],
            totals,
            seeds: None,
            shares: vec![],
            markov: None,
            differences: None,
        }
    }

    fn shown(summary: &RunSummary) -> String {
        shown_with(summary, &[])
    }

    fn shown_with(summary: &RunSummary, jobs: &[JobRecord]) -> String {
        let facts = RunDetails {
            dir: Path::new("out"),
            program: None,
            coverage: None,
            faults: &[],
            sampled: summary.ended != EndReason::CutShort,
            elapsed: Some(Duration::from_secs(12)),
            process_memory: Some(45 << 20),
            solver_ms: None,
            jobs,
            shares: &[],
        };
        render_run(summary, &facts, Style::new(false))
    }

    #[test]
    fn every_worker_has_a_line() {
        let job = JobRecord {
            paths: 1200,
            instructions: 34_000,
            queries: 5,
            given: 1,
            taken: 2,
            followed: 700,
            idle_ms: 1500,
            ..JobRecord::default()
        };
        let lost = JobRecord { diverged: 1, ..JobRecord::default() };
        let text = shown_with(&summary(EndReason::Done, |_| {}), &[job, lost]);
        let expected = [
            "  workers       2\n",
            "    1: 1,200 paths, 34,000 instructions, 5 queries; sent 1 state, received 2 ",
            "(700 instructions of replay); idle 1.50 s\n",
            "    2: 0 paths, 0 instructions, 0 queries; sent 0 states, received 0 ",
            "(0 instructions of replay, 1 state diverged in replay); idle 0.00 s\n",
        ];
        let expected = expected.concat();
        assert!(text.ends_with(&expected), "{text}");
    }

    #[test]
    fn a_complete_summary() {
        let mut summary = summary(EndReason::Done, |totals| {
            totals.paths = [("exit".into(), 1200), ("fault".into(), 2)].into();
            totals.instructions = 24_000_000;
            totals.forks = 1201;
            totals.max_states = 17;
            totals.max_memory = 3 << 20;
            totals.coverage.lines = 34;
            totals.coverage.lines_total = 40;
            totals.coverage.branches = 6;
            totals.coverage.branches_total = 8;
            totals.solver.queries = 100;
            totals.solver.sat = 60;
            totals.solver.unsat = 40;
            let statistics = Statistics::default();
            totals.solver.layers = crate::cmd::run::records::totals(&byway_engine::Totals {
                solver: statistics,
                ..Default::default()
            })
            .solver
            .layers;
            totals.solver.layers[Layer::Witness as usize].answered = 70;
            totals.solver.layers[Layer::Backend as usize].answered = 30;
        });
        let at = Some(SrcLoc { file: "/s/a.c".into(), line: 7, column: 3 });
        summary.faults = vec![FaultCount { id: 1, kind: "trap".into(), at, count: 2 }];
        let expected = "\
byway: explored completely after 12.0 s
  paths         1,202: 1,200 exit, 2 fault
  tests         3 in out/tests
  faults        1
    1 trap at /s/a.c:7:3: on 2 paths
  instructions  24,000,000 (2.0 million/s)
  forks         1,201
  states        at most 17 at once
  queries       100: 60 sat, 40 unsat; answered by 70 witness, 30 backend
  coverage      34 of 40 lines (85.0%), 6 of 8 branch sides (75.0%)
  memory        at most 3.0 MiB accounted; the process took at most 45.0 MiB
";
        assert_eq!(shown(&summary), expected);
    }

    #[test]
    fn solver_time_is_listed_by_layer() {
        let times = [("blast", 1840.0), ("domain", 12.5), ("known", 0.2), ("between", 1.0)];
        let times = times.map(|(layer, ms)| (layer.to_string(), ms)).into();
        assert_eq!(solver_time(&times), "1.854 s: 1.840 s blast, 0.013 s domain, 0.001 s between");
        assert_eq!(solver_time(&BTreeMap::new()), "0.000 s");
    }

    #[test]
    fn only_a_complete_run_is_called_complete() {
        assert!(shown(&summary(EndReason::Done, |_| {})).contains("explored completely"));
        let lossy = summary(EndReason::Done, |totals| totals.lost.unfinished = 1);
        assert!(!shown(&lossy).contains("completely"));
        for ended in [
            EndReason::MaxTime,
            EndReason::MaxCpu,
            EndReason::MaxWork,
            EndReason::MaxInstructions,
            EndReason::Seeds,
            EndReason::Interrupted,
            EndReason::CutShort,
        ] {
            assert!(!shown(&summary(ended, |_| {})).contains("completely"), "{ended:?}");
        }
    }

    #[test]
    fn every_loss_is_listed_with_advice() {
        let one = |what: &str| [(what.to_string(), 1)].into();
        let text = shown(&summary(EndReason::MaxTime, |totals| {
            totals.lost.dropped = [("max-states".into(), 1200), ("no-forking".into(), 1)].into();
            totals.memory_shortages = 1;
            totals.lost.failed_allocations = 3;
            totals.lost.undecided =
                [("the limit on effort was reached".into(), 2), ("the solver gave up".into(), 1)]
                    .into();
            totals.lost.concretised = one("the size of an allocation");
            totals.lost.unsupported = one("function fork");
            totals.lost.internal_errors = one("symbolic-value");
            totals.lost.warnings = [("system call chroot".into(), 3)].into();
            totals.lost.unfinished = 5;
            totals.paths = [("out-of-budget".into(), 9)].into();
            totals.lost.untested = 3;
            totals.lost.too_long = 4;
            totals.solver.disagreements = 1;
        }));
        let (_, lost) = text.split_once("incomplete or imprecise:\n").expect("losses");
        let expected = "    \
    1 path ended by a bug in Byway (symbolic-value); please report it
    1 wrong solver answer: a bug in Byway; please report it
    5 states unexplored: raise --max-time
    1,200 states dropped by a limit: raise --max-states
    1 state dropped because the program disabled forking
    3 feasible states of these gave no test (--unfinished-tests all writes them)
    3 allocations of the program failed: raise --max-memory
    the process reached --max-memory 1 time: what was dropped then depends on the machine
    2 states undecided by the solver: the limit on effort was reached: raise --max-solver-effort
    1 state undecided by the solver: the solver gave up (--log-queries records the queries)
    4 paths cut off at the instruction limit: raise --max-path-instructions
    1 path ended at an unsupported feature: function fork
    concretised once: the size of an allocation
    not modelled faithfully, 3 times: system call chroot
";
        assert_eq!(lost, expected);
    }
}

//! What a run came to: told when it ends, and again by `byway stats`.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use crate::quantity::{grouped, percent, plural, size, time};
use crate::report::snippet::{Sources, visible};
use crate::report::style::Style;
use crate::rundir::{
    CoverageRecord, Ended, FaultCount, FaultRecord, LineRecord, Lost, Summary, Totals,
};

/// What is told beside the summary's own numbers.
pub struct RunFacts<'a> {
    /// The directory of the run.
    pub dir: &'a Path,
    /// What was explored, with its arguments; not told to who has just typed it.
    pub program: Option<String>,
    /// Coverage by file, if that is known.
    pub coverage: Option<&'a CoverageRecord>,
    /// The faults as they were first found.
    pub faults: &'a [FaultRecord],
    /// How long it took, if that is known.
    pub elapsed: Option<Duration>,
    /// What the process took at the end.
    pub process_memory: Option<u64>,
}

/// Renders a summary.
pub fn render_run(summary: &Summary, facts: &RunFacts, style: Style) -> String {
    let mut out = headline(summary, facts, style);
    for (name, value) in rows(summary, facts) {
        out += &format!("  {name:<13} {value}\n");
        match name {
            "faults" => out += &faults(&summary.faults, facts),
            "coverage" => out += &files(facts.coverage),
            _ => {}
        }
    }
    let lost = losses(summary);
    if !lost.is_empty() {
        out += &format!("  {}\n", style.warning("lost, or less than faithful:"));
        out += &lost.iter().map(|line| format!("    {line}\n")).collect::<String>();
    }
    out
}

fn headline(summary: &Summary, facts: &RunFacts, style: Style) -> String {
    let took = facts.elapsed.map_or(String::new(), |elapsed| format!(" after {}", time(elapsed)));
    let stopped = |why: &str| format!("{}{took}: {why}", style.warning("stopped"));
    let text = match summary.ended {
        Ended::Done if summary.complete => format!("explored completely{took}"),
        Ended::Done => format!("done{took}, but not everything was explored: see below"),
        Ended::MaxWork => stopped("the limit on work is reached (--max-work)"),
        Ended::MaxTime => stopped("the limit on time is reached (--max-time)"),
        Ended::MaxTests => stopped("as many tests as wanted are written (--max-tests)"),
        Ended::MaxFaults => stopped("as many faults as wanted are found (--max-faults)"),
        Ended::Interrupted => stopped("as asked"),
        Ended::WriteFailed => stopped("the results could not be written any more"),
        Ended::CutShort => format!(
            "{}: the run was killed, or goes on; this is what it wrote so far",
            style.warning("cut short")
        ),
    };
    format!("byway: {text}\n")
}

fn rows(summary: &Summary, facts: &RunFacts) -> Vec<(&'static str, String)> {
    let totals = &summary.totals;
    let rate = facts.elapsed.map(|elapsed| elapsed.as_secs_f64()).filter(|s| *s > 0.0);
    let rate = rate.map_or(String::new(), |seconds| {
        format!(" ({:.1} million/s)", totals.instructions as f64 / seconds / 1e6)
    });
    let paths = breakdown(totals.paths.iter().map(|(kind, &count)| (kind.as_str(), count)));
    let process = facts
        .process_memory
        .map_or(String::new(), |bytes| format!("; the process took {} at last", size(bytes)));
    let coverage = totals.coverage;
    let part = |covered: u32, all: u32, what: &str| {
        let percent = percent(covered.into(), all.into());
        format!("{} of {} {what} ({percent})", grouped(covered.into()), grouped(all.into()))
    };
    let branches = match coverage.branches_total {
        0 => String::new(),
        all => format!(", {}", part(coverage.branches, all, "branch sides")),
    };
    let program = facts.program.iter().map(|program| ("program", program.clone()));
    let numbers = [
        ("paths", format!("{}{paths}", grouped(totals.path_count()))),
        ("tests", format!("{} in {}", grouped(summary.tests), facts.dir.join("tests").display())),
        ("faults", grouped(summary.faults.len() as u64)),
        ("instructions", format!("{}{rate}", grouped(totals.instructions))),
        ("forks", grouped(totals.forks)),
        ("states", format!("at most {} at once", grouped(totals.max_states))),
        ("queries", queries(totals)),
        ("coverage", part(coverage.lines, coverage.lines_total, "lines") + &branches),
        ("memory", format!("at most {} of states and terms{process}", size(totals.max_memory))),
    ];
    program.chain(numbers).collect()
}

/// Coverage file by file, where there are several.
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

fn queries(totals: &Totals) -> String {
    let solver = &totals.solver;
    let unknown: u64 = solver.unknown.values().sum();
    let answers = [("sat", solver.sat), ("unsat", solver.unsat), ("unknown", unknown)];
    let layers = solver.layers.iter().map(|layer| (layer.name.as_str(), layer.answered));
    let by_layer = match breakdown(layers) {
        text if text.is_empty() => text,
        text => format!("; answered by{}", text.trim_start_matches(':')),
    };
    format!("{}{}{by_layer}", grouped(solver.queries), breakdown(answers.into_iter()))
}

/// `: 3 exit, 1 fault`, without what is zero.
fn breakdown<'a>(counts: impl Iterator<Item = (&'a str, u64)>) -> String {
    let some = counts.filter(|(_, count)| *count > 0);
    let parts: Vec<String> = some.map(|(what, n)| format!("{} {what}", grouped(n))).collect();
    match parts.is_empty() {
        true => String::new(),
        false => format!(": {}", parts.join(", ")),
    }
}

fn faults(counts: &[FaultCount], facts: &RunFacts) -> String {
    let sources = Sources::new();
    let line = |fault: &FaultCount| {
        let record = facts.faults.iter().find(|record| record.id == fault.id);
        let function = record.and_then(|record| record.stack.first()).map(|frame| &frame.function);
        let place = match (&fault.at, function) {
            (Some(at), _) => format!(" at {}", sources.place(at)),
            (None, Some(function)) => format!(" in function '{}'", visible(function)),
            (None, None) => String::new(),
        };
        let on = plural(fault.count, "path");
        let test = record.and_then(|record| record.test.as_ref());
        let test = test.map_or(String::new(), |test| format!(", first in {test}"));
        format!("    {} {}{place}: on {on}{test}\n", fault.id, visible(&fault.kind))
    };
    counts.iter().map(line).collect()
}

/// What was not explored or not answered faithfully, one line each, and what can be
/// done about it.
fn losses(summary: &Summary) -> Vec<String> {
    let Lost { dropped, undecided, concretised, unsupported, warnings, unfinished } =
        &summary.totals.lost;
    let mut lines = Vec::new();
    let solver = &summary.totals.solver;
    if solver.disagreements > 0 {
        let wrong = plural(solver.disagreements, "answer");
        lines.push(format!("{wrong} of the solver contradicted: a bug in byway; please report it"));
    }
    if *unfinished > 0 {
        let advice = match summary.ended {
            Ended::MaxTime => ": raise --max-time",
            Ended::MaxWork => ": raise --max-work",
            _ => "",
        };
        lines.push(format!("{} left to explore{advice}", plural(*unfinished, "state")));
    }
    each(&mut lines, dropped, |limit, n| match limit {
        "no-forking" => format!("{} dropped because the program asked not to fork", states(n)),
        limit => format!("{} dropped to stay inside a limit: raise --{limit}", states(n)),
    });
    each(&mut lines, undecided, |why, n| {
        let advice = if why.contains("effort") {
            ": raise --solver-effort"
        } else if why.contains("time") {
            ": raise --max-solver-time"
        } else if why.contains("interrupted") {
            ""
        } else {
            " (--log-queries shows what was asked)"
        };
        format!("{} the solver could not decide: {why}{advice}", states(n))
    });
    if let Some(&n) = summary.totals.paths.get("out-of-budget") {
        let paths = plural(n, "path");
        lines.push(format!(
            "{paths} cut off by the limit on instructions: raise --path-instructions"
        ));
    }
    each(&mut lines, unsupported, |what, n| {
        format!("{} ended because byway lacks {what}", plural(n, "path"))
    });
    each(&mut lines, concretised, |what, n| {
        format!("fixed to one value of several, {}: {what}", times(n))
    });
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

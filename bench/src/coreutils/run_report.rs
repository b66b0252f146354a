//! The results of exploring the tools, as Markdown: a row per tool, then engine errors,
//! then unsupported features over all tools, most frequent first.

use std::collections::BTreeMap;
use std::time::Duration;

use byway_base::quantity::percent;

use super::figures::{Counts, ToolFigures};
use super::run::ToolRun;

const HEAD: &str = "\
| tool | paths | tests | instructions | queries | states | RSS MiB | lines | faults | s over |
| --- | --: | --: | --: | --: | --: | --: | --: | --- | --: |
";

/// A line about a tool that is done.
pub fn progress(run: &ToolRun) -> String {
    let seconds = run.wall.as_secs_f64();
    match &run.explored {
        Err(error) => format!("{}: ENGINE ERROR: {error}", run.tool),
        Ok(explored) => {
            let figures = &explored.metrics;
            let mut line = format!(
                "{}: {} paths, {} tests, {} of own lines, {seconds:.1} s",
                run.tool,
                figures.paths,
                explored.tests,
                share(explored.lines)
            );
            for fault in &explored.faults {
                line.push_str(&format!("; FAULT {fault}"));
            }
            for name in explored.unsupported.keys() {
                line.push_str(&format!("; lacks {name}"));
            }
            line
        }
    }
}

/// The report.
pub fn report(runs: &[ToolRun], limit: Duration) -> String {
    let mut out = HEAD.to_owned();
    for run in runs {
        match &run.explored {
            Ok(explored) => out.push_str(&row(run, explored, limit)),
            Err(_) => out.push_str(&format!("| {} | engine error |\n", run.tool)),
        }
    }
    out.push_str(&sums(runs));
    let errors = runs.iter().filter_map(|run| Some((&run.tool, run.explored.as_ref().err()?)));
    section(&mut out, "Errors of the engine", errors.map(|(tool, e)| format!("{tool}: {e}")));
    let faults = sound(runs).flat_map(|(tool, explored)| {
        explored.faults.iter().map(move |fault| format!("{tool}: {fault}"))
    });
    section(&mut out, "Faults", faults);
    let mut losses = |title, counts| section(&mut out, title, by_frequency(runs, counts));
    losses("Unsupported: paths ended there", |explored| &explored.unsupported);
    losses("Not modelled faithfully", |explored| &explored.warnings);
    losses("Values held to one of several, by use", |explored| &explored.concretised);
    out
}

fn sound(runs: &[ToolRun]) -> impl Iterator<Item = (&str, &ToolFigures)> {
    runs.iter().filter_map(|run| Some((run.tool.as_str(), run.explored.as_ref().ok()?)))
}

fn row(run: &ToolRun, explored: &ToolFigures, limit: Duration) -> String {
    let figures = &explored.metrics;
    let faults =
        if explored.faults.is_empty() { "none".to_owned() } else { explored.faults.join(", ") };
    // A run that explored everything ends before its time.
    let over = run.wall.saturating_sub(limit).as_secs_f64();
    format!(
        "| {}{} | {} | {} | {} | {} | {} | {} | {} | {faults} | {over:.1} |\n",
        run.tool,
        if figures.complete { " (all)" } else { "" },
        figures.paths,
        explored.tests,
        figures.instructions,
        figures.queries,
        explored.states,
        figures.process_memory >> 20,
        share(explored.lines),
    )
}

fn sums(runs: &[ToolRun]) -> String {
    let sum = |figure: fn(&ToolFigures) -> u64| sound(runs).map(|(_, e)| figure(e)).sum::<u64>();
    let lines = sound(runs)
        .map(|(_, explored)| explored.lines)
        .fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1));
    format!(
        "| **all {}** | {} | {} | {} | {} | | | {} | {} | |\n",
        runs.len(),
        sum(|e| e.metrics.paths),
        sum(|e| e.tests),
        sum(|e| e.metrics.instructions),
        sum(|e| e.metrics.queries),
        share(lines),
        sum(|e| e.faults.len() as u64),
    )
}

fn share((part, whole): (usize, usize)) -> String {
    match whole {
        0 => "none".to_owned(),
        _ => percent(part as u64, whole as u64),
    }
}

fn section(out: &mut String, title: &str, lines: impl IntoIterator<Item = String>) {
    let mut lines = lines.into_iter().peekable();
    if lines.peek().is_none() {
        out.push_str(&format!("\n{title}: none.\n"));
        return;
    }
    out.push_str(&format!("\n{title}:\n\n"));
    lines.for_each(|line| out.push_str(&format!("- {line}\n")));
}

/// Names with the tools that met them: those of most tools first.
fn by_frequency(runs: &[ToolRun], counts: fn(&ToolFigures) -> &Counts) -> Vec<String> {
    let mut tools_of: BTreeMap<&str, (Vec<&str>, u64)> = BTreeMap::new();
    for (tool, explored) in sound(runs) {
        for (name, times) in counts(explored) {
            let (tools, sum) = tools_of.entry(name).or_default();
            tools.push(tool);
            *sum += times;
        }
    }
    let mut names: Vec<_> = tools_of.into_iter().collect();
    names.sort_by_key(|(_, (tools, sum))| std::cmp::Reverse((tools.len(), *sum)));
    let line = |(name, (tools, sum)): (&str, (Vec<&str>, u64))| {
        format!("{} tools, {sum} times: {name} ({})", tools.len(), tools.join(", "))
    };
    names.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_metrics::RunMetrics;

    fn explored(unsupported: &[(&str, u64)], faults: &[&str]) -> ToolFigures {
        let metrics = RunMetrics {
            complete: false,
            lost: String::new(),
            paths: 5,
            faulty_paths: 0,
            truncated_paths: 0,
            instructions: 100,
            queries: 7,
            max_states: 3,
            searched_queries: 1,
            process_memory: 64 << 20,
            explore_seconds: 1.0,
            cpu_seconds: 1.0,
            solver_seconds: 0.5,
            search_seconds: 0.1,
        };
        ToolFigures {
            metrics,
            tests: 4,
            states: 9,
            lines: (1, 4),
            faults: faults.iter().map(|&fault| fault.to_owned()).collect(),
            unsupported: unsupported.iter().map(|&(name, n)| (name.to_owned(), n)).collect(),
            warnings: Counts::new(),
            concretised: Counts::new(),
        }
    }

    fn run(tool: &str, explored: Result<ToolFigures, String>) -> ToolRun {
        ToolRun { tool: tool.into(), wall: Duration::from_millis(12_500), explored }
    }

    #[test]
    fn everything_is_in_the_report() {
        let runs = [
            run("cut", Ok(explored(&[("rare", 90)], &["abort@cut.c:7"]))),
            run("cat", Ok(explored(&[("common", 1)], &[]))),
            run("wc", Ok(explored(&[("common", 2)], &[]))),
            run("ls", Err("signal 11: bang".into())),
        ];
        let report = report(&runs, Duration::from_secs(10));
        for part in [
            "| cut | 5 | 4 | 100 | 7 | 9 | 64 | 25.0% | abort@cut.c:7 | 2.5 |",
            "| **all 4** | 15 | 12 | 300 | 21 | | | 25.0% | 1 | |",
            "- ls: signal 11: bang",
            "- cut: abort@cut.c:7",
            "- 2 tools, 3 times: common (cat, wc)\n- 1 tools, 90 times: rare (cut)",
            "Not modelled faithfully: none.",
        ] {
            assert!(report.contains(part), "{part}\n{report}");
        }
        assert!(progress(&runs[3]).contains("ENGINE ERROR"));
        assert!(progress(&runs[0]).contains("FAULT abort@cut.c:7; lacks rare"));
    }
}

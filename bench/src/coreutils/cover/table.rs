//! The results of all explorations, as Markdown: for each searcher a table of coverage and
//! one of work, then searchers side by side, then every fault and every divergence.

use std::collections::BTreeMap;
use std::fmt::Write;

use byway_base::quantity::percentage;
use byway_lab::stats::{self, mean};

use super::klee::{self, KleeFigures};
use super::plan::{CoverPlan, CoverRun};
use super::result::CoverResult;

/// An exploration and its result.
pub type MeasuredRun = (CoverRun, Result<CoverResult, String>);

/// The report.
pub fn report(plan: &CoverPlan, done: &[MeasuredRun]) -> String {
    let mut out = String::new();
    for search in &plan.searches {
        if plan.searches.len() > 1 {
            out.push_str(&format!("## Searcher: {search}\n\n"));
        }
        out.push_str(&coverage(plan, done, search));
        out.push_str(&work(plan, done, search));
    }
    if plan.searches.len() > 1 {
        out.push_str(&searchers(plan, done));
    }
    let errors = done.iter().filter_map(|(run, measured)| {
        Some(format!("{}: {}", run.name(), measured.as_ref().err()?))
    });
    section(&mut out, "Errors of the engine", errors);
    section(&mut out, "Faults", faults(done));
    section(&mut out, "Divergences", divergences(done));
    let incomparable = by_reason(done, |measured| &measured.replayed.incomparable);
    section(&mut out, "Not comparable natively", incomparable);
    let lost = by_reason(done, |measured| &measured.unmeasured);
    section(&mut out, "Tests that left no counters", lost);
    out
}

/// A line about one that is done.
pub fn progress(run: &CoverRun, measured: &Result<CoverResult, String>) -> String {
    let measured = match measured {
        Err(error) => return format!("{}: ENGINE ERROR: {error}", run.name()),
        Ok(measured) => measured,
    };
    let mut line = format!(
        "{}: {}% lines, {}% branches, {} tests",
        run.name(),
        percent_text(measured.lines.percent()),
        percent_text(measured.branches.percent()),
        measured.tests
    );
    if let Some(klee) = klee::of(&run.tool) {
        line.push_str(&format!(", KLEE's best {:.1}%", klee.best));
    }
    if !measured.faults.is_empty() {
        line.push_str(&format!(", faults {}", shown(measured)));
    }
    if !measured.replayed.diverged.is_empty() {
        line.push_str(&format!(", {} DIVERGE", measured.replayed.diverged.len()));
    }
    line
}

/// A percentage in the format that byway uses.
fn percent_text(percent: f64) -> String {
    percentage(percent / 100.0)
}

fn sound(done: &[MeasuredRun]) -> impl Iterator<Item = (&CoverRun, &CoverResult)> {
    done.iter().filter_map(|(run, measured)| Some((run, measured.as_ref().ok()?)))
}

/// All seeds of a tool under a searcher.
struct SeedResults<'a>(Vec<&'a CoverResult>);

impl<'a> SeedResults<'a> {
    fn of(done: &'a [MeasuredRun], tool: &str, search: &str) -> Self {
        let of = sound(done).filter(|(run, _)| run.tool == tool && run.search == search);
        SeedResults(of.map(|(_, measured)| measured).collect())
    }

    fn median(&self, figure: impl Fn(&CoverResult) -> f64) -> f64 {
        let all: Vec<f64> = self.0.iter().map(|measured| figure(measured)).collect();
        stats::median(&all).unwrap_or(f64::NAN)
    }

    fn lines(&self) -> f64 {
        self.median(|m| m.lines.percent())
    }

    fn rate(&self, count: impl Fn(&CoverResult) -> u64) -> f64 {
        self.median(|m| count(m) as f64 / m.cpu_seconds.max(1e-3))
    }

    fn sum(&self, count: impl Fn(&CoverResult) -> usize) -> usize {
        self.0.iter().map(|measured| count(measured)).sum()
    }
}

fn tools<'a>(
    plan: &'a CoverPlan,
    done: &'a [MeasuredRun],
    search: &'a str,
) -> impl Iterator<Item = (&'a str, SeedResults<'a>, Option<&'static KleeFigures>)> {
    let tools = plan
        .tools
        .iter()
        .map(move |tool| (tool.as_str(), SeedResults::of(done, tool, search), klee::of(tool)));
    tools.filter(|(_, seeds, _)| !seeds.0.is_empty())
}

fn coverage(plan: &CoverPlan, done: &[MeasuredRun], search: &str) -> String {
    let mut out = "\
| tool | tests | lines | branches | KLEE A | KLEE B | KLEE's best lines | difference | faults shown / reported | diverged |
| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |
"
    .to_owned();
    let (mut lines, mut branches, mut beside) = (Vec::new(), Vec::new(), Vec::new());
    for (tool, seeds, klee) in tools(plan, done, search) {
        let (line, branch) = (seeds.lines(), seeds.median(|m| m.branches.percent()));
        let both = |(lines, branches): (f64, f64)| format!("{lines:.1} / {branches:.1}");
        let klee_cells = klee.map_or("| | | ".to_owned(), |klee| {
            let (a, b, best) = (both(klee.default), both(klee.recipe), klee.best);
            format!("{a} | {b} | {best:.1} | {:+.1}", line - best)
        });
        let reported = seeds.sum(|m| m.faults.len());
        let shown = seeds.sum(|m| m.faults.iter().filter(|fault| fault.shown).count());
        let row = format!(
            "| {tool} | {:.0} | {} | {} | {klee_cells} | {shown} / {reported} | {} |\n",
            seeds.median(|m| m.tests as f64),
            percent_text(line),
            percent_text(branch),
            seeds.sum(|m| m.replayed.diverged.len()),
        );
        out.push_str(&row);
        lines.push(line);
        branches.push(branch);
        beside.extend(klee.map(|klee| (line, klee.best)));
    }
    let best: Vec<f64> = beside.iter().map(|(_, best)| *best).collect();
    let ours: Vec<f64> = beside.iter().map(|(ours, _)| *ours).collect();
    let klee_cells = match mean(&best) {
        None => "| | | ".to_owned(),
        Some(best) => format!("| | {best:.1} | {:+.1}", mean(&ours).unwrap_or(0.0) - best),
    };
    let [line, branch] = [lines, branches].map(|all| percent_text(mean(&all).unwrap_or(0.0)));
    // Writing into a string cannot fail.
    let _ = writeln!(out, "| **mean** | | {line} | {branch} | {klee_cells} | | |");
    if !beside.is_empty() {
        let count = |margin: f64| beside.iter().filter(|(o, b)| *o >= b - margin).count();
        let all = beside.len();
        let _ = writeln!(
            out,
            "\nAt least KLEE's best on {} of {all} tools; at least that less two points on {} of {all}.",
            count(0.0),
            count(2.0)
        );
    }
    out.push('\n');
    out
}

fn work(plan: &CoverPlan, done: &[MeasuredRun], search: &str) -> String {
    let mut out = "\
| tool | paths ended + partial | KLEE's | instructions | a second | KLEE's | queries asked / searched | asked a second | KLEE's | solver's time | MiB | KLEE's |
| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |
"
    .to_owned();
    for (tool, seeds, klee) in tools(plan, done, search) {
        let count = |figure: fn(&CoverResult) -> u64| seeds.median(|m| figure(m) as f64);
        let of_klee = |figure: fn(&KleeFigures) -> String| klee.map(figure).unwrap_or_default();
        let complete = if seeds.0.iter().all(|m| m.complete) { " (all)" } else { "" };
        out.push_str(&format!(
            "| {tool}{complete} | {:.0} + {:.0} | {} | {} | {} | {} | {:.0} / {:.0} | {:.0} | {} | {:.0}% | {:.0} | {} |\n",
            count(|m| m.ended),
            count(|m| m.partial),
            of_klee(|k| format!("{} + {}", k.paths.0, k.paths.1)),
            large(count(|m| m.instructions)),
            large(seeds.rate(|m| m.instructions)),
            of_klee(|k| large(k.instruction_rate())),
            count(|m| m.queries),
            count(|m| m.searched),
            seeds.rate(|m| m.queries),
            of_klee(|k| format!("{:.0}", k.query_rate())),
            100.0 * seeds.median(|m| m.solver_share),
            count(|m| m.memory) / f64::from(1 << 20),
            of_klee(|k| k.memory.to_string()),
        ));
    }
    out.push('\n');
    out
}

fn large(number: f64) -> String {
    match number {
        n if n >= 1e6 => format!("{:.1} M", n / 1e6),
        n => format!("{:.1} k", n / 1e3),
    }
}

/// Lines by searcher: which is best for which tool.
fn searchers(plan: &CoverPlan, done: &[MeasuredRun]) -> String {
    let mut out = "## By searcher: percent of lines\n\n| tool |".to_owned();
    plan.searches.iter().for_each(|search| out.push_str(&format!(" {search} |")));
    out.push_str(" KLEE's best |\n| --- |");
    (0..=plan.searches.len()).for_each(|_| out.push_str(" --: |"));
    out.push('\n');
    let mut columns = vec![Vec::new(); plan.searches.len()];
    for tool in &plan.tools {
        out.push_str(&format!("| {tool} |"));
        for (column, search) in columns.iter_mut().zip(&plan.searches) {
            let seeds = SeedResults::of(done, tool, search);
            if seeds.0.is_empty() {
                out.push_str(" none |");
            } else {
                out.push_str(&format!(" {} |", percent_text(seeds.lines())));
                column.push(seeds.lines());
            }
        }
        let best = klee::of(tool).map_or(String::new(), |klee| format!("{:.1}", klee.best));
        out.push_str(&format!(" {best} |\n"));
    }
    out.push_str("| **mean** |");
    for column in &columns {
        out.push_str(&format!(" {} |", percent_text(mean(column).unwrap_or(0.0))));
    }
    out.push_str(" |\n\n");
    out
}

fn shown(measured: &CoverResult) -> String {
    let shown = measured.faults.iter().filter(|fault| fault.shown).count();
    format!("{shown} shown / {} reported", measured.faults.len())
}

/// Every fault, with how many explorations show it natively, and the behaviour of the others.
fn faults(done: &[MeasuredRun]) -> Vec<String> {
    let mut all: BTreeMap<(&str, &str), (usize, usize, Vec<&str>)> = BTreeMap::new();
    for (run, measured) in sound(done) {
        for fault in &measured.faults {
            let (reported, shown, instead) = all.entry((&run.tool, &fault.what)).or_default();
            *reported += 1;
            *shown += usize::from(fault.shown);
            if !fault.shown {
                instead.extend(fault.instead.iter().map(String::as_str));
            }
        }
    }
    let line = |((tool, what), (reported, shown, mut instead)): (_, (usize, usize, Vec<&str>))| {
        instead.sort_unstable();
        instead.dedup();
        let instead = if instead.is_empty() {
            String::new()
        } else {
            format!("; else {}", instead.join(", "))
        };
        format!("{tool}: {what}: shown natively in {shown} of {reported} runs{instead}")
    };
    all.into_iter().map(line).collect()
}

/// Every sort of divergence, with one that can be looked at.
fn divergences(done: &[MeasuredRun]) -> Vec<String> {
    let mut all: BTreeMap<(&str, String), (usize, String)> = BTreeMap::new();
    for (run, measured) in sound(done) {
        for divergence in &measured.replayed.diverged {
            let (count, _) = all.entry((&run.tool, divergence.reason())).or_insert_with(|| {
                let (test, happened) = (divergence.test, &divergence.happened);
                (0, format!("test {test} of {}: {happened}", run.name()))
            });
            *count += 1;
        }
    }
    let line = |((tool, why), (count, first)): (_, (usize, String))| {
        format!("{tool}: {count} × {why} (first {first})")
    };
    all.into_iter().map(line).collect()
}

fn by_reason(
    done: &[MeasuredRun],
    of: impl Fn(&CoverResult) -> &BTreeMap<String, u64>,
) -> Vec<String> {
    let mut all: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for (run, measured) in sound(done) {
        for (why, count) in of(measured) {
            *all.entry((&run.tool, why)).or_default() += count;
        }
    }
    all.into_iter().map(|((tool, why), count)| format!("{tool}: {count} × {why}")).collect()
}

fn section(out: &mut String, title: &str, lines: impl IntoIterator<Item = String>) {
    let mut lines = lines.into_iter().peekable();
    if lines.peek().is_none() {
        out.push_str(&format!("{title}: none.\n\n"));
        return;
    }
    out.push_str(&format!("{title}:\n\n"));
    lines.for_each(|line| out.push_str(&format!("- {line}\n")));
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::super::plan::CoverBudget;
    use super::super::result::{CoverShare, ReplayCounts, ReplayDivergence, ReportedFault};
    use super::*;

    fn done(tool: &str, search: &str, seed: u64, covered: u64) -> MeasuredRun {
        let budget = CoverBudget::Work(9);
        let run = CoverRun { tool: tool.into(), search: search.into(), seed, budget };
        let measured = CoverResult {
            tests: 10 * seed,
            ended: 3,
            partial: 4,
            instructions: 2_000_000,
            cpu_seconds: 0.5,
            queries: 700,
            searched: 30,
            solver_share: 0.25,
            memory: 64 << 20,
            lines: CoverShare { covered, total: 100 },
            branches: CoverShare { covered, total: 200 },
            ..CoverResult::default()
        };
        (run, Ok(measured))
    }

    fn plan(tools: &[&str], searches: &[&str]) -> CoverPlan {
        let list = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let budget = CoverBudget::Work(9);
        CoverPlan { tools: list(tools), searches: list(searches), seeds: vec![1, 2, 3], budget }
    }

    #[test]
    fn medians_stand_beside_klee() {
        let plan = plan(&["cut", "tr", "yes"], &["default"]);
        let mut all: Vec<MeasuredRun> =
            [(1, 70), (2, 90), (3, 71)].map(|(seed, n)| done("cut", "default", seed, n)).into();
        all.push(done("tr", "default", 1, 59));
        all.push(done("yes", "default", 1, 80));
        let report = report(&plan, &all);
        for part in [
            "| cut | 20 | 71.0 | 35.5 | 54.9 / 33.1 | 58.3 / 40.0 | 72.3 | -1.3 | 0 / 0 | 0 |",
            "| tr | 10 | 59.0 | 29.5 | 48.9 / 34.8 | 58.6 / 48.3 | 58.6 | +0.4 | 0 / 0 | 0 |",
            "| yes | 10 | 80.0 | 40.0 | | | |  | 0 / 0 | 0 |",
            "| **mean** | | 70.0 | 35.0 | | | 65.5 | -0.5 | | |",
            "best on 1 of 2 tools; at least that less two points on 2 of 2",
            "| cut | 3 + 4 | 70 + 4067 | 2.0 M | 4.0 M | 18.5 k | 700 / 30 | 1400 | 17 | 25% | 64 | 198 |",
            "Faults: none.",
        ] {
            assert!(report.contains(part), "{part}\n{report}");
        }
        assert!(!report.contains("By searcher"), "{report}");
    }

    #[test]
    fn searchers_stand_side_by_side_and_nothing_is_silent() {
        let plan = plan(&["cut", "tr"], &["dfs", "bfs"]);
        let mut all = vec![done("cut", "dfs", 1, 40), done("cut", "bfs", 1, 60)];
        if let Ok(measured) = &mut all[0].1 {
            let fault = |what: &str, shown, instead: &[&str]| ReportedFault {
                what: what.into(),
                shown,
                instead: instead.iter().map(|&text| text.to_owned()).collect(),
            };
            measured.faults =
                vec![fault("abort@a.c:1", true, &[]), fault("x@b.c:2", false, &["w"])];
            let divergence = |test| ReplayDivergence {
                test,
                predicted: "exit code 0".into(),
                happened: format!("standard output from byte {test} on is \"a\", not \"b\""),
            };
            measured.replayed = ReplayCounts {
                incomparable: [("time".to_owned(), 2)].into(),
                diverged: vec![divergence(7), divergence(8)],
                ..ReplayCounts::default()
            };
            measured.unmeasured = [("memory".to_owned(), 5)].into();
        }
        let run = CoverRun { tool: "tr".into(), ..all[0].0.clone() };
        all.push((run, Err("byway run: exit code 101: panicked".into())));
        let report = report(&plan, &all);
        for part in [
            "| cut | 40.0 | 60.0 | 72.3 |\n| tr | none | none | 58.6 |\n| **mean** | 40.0 | 60.0 | |",
            "- tr_dfs_seed1_9work: byway run: exit code 101: panicked",
            "- cut: abort@a.c:1: shown natively in 1 of 1 runs\n",
            "- cut: x@b.c:2: shown natively in 0 of 1 runs; else w\n",
            "- cut: 2 × other bytes on standard output (first test 7 of cut_dfs_seed1_9work: standard",
            "- cut: 2 × time",
            "- cut: 5 × memory",
            "| 1 / 2 | 2 |",
        ] {
            assert!(report.contains(part), "{part}\n{report}");
        }
        assert!(progress(&all[2].0, &all[2].1).contains("ENGINE ERROR"));
        assert!(progress(&all[0].0, &all[0].1).ends_with("faults 1 shown / 2 reported, 2 DIVERGE"));
    }
}

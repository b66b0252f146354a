//! The tables of the report.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use byway_base::quantity::{compact, grouped, percentage, plural, time};

use super::table::{Table, TableCell, probability};
use crate::findings::{BANDS, Findings, SIGNIFICANT};
use crate::result::CellResult;
use crate::stats::{ConfidenceInterval, RESAMPLES, mean};

/// Columns that fit on a screen.
const WIDE: usize = 6;

/// Transposes a table with a column per strategy if there are many of these, and fewer programs.
fn fitting(findings: &Findings<'_>, table: Table) -> Table {
    let experiment = findings.experiment;
    let strategies = experiment.strategies.len();
    match strategies > WIDE && strategies > experiment.programs.len() {
        true => table.transposed("strategy"),
        false => table,
    }
}

/// All tables, in the order they are read.
pub fn all(findings: &Findings<'_>) -> Vec<Table> {
    let tables = [
        Some(distribution(findings)),
        comparison(findings),
        Some(by_program(findings)),
        seeds(findings),
        faults(findings),
        fault_list(findings),
        Some(effort(findings)),
    ];
    tables.into_iter().flatten().collect()
}

fn strategy_names<'a>(findings: &'a Findings<'_>) -> impl Iterator<Item = &'a str> {
    findings.experiment.strategies.iter().map(|strategy| strategy.name.as_str())
}

fn between(interval: Option<ConfidenceInterval>) -> String {
    interval.map_or(String::new(), |ConfidenceInterval { low, high }| {
        format!(" [{}, {}]", percentage(low), percentage(high))
    })
}

/// Coverage of the strategies, as in Table 4 of the paper on subpath guided search.
pub fn distribution(findings: &Findings<'_>) -> Table {
    let mut head = vec!["strategy".to_string()];
    head.extend(["average %", "median %", "best on"].map(String::from));
    head.extend(["90–100 %", "80–90 %", "70–80 %", "60–70 %", "below 60 %"].map(String::from));
    let top = findings.strategies.iter().filter_map(|of| of.average).fold(0.0, f64::max);
    let most = findings.strategies.iter().map(|of| of.best).max().unwrap_or(0);
    let rows = strategy_names(findings).zip(&findings.strategies).map(|(name, of)| {
        let figure = |value: Option<f64>, interval| {
            value.map_or("".into(), |value| percentage(value) + &between(interval))
        };
        let mut row = vec![
            TableCell::from(name),
            TableCell::strong_if(
                figure(of.average, of.average_interval),
                of.average.is_some_and(|average| average >= top),
            ),
            TableCell::from(figure(of.median, of.median_interval)),
            TableCell::strong_if(of.best.to_string(), of.best == most && most > 0),
        ];
        row.extend(of.bands.iter().map(|count| TableCell::from(count.to_string())));
        row
    });
    let rows = rows.collect();
    debug_assert_eq!(BANDS.len() + 4, head.len());
    let seeds = match findings.experiment.seeds.len() {
        1 => "With one seed there are no intervals.".to_string(),
        _ => format!(
            "In brackets is the 95 % bootstrap interval: the seeds of each program are resampled {} \
             times with replacement, from a fixed random seed; the programs stay the same.",
            grouped(RESAMPLES as u64)
        ),
    };
    Table {
        title: "Coverage",
        note: format!(
            "Over {}, each with the median over its seeds: mean and median, the number of programs \
             on which no strategy is better, and the number in each band. {seeds}",
            plural(findings.compared.len() as u64, "program")
        ),
        head,
        rows,
        words: false,
    }
}

/// Each strategy compared with the baseline.
fn comparison(findings: &Findings<'_>) -> Option<Table> {
    let baseline = strategy_names(findings).nth(findings.baseline)?;
    let head = ["strategy", "better on", "equal", "worse", "mean difference", "W (pairs)", "p"];
    let mut head: Vec<String> = head.map(String::from).to_vec();
    head.extend(["p, Holm", "seeds better", "seeds worse"].map(String::from));
    let mut tests = findings.comparisons.iter().flatten().filter_map(|of| of.wilcoxon);
    let all_exact = tests.all(|test| test.exact);
    let rows: Vec<Vec<TableCell>> = strategy_names(findings)
        .zip(&findings.comparisons)
        .filter_map(|(name, comparison)| {
            let of = comparison.as_ref()?;
            let differs = |larger: bool| {
                let differs = of.by_program.iter().flatten().filter(|of| of.is_significant());
                differs.filter(|of| (of.effect > 0.5) == larger).count().to_string()
            };
            let mark = |exact: bool| if exact { "" } else { "~" };
            let (w, p) = of.wilcoxon.map_or(("".to_string(), "".to_string()), |test| {
                let w = format!("{} ({})", test.w, test.pairs);
                (w, format!("{}{}", mark(test.exact), probability(test.p)))
            });
            // An adjusted p depends on all tests.
            let adjusted = |p| format!("{}{}", mark(all_exact), probability(p));
            let adjusted = of.adjusted.map_or(String::new(), adjusted);
            Some(vec![
                name.into(),
                of.better.to_string().into(),
                of.equal.to_string().into(),
                of.worse.to_string().into(),
                format!("{:+.1}", of.difference * 100.0).into(),
                w.into(),
                p.into(),
                TableCell::strong_if(adjusted, of.adjusted.is_some_and(|p| p < SIGNIFICANT)),
                differs(true).into(),
                differs(false).into(),
            ])
        })
        .collect();
    (!rows.is_empty()).then(|| Table {
        title: "Compared with the baseline",
        note: format!(
            "Each strategy compared with {baseline}: the number of programs on which it covers more, as \
             much or less, the mean difference in percentage points, and Wilcoxon's signed-rank test \
             over the programs that differ (two-sided; exact, or with ~ by normal approximation), its \
             p also adjusted for the number of comparisons. The last columns count the programs on \
             which the seeds differ at p < {SIGNIFICANT} by Mann and Whitney's test. That needs four \
             seeds each, and a strategy whose result depends on the seed."
        ),
        head,
        rows,
        words: false,
    })
}

/// Every program under every strategy.
fn by_program(findings: &Findings<'_>) -> Table {
    let mut head = vec!["program".to_string(), "of".to_string()];
    head.extend(strategy_names(findings).map(String::from));
    let strategies = 0..findings.experiment.strategies.len();
    let rows = findings.experiment.programs.iter().enumerate().map(|(number, program)| {
        let totals: Vec<String> = findings.totals(number).iter().map(u64::to_string).collect();
        let cells = strategies.clone().map(|strategy| {
            let fractions = findings.fractions(number, strategy);
            let Some(figure) = findings.figure(number, strategy) else {
                return TableCell::default();
            };
            let low = fractions.iter().copied().fold(f64::INFINITY, f64::min);
            let high = fractions.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let range = match low < high {
                true => format!(" ({}–{})", percentage(low), percentage(high)),
                false => String::new(),
            };
            TableCell::strong_if(percentage(figure) + &range, findings.is_best(number, strategy))
        });
        let name = [TableCell::from(program.name.as_str()), TableCell::from(totals.join(", "))];
        name.into_iter().chain(cells).collect()
    });
    let table = Table {
        title: "Every program",
        note: format!(
            "Coverage in percent of the number of {}: the median over seeds, and the range where they \
             differ. The best figure of each program is emphasised.",
            findings.experiment.measure.words()
        ),
        head,
        rows: rows.collect(),
        words: false,
    };
    fitting(findings, table)
}

/// The rank test over seeds, program by program.
fn seeds(findings: &Findings<'_>) -> Option<Table> {
    if findings.experiment.seeds.len() < 2 || findings.strategies.len() < 2 {
        return None;
    }
    let others = || {
        let all = strategy_names(findings).zip(&findings.comparisons);
        all.filter_map(|(name, comparison)| Some((name, comparison.as_ref()?)))
    };
    let head = std::iter::once("program").chain(others().map(|(name, _)| name));
    let rows = findings.compared.iter().enumerate().map(|(place, &program)| {
        let name = findings.experiment.programs[program].name.as_str();
        let cells = others().map(|(_, comparison)| {
            comparison.by_program[place].map_or(TableCell::default(), |of| {
                let p = of.test.map_or(String::new(), |test| {
                    format!(" (p {}{})", if test.exact { "" } else { "~" }, probability(test.p))
                });
                TableCell::strong_if(format!("{:.2}{p}", of.effect), of.is_significant())
            })
        });
        std::iter::once(TableCell::from(name)).chain(cells).collect()
    });
    let baseline = strategy_names(findings).nth(findings.baseline)?;
    let table = Table {
        title: "Seeds compared",
        note: format!(
            "The fraction of pairs in which a seed of the strategy covers more than a seed of {baseline} \
             (Vargha and Delaney's A: 0.5 is no difference, a tie is half), and the p of Mann and \
             Whitney's test (two-sided; exact, or with ~ by normal approximation). There is no p \
             where one of the two has the same result with every seed: its runs may be copies of one \
             run, which are not a sample."
        ),
        head: head.map(String::from).collect(),
        rows: rows.collect(),
        words: false,
    };
    Some(fitting(findings, table))
}

/// Faults by program and strategy, as in Table 6 of the paper on subpath guided search.
fn faults(findings: &Findings<'_>) -> Option<Table> {
    let programs: Vec<usize> = (0..findings.experiment.programs.len())
        .filter(|&program| !findings.faults_of(program).is_empty())
        .collect();
    if programs.is_empty() {
        return None;
    }
    let strategies = 0..findings.experiment.strategies.len();
    let found = |program: usize, strategy: usize| {
        let faults = findings.faults(program, strategy);
        let kinds: BTreeSet<&str> = faults.iter().map(|fault| fault.kind.as_str()).collect();
        (kinds.len(), faults.len())
    };
    let mut rows: Vec<Vec<TableCell>> = programs
        .iter()
        .map(|&program| {
            let all: Vec<(usize, usize)> =
                strategies.clone().map(|strategy| found(program, strategy)).collect();
            let most = all.iter().map(|(_, faults)| *faults).max().unwrap_or(0);
            let shared = all.iter().all(|(_, faults)| *faults == most);
            let cells = all.into_iter().map(|(kinds, faults)| match faults {
                0 => TableCell::default(),
                _ => TableCell::strong_if(format!("{kinds}, {faults}"), faults == most && !shared),
            });
            let name = TableCell::from(findings.experiment.programs[program].name.as_str());
            std::iter::once(name).chain(cells).collect()
        })
        .collect();
    let sums: Vec<usize> = strategies
        .clone()
        .map(|strategy| programs.iter().map(|&program| found(program, strategy).1).sum())
        .collect();
    let most = sums.iter().copied().max().unwrap_or(0);
    let sums = sums.into_iter().map(|sum| TableCell::strong_if(sum.to_string(), sum == most));
    rows.push(std::iter::once(TableCell::from("all")).chain(sums).collect());
    let head = std::iter::once("program").chain(strategy_names(findings));
    let table = Table {
        title: "Faults",
        note:
            "The number of kinds of faults, and of distinct faults (by kind and location), that a \
               strategy found with any of its seeds. The most are emphasised, unless all are equal."
                .into(),
        head: head.map(String::from).collect(),
        rows,
        words: false,
    };
    Some(fitting(findings, table))
}

/// Each fault, and the strategies that found it.
fn fault_list(findings: &Findings<'_>) -> Option<Table> {
    let mut rows = Vec::new();
    for (number, program) in findings.experiment.programs.iter().enumerate() {
        for fault in findings.faults_of(number) {
            let by = strategy_names(findings).enumerate().filter_map(|(strategy, name)| {
                let runs: Vec<&CellResult> = findings.outcomes(number, strategy).collect();
                let with = runs.iter().filter(|run| run.faults.contains(fault)).count();
                (with > 0).then(|| format!("{name} {with}/{}", runs.len()))
            });
            let location = if fault.at.is_empty() { "unknown" } else { end_of(&fault.at) };
            let by: Vec<String> = by.collect();
            rows.push(vec![
                program.name.as_str().into(),
                fault.kind.as_str().into(),
                location.into(),
                by.join(", ").into(),
            ]);
        }
    }
    let head = ["program", "kind", "location", "found by (seeds)"];
    (!rows.is_empty()).then(|| Table {
        title: "Every fault",
        note: String::new(),
        head: head.map(String::from).to_vec(),
        rows,
        words: true,
    })
}

/// The last two components of a path.
fn end_of(path: &str) -> &str {
    let mut slashes = path.rmatch_indices('/').map(|(at, _)| at);
    slashes.nth(1).map_or(path, |at| &path[at + 1..])
}

/// Averages over the runs of each strategy.
fn effort(findings: &Findings<'_>) -> Table {
    let head = [
        "strategy",
        "runs",
        "ended by",
        "paths",
        "tests",
        "queries",
        "work",
        "most states",
        "processor time",
    ];
    let rows = strategy_names(findings).enumerate().map(|(strategy, name)| {
        let runs: Vec<&CellResult> = findings.all_of(strategy).collect();
        let average = |of: &dyn Fn(&CellResult) -> u64| {
            let values: Vec<f64> = runs.iter().map(|run| of(run) as f64).collect();
            compact(mean(&values).unwrap_or(0.0).round() as u64)
        };
        let mut ended: BTreeMap<&str, usize> = BTreeMap::new();
        runs.iter().for_each(|run| *ended.entry(run.run.ended.as_str()).or_default() += 1);
        let ended: Vec<String> = ended.iter().map(|(why, n)| format!("{why} {n}")).collect();
        let cpu: u64 = runs.iter().map(|run| run.run.cpu_ms).sum();
        let cpu = cpu.checked_div(runs.len() as u64).unwrap_or(0);
        let cells = [
            name.to_string(),
            runs.len().to_string(),
            ended.join(", "),
            average(&|run| run.run.paths.values().sum()),
            average(&|run| run.run.tests),
            average(&|run| run.run.queries),
            average(&|run| run.run.work),
            average(&|run| run.run.max_states),
            time(Duration::from_millis(cpu)),
        ];
        cells.map(TableCell::from).to_vec()
    });
    Table {
        title: "Runs",
        note: "Averages per run.".into(),
        head: head.map(String::from).to_vec(),
        rows: rows.collect(),
        words: false,
    }
}

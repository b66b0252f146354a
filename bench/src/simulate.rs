//! `byway-bench simulate`: strategies on random Markov chains, beside the published table.

use std::fmt::Write;
use std::time::Duration;

use serde::Deserialize;

use crate::process;
use crate::record;
use crate::setup::BenchSetup;

const ABOUT: &str = "\
How far are strategies of concolic testing from the optimum on random Markov chains?

Runs `byway simulate` with the numbers of Wang et al., Towards Optimal Concolic Testing (ICSE
2018): 50 chains of 5, 10, 15 and 20 states, 1,000 runs of each strategy on each. Prints the
costs as multiples of the optimum, with those of the paper's Table 1 in parentheses. The paper's
chains are not published, so only the order and the magnitude can agree.

The exit code is 1 if the greedy strategy costs more than 5 times the optimum on any size, or is
not the best on 10 states and more.";

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT)]
pub struct SimulateOptions {
    /// Chains of each size
    #[arg(long, value_name = "N", default_value_t = 50)]
    chains: u32,

    /// Runs of each strategy on each chain
    #[arg(long, value_name = "N", default_value_t = 1000)]
    runs: u64,

    /// The seed of the chains and of the runs
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Write the result to bench/results/DATE-simulate.md
    #[arg(long)]
    record: bool,
}

/// Far more than it should take.
const LIMIT: Duration = Duration::from_secs(3600);
/// The most that the greedy strategy may cost.
const MOST: f64 = 5.0;
/// From this number of states on it must be the best.
const BEST_FROM: usize = 10;

const SIZES: [usize; 4] = [5, 10, 15, 20];

/// The paper's Table 1, by the names of the strategies here.
const PUBLISHED: [(&str, &str, [f64; 4]); 10] = [
    ("random-testing", "RT", [138.9, 11.3, 44.2, 114.7]),
    ("nurs:covnew", "RCN", [1.7, 14.4, 15.1, 12.7]),
    ("random-state", "RSS", [12.8, 50.7, 64.0, 68.1]),
    ("random-path", "RPS", [12.8, 50.6, 63.9, 68.5]),
    ("dfs", "DFS", [7.1, 27.4, 21.8, 18.6]),
    ("dart", "DART", [1.8, 13.0, 12.8, 13.0]),
    ("generational", "GS", [1.9, 13.5, 13.9, 13.3]),
    ("cgs", "CGS", [1.8, 12.6, 13.6, 13.8]),
    ("sgs", "SGS", [11.2, 32.4, 29.4, 25.5]),
    ("greedy", "G", [2.1, 4.8, 3.1, 4.8]),
];

/// What is read of the output of `byway simulate --json`.
#[derive(Deserialize)]
struct SimulatedTable {
    sizes: Vec<SimulatedSize>,
}

#[derive(Deserialize)]
struct SimulatedSize {
    states: usize,
    mean_optimum: f64,
    strategies: Vec<SimulatedStrategy>,
}

#[derive(Deserialize)]
struct SimulatedStrategy {
    name: String,
    ratio: f64,
    mean_ratio: f64,
    unfinished: u64,
}

/// Simulates and compares. Returns whether the targets are met.
pub fn main(options: SimulateOptions) -> Result<bool, String> {
    let setup = BenchSetup::new(None)?;
    let mut command = setup.byway();
    command.args(["simulate", "--json", "--states", &SIZES.map(|n| n.to_string()).join(",")]);
    for (flag, value) in [
        ("--chains", u64::from(options.chains)),
        ("--runs", options.runs),
        ("--seed", options.seed),
    ] {
        command.arg(flag).arg(value.to_string());
    }
    let before = process::cpu_seconds_of_children();
    let ended = process::succeed(&mut command, LIMIT)?;
    let cpu = process::cpu_seconds_of_children() - before;
    let table: SimulatedTable = serde_json::from_slice(&ended.stdout)
        .map_err(|error| format!("cannot read byway's output: {error}"))?;
    let complaints = complaints(&table);
    let mut report = format!(
        "`byway simulate --states 5,10,15,20 --chains {} --runs {} --seed {}`: {:.0} s, {cpu:.0} \
         CPU s.\n\n",
        options.chains,
        options.runs,
        options.seed,
        ended.time.as_secs_f64(),
    );
    report += "Mean cost over the chains, as a multiple of the mean optimum; in parentheses the \
               paper's figure.\n\n";
    report += &render(&table, |strategy, published| format!("{:.2} ({published})", strategy.ratio));
    report += "\nMean over the chains of the multiple of each chain's own optimum: chains that a \
               few random tests cover weigh as much as the others here.\n\n";
    report += &render(&table, |strategy, _| format!("{:.2}", strategy.mean_ratio));
    report += "\nRuns that ended after 1,000,000 tests:\n\n";
    report += &render(&table, |strategy, _| strategy.unfinished.to_string());
    report += "\nMean optimum:";
    for size in &table.sizes {
        let _ = write!(report, " {} states {:.1};", size.states, size.mean_optimum);
    }
    report += "\n\nTargets: ";
    report += &if complaints.is_empty() { "met".into() } else { complaints.join("; ") };
    report += "\n";
    println!("{report}");
    if options.record {
        record::write("simulate", "Strategies on random Markov chains", &report)?;
    }
    Ok(complaints.is_empty())
}

fn render(table: &SimulatedTable, cell: impl Fn(&SimulatedStrategy, f64) -> String) -> String {
    let head = table.sizes.iter().map(|size| format!(" {} states |", size.states));
    let mut out = format!("| strategy | paper |{}\n|---|---|", head.collect::<String>());
    out += &"---:|".repeat(table.sizes.len());
    for (row, (name, short, published)) in PUBLISHED.iter().enumerate() {
        let _ = write!(out, "\n| {name} | {short} |");
        for (size, published) in table.sizes.iter().zip(published) {
            let strategy = size.strategies.get(row).filter(|strategy| strategy.name == *name);
            let text = strategy.map_or("?".into(), |strategy| cell(strategy, *published));
            let _ = write!(out, " {text} |");
        }
    }
    out + "\n"
}

fn complaints(table: &SimulatedTable) -> Vec<String> {
    let mut complaints = Vec::new();
    for size in &table.sizes {
        let (states, greedy) = (size.states, size.strategies.last().map_or(f64::NAN, |s| s.ratio));
        if greedy.is_nan() || greedy > MOST {
            complaints.push(format!("{states} states: greedy costs {greedy:.2} times the optimum"));
        }
        let better = size.strategies.iter().filter(|s| s.ratio < greedy && states >= BEST_FROM);
        for strategy in better {
            complaints.push(format!("{states} states: {} is better than greedy", strategy.name));
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(greedy: f64, dart: f64) -> SimulatedTable {
        let strategy = |name: &str, ratio| SimulatedStrategy {
            name: name.into(),
            ratio,
            mean_ratio: ratio,
            unfinished: 0,
        };
        let strategies = vec![strategy("dart", dart), strategy("greedy", greedy)];
        let sizes = vec![SimulatedSize { states: 10, mean_optimum: 7.0, strategies }];
        SimulatedTable { sizes }
    }

    #[test]
    fn greedy_must_be_near_the_optimum_and_best() {
        assert!(complaints(&table(1.5, 8.0)).is_empty());
        assert_eq!(
            complaints(&table(6.0, 8.0)),
            ["10 states: greedy costs 6.00 times the optimum"]
        );
        assert_eq!(complaints(&table(3.0, 2.0)), ["10 states: dart is better than greedy"]);
    }
}

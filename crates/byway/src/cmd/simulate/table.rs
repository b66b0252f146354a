//! The results as text, laid out like the paper's Table 1.

use std::fmt::Write;

use byway_base::quantity::{grouped, plural};
use byway_search::markov::simulate::MAX_TESTS;

use super::results::{SimulationResults, SizeResult, StrategyResult};

/// The width of a strategy's name, and of a figure.
const NAME: usize = 16;
const FIGURE: usize = 12;

/// The table.
pub fn render(results: &SimulationResults) -> String {
    let mut out = match &results.chain {
        Some(name) => format!(
            "Expected cost of covering every state of {name}: mean of {}\n\n",
            plural(results.runs, "run")
        ),
        None => format!(
            "Mean cost of covering every state, as a multiple of the optimum: {} of each size, {} \
             on each\n\n",
            plural(results.chains as u64, "chain"),
            plural(results.runs, "run")
        ),
    };
    match &results.chain {
        Some(_) => results.sizes.iter().for_each(|size| one_chain(&mut out, size)),
        None => random_chains(&mut out, &results.sizes),
    }
    unfinished(&mut out, &results.sizes);
    out
}

// Writing into a string cannot fail.
fn random_chains(out: &mut String, sizes: &[SizeResult]) {
    let _ = write!(out, "{:NAME$}", "");
    for size in sizes {
        let _ = write!(out, "{:>FIGURE$}", plural(size.states as u64, "state"));
    }
    let _ = write!(out, "\n{:NAME$}", "optimum");
    for _ in sizes {
        let _ = write!(out, "{:>FIGURE$}", "1");
    }
    let rows = sizes.first().map_or(0, |size| size.strategies.len());
    for row in 0..rows {
        let _ = write!(out, "\n{:NAME$}", sizes[0].strategies[row].name);
        for size in sizes {
            let _ = write!(out, "{:>FIGURE$}", ratio(&size.strategies[row]));
        }
    }
    let _ = write!(out, "\n\n{:NAME$}", "optimal cost");
    for size in sizes {
        let _ = write!(out, "{:>FIGURE$}", size.mean_optimum.map_or("-".into(), cost));
    }
    out.push('\n');
}

fn one_chain(out: &mut String, size: &SizeResult) {
    let _ = writeln!(out, "{:NAME$}{:>FIGURE$}{:>FIGURE$}", "", "cost", "of optimum");
    let optimum = size.mean_optimum.map_or("too large".into(), cost);
    let _ = writeln!(out, "{:NAME$}{optimum:>FIGURE$}{:>FIGURE$}", "optimum", "1");
    for strategy in &size.strategies {
        let (cost, ratio) = (cost(strategy.mean_cost), ratio(strategy));
        let _ = writeln!(out, "{:NAME$}{cost:>FIGURE$}{ratio:>FIGURE$}", strategy.name);
    }
}

fn ratio(strategy: &StrategyResult) -> String {
    strategy.ratio.map_or("-".into(), |ratio| format!("{ratio:.2}"))
}

fn cost(value: f64) -> String {
    format!("{value:.1}")
}

/// Which runs did not cover everything, so that their costs are too low.
fn unfinished(out: &mut String, sizes: &[SizeResult]) {
    for size in sizes {
        for strategy in size.strategies.iter().filter(|strategy| strategy.unfinished > 0) {
            let _ = writeln!(
                out,
                "{} of {} on chains of {} ended after {} tests without covering everything",
                plural(strategy.unfinished, "run"),
                strategy.name,
                plural(size.states as u64, "state"),
                grouped(MAX_TESTS)
            );
        }
    }
}

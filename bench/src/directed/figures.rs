//! The paper's three programs: work until the assertion fails.

use std::path::PathBuf;
use std::time::Duration;

use byway_base::quantity::{compact, grouped};

use super::{Found, TargetSearch, median, name};
use crate::setup::BenchSetup;

const SEARCHERS: [Option<&str>; 9] = [
    Some("sdse"),
    Some("sdse:intra"),
    Some("ccbse(random-path)"),
    Some("mix-ccbse(random-path)"),
    Some("mix-ccbse(klee-default)"),
    None,
    Some("random-path"),
    Some("klee-default"),
    Some("auto"),
];

/// Far more than a search that finds its way needs.
const MAX_WORK: u64 = 200_000_000;

const PROGRAMS: [&str; 3] = ["figure2", "figure3", "figure4"];

/// The searches of one program by one searcher, a seed each.
struct FigureCell {
    program: &'static str,
    searcher: Option<&'static str>,
    found: Vec<Found>,
}

impl FigureCell {
    fn work(&self) -> Option<f64> {
        median(self.found.iter().map(|it| it.is_reached.then_some(it.work as f64)).collect())
    }

    fn forks(&self) -> Option<f64> {
        median(self.found.iter().map(|it| it.is_reached.then_some(it.forks as f64)).collect())
    }

    fn reached(&self) -> usize {
        self.found.iter().filter(|it| it.is_reached).count()
    }
}

/// The table, and what is not as in the paper.
pub fn measure(setup: &BenchSetup, seeds: u64) -> Result<(String, Vec<String>), String> {
    let mut cells = Vec::new();
    for program in PROGRAMS {
        for searcher in SEARCHERS {
            eprintln!("directed: {program} by {}", name(searcher));
            let found = (1..=seeds).map(|seed| search(setup, program, searcher, seed));
            cells.push(FigureCell { program, searcher, found: found.collect::<Result<_, _>>()? });
        }
    }
    let complaints = complaints(&cells);
    Ok((report(&cells, seeds), complaints))
}

fn search(
    setup: &BenchSetup,
    program: &str,
    searcher: Option<&str>,
    seed: u64,
) -> Result<Found, String> {
    let source: PathBuf = setup.root.join("bench/directed").join(program).with_extension("c");
    let search = TargetSearch {
        program: &source,
        target: "errors".to_owned(),
        searcher,
        seed,
        options: vec!["--max-work".to_owned(), MAX_WORK.to_string()],
        limit: Duration::from_secs(600),
    };
    search.run(setup)
}

fn report(cells: &[FigureCell], seeds: u64) -> String {
    let mut out = format!(
        "Work until the assertion fails (forks), the median of seeds 1 to {seeds}; in how many of them \
         within {} work:\n\n| searcher | {} |\n| --- | --- | --- | --- |\n",
        grouped(MAX_WORK),
        PROGRAMS.join(" | ")
    );
    for searcher in SEARCHERS {
        let row = cells.iter().filter(|cell| cell.searcher == searcher).map(|cell| {
            let found = match (cell.work(), cell.forks()) {
                (Some(work), Some(forks)) => format!("{} ({forks})", compact(work as u64)),
                _ => "not found".to_owned(),
            };
            format!("{found}, {} of {}", cell.reached(), cell.found.len())
        });
        out.push_str(&format!(
            "| {} | {} |\n",
            name(searcher),
            row.collect::<Vec<_>>().join(" | ")
        ));
    }
    out
}

/// What the paper shows and these searches do not.
fn complaints(cells: &[FigureCell]) -> Vec<String> {
    let cell = |program: &str, searcher: &str| {
        cells.iter().find(|cell| cell.program == program && cell.searcher == Some(searcher))
    };
    let forks = |searcher| cell("figure2", searcher).and_then(FigureCell::forks);
    let work = |program, searcher| cell(program, searcher).and_then(FigureCell::work);
    // A search that did not end would have taken more than all it was given.
    let at_least = |program, searcher| work(program, searcher).unwrap_or(MAX_WORK as f64);
    let mut complaints = Vec::new();
    if forks("sdse").is_none_or(|forks| forks >= 200.0) {
        complaints.push("figure 2 takes sdse 200 forks or more".to_owned());
    }
    if forks("random-path").zip(forks("sdse")).is_some_and(|(random, own)| random <= own) {
        complaints.push("figure 2 takes random-path no more forks than sdse".to_owned());
    }
    if work("figure3", "ccbse(random-path)")
        .is_none_or(|work| work * 10.0 > at_least("figure3", "sdse"))
    {
        complaints.push("figure 3 takes ccbse more than a tenth of the work of sdse".to_owned());
    }
    if work("figure4", "mix-ccbse(random-path)")
        .is_none_or(|work| work * 10.0 > at_least("figure4", "ccbse(random-path)"))
    {
        complaints
            .push("figure 4 takes ccbse less than ten times the work of mix-ccbse".to_owned());
    }
    complaints
}

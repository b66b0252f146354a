//! Tools of Coreutils with a fault of a former version: processor seconds until it is reached.

use std::path::PathBuf;
use std::time::Duration;

use super::{Found, TargetSearch, median, name};
use crate::coreutils::Tools;
use crate::setup::BenchSetup;

const SEARCHERS: [Option<&str>; 8] = [
    Some("sdse"),
    Some("ccbse(random-path)"),
    Some("mix-ccbse(random-path)"),
    Some("mix-ccbse(klee-default)"),
    None,
    Some("random-path"),
    Some("klee-default"),
    Some("auto"),
];

/// A tool, and a text of the line that is reached only when the fault occurs.
const FAULTS: [(&str, &str); 3] =
    [("mkdir", "quote (optarg)"), ("paste", "past the end"), ("seq", "past the end")];

/// At most four arguments, of 10, 2 and 2 bytes, as in the paper.
const INPUT: &str = "--sym-args 0 1 10 --sym-args 0 3 2 --sym-files 1 8 --sym-stdin 8 --sym-stdout";

/// Time beyond its own limit after which a search counts as stuck.
const GRACE: Duration = Duration::from_secs(120);

/// The table of processor seconds.
pub fn measure(setup: &BenchSetup, seeds: u64, limit: Duration) -> Result<String, String> {
    let tools = Tools::build(setup)?;
    let header: Vec<&str> = FAULTS.iter().map(|(tool, _)| *tool).collect();
    let mut out = format!(
        "\nProcessor seconds until the fault is reached, the median of seeds 1 to {seeds}; the limit is \
         {} s:\n\n| searcher | {} |\n| --- | --- | --- | --- |\n",
        limit.as_secs(),
        header.join(" | ")
    );
    for searcher in SEARCHERS {
        let mut row = Vec::new();
        for (tool, text) in FAULTS {
            eprintln!("directed: {tool} by {}", name(searcher));
            let search = |seed| search(setup, &tools, tool, text, searcher, seed, limit);
            let found = (1..=seeds).map(search).collect::<Result<Vec<Found>, _>>()?;
            let seconds = found.iter().map(|it| it.is_reached.then_some(it.cpu_seconds));
            row.push(match median(seconds.collect()) {
                Some(seconds) => format!("{seconds:.1}"),
                None => "not found".to_owned(),
            });
        }
        out.push_str(&format!("| {} | {} |\n", name(searcher), row.join(" | ")));
    }
    Ok(out)
}

fn search(
    setup: &BenchSetup,
    tools: &Tools,
    tool: &str,
    text: &str,
    searcher: Option<&str>,
    seed: u64,
    limit: Duration,
) -> Result<Found, String> {
    let source = tools.faulty(tool, "c");
    let lines =
        std::fs::read_to_string(&source).map_err(|e| format!("{}: {e}", source.display()))?;
    let line = lines.lines().position(|line| line.contains(text));
    let line = line.ok_or_else(|| format!("{} has no `{text}`", source.display()))? + 1;
    let program: PathBuf = tools.faulty(tool, "bc");
    let mut options: Vec<String> = INPUT.split(' ').map(str::to_owned).collect();
    options.extend(["--max-cpu".to_owned(), format!("{}s", limit.as_secs())]);
    let search = TargetSearch {
        program: &program,
        target: format!("{tool}.c:{line}"),
        searcher,
        seed,
        options,
        limit: limit * 2 + GRACE,
    };
    search.run(setup)
}

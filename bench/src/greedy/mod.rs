//! `byway-bench greedy`: does `--search greedy` take the better of random tests and solving?
//!
//! The corpus is `bench/greedy`. The first part of a program's name says what it needs: random
//! tests, solving, or both on one path.

mod exploration;
mod judgement;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use byway_base::quantity::parse_time;

use crate::record;
use crate::setup::BenchSetup;
use exploration::{MeasuredExploration, explore};
use judgement::{Halves, Judgement, ProgramGroup};

const ABOUT: &str = "\
Does greedy take the better of random tests and solving?

Explores small programs: those where only random tests work (`random-*`: hashes, floats), those
where only solving works (`solving-*`: magic numbers, checksums), and those that need both on one
path (`both-*`). Each is explored with greedy, with each half of it alone and with auto, for the
same processor time. Times are processor seconds of byway and its child processes, from the start.

The exit code is 1 if, on some program, greedy covers fewer branch sides than the better half, takes
more than 1.5 times as long to cover what that half covers, or is not the only one of the three to
cover a program of the third group completely.";

const EXAMPLES: &str = "\
Examples:
  ./dev bench greedy --record
  ./dev bench greedy --only both --max-cpu 3s --seeds 1";

/// Greedy, its two halves, and a strategy for information.
const STRATEGIES: [&str; 4] = ["greedy", "greedy:random", "greedy:solving", "auto"];

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub struct GreedyOptions {
    /// Programs whose name contains this text
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    only: String,

    /// The processor time of each exploration
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_time)]
    max_cpu: Duration,

    /// Explore with the seeds 0 to N - 1
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,

    /// Write the result to bench/results/DATE-greedy.md
    #[arg(long)]
    record: bool,
}

/// Runs the benchmark and returns whether its result is as it should be.
pub fn main(options: GreedyOptions) -> Result<bool, String> {
    let setup = BenchSetup::in_memory()?;
    let programs = programs(&setup.root.join("bench/greedy"), &options.only)?;
    let mut report = heading(&options);
    let mut held = 0;
    for program in &programs {
        let (row, holds) = measure(&setup, program, &options)?;
        report += &row;
        held += usize::from(holds);
    }
    _ = write!(report, "\nThe verdict holds on {held} of {} programs.", programs.len());
    println!("{report}");
    if options.record {
        record::write("greedy", "Greedy beside its halves", &report)?;
    }
    Ok(held == programs.len())
}

/// A program of the corpus.
struct CorpusProgram {
    name: String,
    source: PathBuf,
    group: ProgramGroup,
}

/// The programs of a folder whose names contain a text, group by group.
fn programs(folder: &Path, only: &str) -> Result<Vec<CorpusProgram>, String> {
    let unreadable = |error| format!("cannot read {}: {error}", folder.display());
    let mut programs = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let source = entry.map_err(unreadable)?.path();
        let name = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !name.contains(only) || source.extension().is_none_or(|extension| extension != "c") {
            continue;
        }
        let group = ProgramGroup::of(&name).ok_or_else(|| format!("`{name}` is in no group"))?;
        programs.push(CorpusProgram { name, source, group });
    }
    if programs.is_empty() {
        return Err(format!("no program contains `{only}`"));
    }
    programs.sort_by(|a, b| (a.group, &a.name).cmp(&(b.group, &b.name)));
    Ok(programs)
}

/// Explores a program with every strategy and seed. Returns its row, and whether the verdict holds.
fn measure(
    setup: &BenchSetup,
    program: &CorpusProgram,
    options: &GreedyOptions,
) -> Result<(String, bool), String> {
    let mut runs: [Vec<MeasuredExploration>; STRATEGIES.len()] = Default::default();
    for seed in 0..options.seeds {
        for (own, strategy) in runs.iter_mut().zip(STRATEGIES) {
            let run = explore(setup, &program.source, strategy, seed, options.max_cpu)
                .map_err(|error| format!("{}, {strategy}: {error}", program.name))?;
            eprintln!("greedy: {}, seed {seed}, {strategy}: {run}", program.name);
            own.push(run);
        }
    }
    let [greedy, random, solving, _] = &runs;
    let judgement = Judgement::new(program.group, greedy, &Halves { random, solving });
    let mut row = format!("| {} | {} |", program.name, greedy[0].all_sides);
    for own in &runs {
        let mean = |figure: fn(&MeasuredExploration) -> f64| {
            own.iter().map(figure).sum::<f64>() / own.len() as f64
        };
        let sides = mean(|run| f64::from(run.sides()));
        _ = write!(row, " {sides} | {:.2} |", mean(MeasuredExploration::last_new));
    }
    let ratio = judgement.ratio.map_or("never".to_owned(), |ratio| format!("{ratio:.2}"));
    _ = writeln!(row, " {ratio} | {} |", judgement.verdict());
    Ok((row, judgement.holds()))
}

fn heading(options: &GreedyOptions) -> String {
    let mut text = format!(
        "Branch sides covered in {} s of the processor, and the seconds until the last new one; means \
         of {} seeds. *times the better half*: the time of greedy to cover what the better half \
         covers, as a multiple of the time of that half.\n\n| program | sides |",
        options.max_cpu.as_secs_f64(),
        options.seeds
    );
    STRATEGIES.iter().for_each(|strategy| text += &format!(" {strategy} | s |"));
    text += " times the better half | verdict |\n|---|---:|";
    text += &"---:|---:|".repeat(STRATEGIES.len());
    text += "---:|---|\n";
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_has_programs() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("greedy");
        let all = programs(&folder, "").expect("programs");
        for group in [ProgramGroup::Random, ProgramGroup::Solving, ProgramGroup::Both] {
            assert!(all.iter().filter(|program| program.group == group).count() >= 4);
        }
        assert!(programs(&folder, "nothing").is_err_and(|error| error.contains("nothing")));
    }
}

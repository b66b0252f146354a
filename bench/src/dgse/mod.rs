//! `byway-bench dgse`: what dependence guided exploration skips, and whether anything is lost.

mod changes;
mod endings;
mod exploration;
mod generate;
mod programs;
mod random_changes;
mod soundness;

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
pub struct DgseOptions {
    #[command(subcommand)]
    command: DgseCommand,
}

#[derive(clap::Subcommand, Debug)]
enum DgseCommand {
    /// Whether a reduced exploration of random programs shows what an exhaustive one shows
    Soundness(soundness::SoundnessOptions),
    /// Whether the exploration of a random change shows all its effects
    RandomChanges(random_changes::RandomChangesOptions),
    /// How much of realistic programs a reduced exploration skips
    Programs(programs::ProgramsOptions),
    /// Whether exploring what a change can affect shows the differences that it makes
    Changes(changes::ChangesOptions),
}

/// Runs the benchmark and returns whether its result is as it should be.
pub fn main(options: DgseOptions) -> Result<bool, String> {
    match options.command {
        DgseCommand::Soundness(options) => soundness::main(options),
        DgseCommand::RandomChanges(options) => random_changes::main(options),
        DgseCommand::Programs(options) => programs::main(options),
        DgseCommand::Changes(options) => changes::main(options),
    }
}

/// The rows of a table of counts by tenths of paths; the last counts those with all paths.
fn shares_table(counts: &[u64; 11]) -> String {
    let row = |(tenth, count): (usize, &u64)| match tenth {
        10 => format!("| all paths | {count} |\n"),
        _ => format!("| {} to {} % | {count} |\n", 10 * tenth, 10 * tenth + 10),
    };
    counts.iter().enumerate().map(row).collect()
}

//! `byway-bench dgse`: what dependence guided exploration skips, and whether anything is lost.

mod changes;
mod exploration;
mod generate;
mod programs;
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
    /// How much of realistic programs a reduced exploration skips
    Programs(programs::ProgramsOptions),
    /// Whether exploring what a change can affect shows the differences that it makes
    Changes(changes::ChangesOptions),
}

/// Runs the benchmark and returns whether its result is as it should be.
pub fn main(options: DgseOptions) -> Result<bool, String> {
    match options.command {
        DgseCommand::Soundness(options) => soundness::main(options),
        DgseCommand::Programs(options) => programs::main(options),
        DgseCommand::Changes(options) => changes::main(options),
    }
}

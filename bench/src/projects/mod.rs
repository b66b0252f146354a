//! `byway-bench projects`: projects with build systems of their own, built with `byway cc`.

mod build;
mod check;
mod table;

use std::fmt::Write as _;
use std::time::Duration;

use byway_base::quantity::parse_time;

use crate::record;
use crate::setup::BenchSetup;
use build::{BYWAY, CLANG, FinishedBuild};
use check::{Difference, ProjectExploration};
use table::{PROJECTS, SourceProject};

const ABOUT: &str = "\
Does CC='byway cc' make real projects explorable, with nothing else changed?

Builds projects of Debian's sources by their own build systems (autotools, CMake, make), once
with clang and once with 'byway cc', and compares the time. Runs each program on several
command lines natively and under 'byway exec': standard output and exit code must agree. Then
explores it with symbolic input: coverage, faults, and what Byway does not support. Libraries
are tested through a program of theirs. The first run fetches the sources into the cache.

The exit code is 1 if a build fails, a concrete run differs, or an exploration ends with an
error of Byway. Needs Debian's cmake, ed (for bc), tcl (for sqlite), and dpkg-dev, autoconf,
automake and autopoint (for make).";

const EXAMPLES: &str = "\
Examples:
  ./dev bench projects
  ./dev bench projects --only lua --max-time 10s";

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub struct ProjectsOptions {
    /// Projects whose name contains this text; several are separated by commas
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,

    /// How long each program is explored
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_time)]
    max_time: Duration,

    /// Write the result to bench/results/DATE-projects.md
    #[arg(long)]
    record: bool,
}

/// The result of one project.
struct ProjectFigures {
    clang: FinishedBuild,
    byway: FinishedBuild,
    differences: Vec<Difference>,
    exploration: Result<ProjectExploration, String>,
}

/// Runs the benchmark and returns whether its result is as it should be.
pub fn main(options: ProjectsOptions) -> Result<bool, String> {
    let setup = BenchSetup::new(None)?;
    let is_chosen = |project: &&SourceProject| {
        options.only.is_empty() || options.only.iter().any(|name| project.name.contains(name))
    };
    let mut report = format!(
        "Each project was built by its own build system, with clang and with `byway cc`. Times are of \
         one build without `-j`, configuration included: wall time, with processor time in parentheses. \
         Concrete runs agree if standard output and exit code do. Then each program was explored for \
         {} s; lines are those of the whole program with its libraries.\n\n\
         | project | build | clang, s | byway cc, s | concrete runs | paths | tests | lines | faults |\n\
         |---|---|---:|---:|---:|---:|---:|---:|---:|\n",
        options.max_time.as_secs()
    );
    let mut notes = String::new();
    let mut holds = true;
    for project in PROJECTS.iter().filter(is_chosen) {
        eprintln!("{} ...", project.name);
        let figures = measure(&setup, project, &options);
        holds &= figures.as_ref().is_ok_and(ProjectFigures::holds);
        let (row, notes_here) = (row(project, &figures), notes_of(project, &figures));
        // A run takes half an hour: what is known is shown.
        eprint!("{row}{notes_here}");
        report += &row;
        notes += &notes_here;
    }
    if !notes.is_empty() {
        _ = write!(report, "\nDifferences, errors, and what was not supported:\n\n{notes}");
    }
    println!("{report}");
    if options.record {
        record::write("projects", "Projects built with byway cc", &report)?;
    }
    Ok(holds)
}

impl ProjectFigures {
    fn holds(&self) -> bool {
        self.differences.is_empty()
            && self.exploration.as_ref().is_ok_and(|it| it.internal_errors == 0)
    }
}

fn measure(
    setup: &BenchSetup,
    project: &SourceProject,
    options: &ProjectsOptions,
) -> Result<ProjectFigures, String> {
    let work = setup.folder(project.name)?;
    let clang = build::build(setup, project, &CLANG, &work)
        .map_err(|error| format!("with clang, {error}"))?;
    let byway = build::build(setup, project, &BYWAY, &work)?;
    let differences = check::differences(setup, project, &byway.folder)?;
    let exploration = check::explore(setup, project, &byway.folder, options.max_time);
    Ok(ProjectFigures { clang, byway, differences, exploration })
}

fn row(project: &SourceProject, figures: &Result<ProjectFigures, String>) -> String {
    let head = format!("| {} | {} |", project.name, project.build_system);
    let Ok(figures) = figures else { return format!("{head} - | - | - | - | - | - | - |\n") };
    let time = |build: &FinishedBuild| format!("{:.1} ({:.1})", build.wall, build.cpu);
    let runs = project.commands.len();
    let explored = match &figures.exploration {
        Ok(it) => {
            let (covered, all) = it.lines;
            let share = 100.0 * covered as f64 / all.max(1) as f64;
            format!(
                "{} | {} | {covered} of {all}, {share:.1} % | {}",
                it.paths,
                it.tests,
                it.faults.len()
            )
        }
        Err(_) => "- | - | - | -".to_string(),
    };
    format!(
        "{head} {} | {} | {} of {runs} | {explored} |\n",
        time(&figures.clang),
        time(&figures.byway),
        runs - figures.differences.len()
    )
}

fn notes_of(project: &SourceProject, figures: &Result<ProjectFigures, String>) -> String {
    let name = project.name;
    let figures = match figures {
        Ok(figures) => figures,
        Err(error) => return format!("- {name}: {error}\n"),
    };
    let mut notes = String::new();
    for Difference { command, how } in &figures.differences {
        _ = writeln!(notes, "- {name}: `{command}`: {how}");
    }
    match &figures.exploration {
        Ok(it) => {
            for fault in &it.faults {
                _ = writeln!(notes, "- {name}: fault: {fault}");
            }
            for (feature, count) in &it.unsupported {
                _ = writeln!(notes, "- {name}: unsupported, {count} times: {feature}");
            }
            if it.internal_errors > 0 {
                _ = writeln!(notes, "- {name}: {} internal errors", it.internal_errors);
            }
        }
        Err(error) => _ = writeln!(notes, "- {name}: the exploration failed: {error}"),
    }
    notes
}

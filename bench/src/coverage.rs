//! `byway-bench coverage`: which of the repository's tests exercises each kind
//! of instruction and each LLVM intrinsic.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use byway_ir::{Origin, text};

use crate::compare::file_name;
use crate::instructions;
use crate::process;
use crate::setup::BenchSetup;
use crate::suite::faults;
use crate::suite::programs::TestProgram;
use crate::toolchain::Level;

const ABOUT: &str = "\
Which test exercises each instruction and each intrinsic?

Takes every program in tests/c, tests/ll and tests/faults, at -O0 and -O2 (faults at their own
level), and examines the program's own functions: instructions in Byway's IR, calls of
intrinsics in LLVM's. Prints a Markdown table. bench/intrinsics.txt lists the intrinsics it must
find.

The exit code is 1 if a row has no program.";

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT)]
pub struct CoverageOptions {
    /// Programs checked at once
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,

    /// Write the table to docs/test-coverage.md
    #[arg(long)]
    record: bool,
}

/// The intrinsics clang makes of C that Byway supports, by name without types.
const INTRINSICS: &str = include_str!("../intrinsics.txt");

/// How many programs a row names before it only counts.
const NAMES_LISTED: usize = 4;

const LIMIT: Duration = Duration::from_secs(120);

/// The programs of each row.
type CoverageRows = BTreeMap<String, BTreeSet<String>>;

/// What one program contains.
#[derive(Default)]
struct ProgramContents {
    instructions: BTreeSet<String>,
    intrinsics: BTreeSet<String>,
}

/// Runs the benchmark and returns whether every row is filled.
pub fn main(options: CoverageOptions) -> Result<bool, String> {
    let CoverageOptions { jobs, record } = options;

    let setup = BenchSetup::new(None)?;
    let mut work = Vec::new();
    for program in TestProgram::all(&setup)? {
        work.extend(Level::COMPARED.map(|level| (program.path.clone(), level)));
    }
    work.extend(faults::levels(&setup)?);
    let contents =
        byway_progress::map_jobs(&work, jobs, |(path, level)| contents(&setup, path, *level));

    let mut instructions: CoverageRows = listed(instructions::all().iter().map(String::as_str));
    let mut intrinsics: CoverageRows = listed(intrinsic_names());
    let mut failures = Vec::new();
    for ((path, level), contents) in work.iter().zip(contents) {
        let name = file_name(path);
        match contents {
            Ok(contents) => {
                fill(&mut instructions, &name, contents.instructions);
                fill(&mut intrinsics, &name, contents.intrinsics);
            }
            Err(error) => failures.push(format!("{name} {}: {error}", level.flag())),
        }
    }
    let order = instructions::all();
    let report = format!(
        "## Instructions\n\n{}\n## Intrinsics\n\n{}",
        table("instruction", order.iter(), &instructions),
        table("intrinsic", intrinsics.keys(), &intrinsics),
    );
    let empty = empty_rows(&instructions).chain(empty_rows(&intrinsics)).collect::<Vec<_>>();
    println!("{report}");
    if record {
        write(&setup, &report)?;
    }
    if !empty.is_empty() {
        eprintln!("byway-bench: no test exercises {}", empty.join(", "));
    }
    failures.iter().for_each(|failure| eprintln!("byway-bench: {failure}"));
    Ok(empty.is_empty() && failures.is_empty())
}

fn contents(setup: &BenchSetup, path: &Path, level: Level) -> Result<ProgramContents, String> {
    let program = TestProgram::read(path.to_owned())?;
    let folder = setup.folder(&file_name(path))?;
    let mut command = setup.byway();
    command.arg("ir").args(program.for_byway(setup, level, &folder)?);
    let printed = process::succeed(&mut command, LIMIT)?;
    let module = text::parse(&String::from_utf8_lossy(&printed.stdout))
        .map_err(|e| format!("byway's own text is not understood: {e}"))?;
    let own = module.funcs.values().filter(|func| func.origin == Origin::User);
    let llvm = setup.toolchain.textual_ir(path, level, &program.flags)?;
    Ok(ProgramContents {
        instructions: own.flat_map(instructions::of).collect(),
        intrinsics: called_intrinsics(&llvm).map(base_name).collect(),
    })
}

/// Rows without programs.
fn listed<'a>(names: impl Iterator<Item = &'a str>) -> CoverageRows {
    names.map(|name| (name.to_owned(), BTreeSet::new())).collect()
}

fn fill(rows: &mut CoverageRows, program: &str, found: BTreeSet<String>) {
    for row in found {
        rows.entry(row).or_default().insert(program.to_owned());
    }
}

fn empty_rows(rows: &CoverageRows) -> impl Iterator<Item = String> {
    rows.iter().filter(|(_, programs)| programs.is_empty()).map(|(row, _)| format!("`{row}`"))
}

/// The names in `bench/intrinsics.txt`; `#` starts a comment.
fn intrinsic_names() -> impl Iterator<Item = &'static str> {
    INTRINSICS
        .lines()
        .flat_map(|line| line.split('#').next().unwrap_or_default().split_whitespace())
}

/// The intrinsics called in a textual module, with repetitions.
fn called_intrinsics(llvm: &str) -> impl Iterator<Item = &str> {
    let calls = llvm.lines().filter(|line| line.contains("call ") || line.contains("invoke "));
    calls.filter_map(|line| {
        let name = &line[line.find("@llvm.")? + 1..];
        name.split('(').next()
    })
}

/// An intrinsic's name without `llvm.` and the types it is overloaded for.
fn base_name(name: &str) -> String {
    let mut base = name.strip_prefix("llvm.").unwrap_or(name);
    while let Some((rest, last)) = base.rsplit_once('.')
        && is_type(last)
    {
        base = rest;
    }
    base.to_owned()
}

/// Whether a part of a name is a type: `i32`, `v4f32`, `p0`, `bf16`.
fn is_type(part: &str) -> bool {
    let scalar = part.trim_start_matches('v').trim_start_matches(|c: char| c.is_ascii_digit());
    let kind = scalar.trim_end_matches(|c: char| c.is_ascii_digit());
    kind.len() < scalar.len() && ["i", "f", "p", "bf"].contains(&kind)
}

fn table<'a>(what: &str, order: impl Iterator<Item = &'a String>, rows: &CoverageRows) -> String {
    let mut out = format!("| {what} | programs | |\n| --- | --- | --- |\n");
    for name in order {
        let Some(programs) = rows.get(name) else { continue };
        let first: Vec<_> = programs.iter().take(NAMES_LISTED).map(String::as_str).collect();
        let more = if programs.len() > NAMES_LISTED { ", ..." } else { "" };
        out.push_str(&format!("| {name} | {} | {}{more} |\n", programs.len(), first.join(", ")));
    }
    out
}

fn write(setup: &BenchSetup, report: &str) -> Result<(), String> {
    let path = setup.root.join("docs/test-coverage.md");
    let text = format!(
        "# What the tests exercise\n\n\
         Written by `./dev bench coverage --record`: for each kind of instruction of Byway's IR\n\
         and each intrinsic of LLVM, the programs in `tests/` whose own functions contain it, at\n\
         -O0 or -O2. `./dev test` fails if a row is empty.\n\n{}\n",
        report.trim_end()
    );
    crate::setup::create_dir(&setup.root.join("docs"))?;
    std::fs::write(&path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intrinsics_are_found_and_named() {
        let llvm = "  %1 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %a, i32 1)\n\
                    declare i32 @llvm.bswap.i32(i32)\n\
                    @llvm.used = appending global [1 x ptr] [ptr @x]\n\
                    tail call void @llvm.memcpy.p0.p0.i64(ptr %1, ptr %2, i64 8, i1 false)\n\
                    %2 = call <8 x i16> @llvm.x86.sse2.pavg.w(<8 x i16> %a, <8 x i16> %b)\n";
        let names: Vec<_> = called_intrinsics(llvm).map(base_name).collect();
        assert_eq!(names, ["sadd.with.overflow", "memcpy", "x86.sse2.pavg.w"]);
        assert_eq!(base_name("llvm.vector.reduce.add.v4i32"), "vector.reduce.add");
    }
}

//! Builds programs for native runs of inputs, as `byway run` would load them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use byway_native::inputs::{InputProgram, InputRunner, LoweringTools, ProgramWords, RunLimits};
use byway_native::sandbox::Containment;
use byway_native::{BuildSpec, Musl, ProgramSource, SourceKind};

use crate::setup::{BenchSetup, WorkDir};

/// How `byway` compiles C (`crates/byway/src/load/compile.rs`), as far as it matters here.
const OPTIONS: [&str; 9] = [
    "-c",
    "-emit-llvm",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-ffp-contract=off",
    "-fno-stack-protector",
    "-U_FORTIFY_SOURCE",
    "-nostdlibinc",
    "-Wno-unused-command-line-argument",
];

const COMPILE_LIMIT: Duration = Duration::from_secs(300);

/// Builds a program from a C source, textual IR or bitcode. `level` is an option such as `-O0`.
pub fn build(
    setup: &BenchSetup,
    folder: &WorkDir,
    source: &Path,
    level: &str,
    flags: &[String],
) -> Result<InputProgram, String> {
    let byway = PathBuf::from(setup.byway().get_program());
    let runtime = std::env::var_os("BYWAY_RUNTIME_DIR").map(PathBuf::from);
    let runtime = runtime.unwrap_or_else(|| byway.with_file_name("byway-runtime"));
    let is_c = source.extension().is_some_and(|extension| extension == "c");
    let recipe = BuildSpec {
        sources: vec![ProgramSource {
            path: source.into(),
            kind: if is_c { SourceKind::C } else { SourceKind::Bitcode },
        }],
        directory: setup.root.clone(),
        clang: std::env::var_os("BYWAY_CLANG").unwrap_or_else(|| "clang-22".into()),
        optimise: level.trim_start_matches("-O").into(),
        options: Vec::new(),
        sanitizers: Vec::new(),
        time_limit: COMPILE_LIMIT,
    };
    let mut options: Vec<OsString> = OPTIONS.map(OsString::from).into();
    options.extend(["-isystem".into(), runtime.join("include").into_os_string(), level.into()]);
    if level == "-O0" {
        options.extend(["-Xclang".into(), "-disable-O0-optnone".into()]);
    }
    options.extend(flags.iter().map(OsString::from));
    let musl = Musl {
        library: Musl::directory().ok_or("no musl: install Debian's musl-dev")?,
        headers: runtime.join("include"),
        options,
    };
    let tools = LoweringTools {
        lowering: byway.with_file_name("byway-llvm"),
        libc: runtime.join("libc.bc"),
        runtime: runtime.join("runtime.bc"),
    };
    InputProgram::build(&recipe, &musl, &tools, folder.path(), &mut || true)
        .map_err(|error| format!("{error} {}", error.tool_output().trim()))
}

/// The command line of a program.
pub fn words(args: &[String], options: &[String]) -> ProgramWords {
    let bytes = |words: &[String]| words.iter().map(|word| word.as_bytes().to_vec()).collect();
    ProgramWords { args: bytes(args), env: Vec::new(), options: bytes(options) }
}

/// Starts a program in the sandbox.
pub fn start(program: &InputProgram, words: &ProgramWords) -> Result<InputRunner, String> {
    InputRunner::start(program, words, RunLimits::default(), Containment::Namespaces)
        .map_err(|error| error.to_string())
}

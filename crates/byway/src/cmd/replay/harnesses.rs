//! The program of a run that starts in a function: one executable that includes the harness of
//! every test, and calls the one whose number is its argument.

use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use byway_native::{BuildSpec, ProgramSource, SourceKind};
use byway_rundir::RunReader;

use crate::entry::harness;
use crate::failure::{Failure, Result};
use crate::native_run::{LoadedTest, RunTest};

/// Builds the harnesses of the tests instead of the program, in a file in `dir`.
pub fn spec(spec: BuildSpec, run: &RunReader, tests: &[RunTest], dir: &Path) -> Result<BuildSpec> {
    let mut included: Option<PathBuf> = None;
    let mut harnesses = Vec::new();
    for test in tests {
        let file = run.test_path(&harness::file_name(&test.name));
        let Ok(text) = fs::read_to_string(&file) else { continue };
        included = included.or_else(|| harness::included(&text).map(PathBuf::from));
        harnesses.push((test.number, file));
    }
    let file = dir.join("harness.c");
    let text = combined(included.as_deref(), &harnesses);
    fs::write(&file, text).map_err(|error| Failure::io("write", &file, &error))?;
    let real = |path: &Path| fs::canonicalize(spec.directory.join(path)).ok();
    let included = included.as_deref().and_then(real);
    let is_other = |source: &ProgramSource| included.is_none() || real(&source.path) != included;
    let others = spec.sources.iter().filter(|source| is_other(source)).cloned();
    let sources = [ProgramSource { path: file, kind: SourceKind::C }].into_iter().chain(others);
    let mut options = spec.options.clone();
    options.push(OsString::from(format!("-Dmain={}", harness::RENAMED_MAIN)));
    Ok(BuildSpec { sources: sources.collect(), options, ..spec })
}

/// A test calls its harness by its number; the harness reads no input.
pub fn call(mut test: LoadedTest, number: u64) -> LoadedTest {
    let name = test.input.arguments.first().cloned().unwrap_or_default();
    test.input.arguments = vec![name, number.to_string().into_bytes()];
    test.input.consumed_inputs = test.inputs.inputs.len();
    test
}

fn combined(included: Option<&Path>, harnesses: &[(u64, PathBuf)]) -> String {
    let mut text = String::from("#define BYWAY_HARNESS\n");
    // Writing into a string cannot fail.
    if let Some(source) = included {
        let _ = writeln!(text, "#include \"{}\"", harness::escaped(source));
    }
    text += "#undef main\n";
    for (_, file) in harnesses {
        let _ = writeln!(text, "#include \"{}\"", harness::escaped(file));
    }
    text += "int main(int argc, char **argv)\n{\n\tint number = 0;\n";
    text +=
        "\tfor (char *c = argc > 1 ? argv[1] : \"\"; *c; c++) number = 10 * number + *c - '0';\n";
    text += "\tswitch (number) {\n";
    for (number, _) in harnesses {
        let _ = writeln!(text, "\tcase {number}: return {}();", harness::case_name(*number));
    }
    text + "\tdefault: return 125;\n\t}\n}\n"
}

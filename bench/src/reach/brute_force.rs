//! Which targets of a program any input reaches, found by running it natively on all inputs.
//!
//! Each target line gets a call that records it, and `bench/reach/driver.h` runs the program on one
//! input after the other. So the verdicts that comments state do not depend on Byway.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use byway_testcase::symbolic::SymbolicInputSpec;

use super::expectation::ReachExpectation;
use crate::process::{self, ProcessStatus};
use crate::setup::{BenchSetup, WorkDir};
use crate::sym::{inputs, native};

/// 65,536 processes take half a minute; more means an endless loop.
const LIMIT: Duration = Duration::from_secs(600);

/// The size of the file of hits, as in the driver.
const HITS: usize = 256;

/// Whether some input reaches each target line, by ascending line of the program, then of its
/// further sources.
pub fn reached_lines(
    setup: &BenchSetup,
    program: &Path,
    expectation: &ReachExpectation,
) -> Result<Vec<bool>, String> {
    let folder = setup.folder("brute-force")?;
    let mut targets = 0;
    let driver = setup.root.join("bench/reach/driver.h");
    let head = format!("#include \"{}\"\n#define main driver_program", driver.display());
    let main = instrumented(&read(program)?, &mut targets)
        .replace("#include <byway.h>", "")
        .replace("int main(void)", "int main(int argc, char **argv)");
    let mut sources = vec![write(&folder, "program.c", &format!("{head}\n{main}"))?];
    for (index, other) in expectation.sources.iter().enumerate() {
        let directory = program.parent().unwrap_or(Path::new("."));
        let text = instrumented(&read(&directory.join(other))?, &mut targets);
        let head = "extern unsigned char *driver_hits;\n\
                    #define HIT(target) (driver_hits[target] = 1)";
        sources.push(write(&folder, &format!("other{index}.c"), &format!("{head}\n{text}"))?);
    }
    if targets > HITS {
        return Err(format!("more than {HITS} targets"));
    }
    let executable = folder.file("program");
    setup.toolchain.native(&sources, &executable)?;
    let hits = run(&folder, &executable, expectation)?;
    Ok(hits[..targets].iter().map(|&hit| hit != 0).collect())
}

/// Runs the program on all its inputs; returns the file of hits.
fn run(
    folder: &WorkDir,
    executable: &Path,
    expectation: &ReachExpectation,
) -> Result<Vec<u8>, String> {
    let words = expectation.arguments.iter().chain(&expectation.symbolic);
    let words: Vec<Vec<u8>> = words.map(|word| word.as_bytes().to_vec()).collect();
    let every: Vec<u8> = (0..=u8::MAX).collect();
    let alphabet = if expectation.bytes.is_empty() { &every } else { &expectation.bytes };
    let mut requests = Vec::new();
    for input in inputs::all(&SymbolicInputSpec::parse(&words)?, alphabet)? {
        native::request(&mut requests, &input)?;
    }
    let (request_file, hit_file) = (folder.file("requests"), folder.file("hits"));
    std::fs::write(&request_file, requests).map_err(|e| format!("requests: {e}"))?;
    std::fs::write(&hit_file, [0; HITS]).map_err(|e| format!("hits: {e}"))?;
    let mut command = Command::new(executable);
    command.args([&request_file, &hit_file]).current_dir(folder.path());
    let ended = process::run(&mut command, b"", LIMIT)?;
    match ended.status {
        ProcessStatus::Code(0) => std::fs::read(&hit_file).map_err(|e| format!("hits: {e}")),
        status => Err(format!("natively: {status}: {}", ended.stderr_text().trim())),
    }
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

fn write(folder: &WorkDir, name: &str, text: &str) -> Result<PathBuf, String> {
    let path = folder.file(name);
    std::fs::write(&path, text).map_err(|e| format!("{name}: {e}"))?;
    Ok(path)
}

/// The source with a call in each target line, numbered in their order.
fn instrumented(source: &str, targets: &mut usize) -> String {
    let mut line = |line: &str| match line.split_once("// TARGET ") {
        Some((code, _)) => {
            *targets += 1;
            with_hit(code, *targets - 1) + "\n"
        }
        None => format!("{line}\n"),
    };
    source.lines().map(&mut line).collect()
}

/// A line of code that records its target when it is executed. The evaluation of its first
/// operand or expression includes the call, so that it stays one statement.
fn with_hit(code: &str, target: usize) -> String {
    let hit = format!("HIT({target})");
    let (code, rest) = (code.trim_end(), code.trim_start());
    let indent = &code[..code.len() - rest.trim_end().len()];
    let rest = rest.trim_end();
    // A whole function: its first statement.
    let (before, rest) = match rest.split_once("{ ") {
        Some((head, body)) if rest.ends_with('}') => (format!("{indent}{head}{{ "), body),
        _ => (indent.to_owned(), rest),
    };
    for (start, with_hit) in [
        ("return ", format!("return {hit}, ")),
        ("above(", format!("{hit} * above(")),
        ("? ", format!("? {hit}, ")),
        ("int y = ", format!("int y = {hit} * ")),
        ("FAIL(", format!("FAIL({hit} * ")),
    ] {
        if let Some(rest) = rest.strip_prefix(start) {
            return format!("{before}{with_hit}{rest}");
        }
    }
    match rest == "break;" || rest.starts_with("assert(") {
        true => format!("{before}{{ {hit}; {rest} }}"),
        false => format!("{before}{hit}, {rest}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_stays_one_statement() {
        for (code, expected) in [
            ("    x = 1; ", "    HIT(3), x = 1;"),
            ("  return f(x); ", "  return HIT(3), f(x);"),
            ("  above(x) && ", "  HIT(3) * above(x) &&"),
            ("int f(int x) { return x; } ", "int f(int x) { return HIT(3), x; }"),
            ("void f(void) { x = 1; } ", "void f(void) { HIT(3), x = 1; }"),
            ("  break; ", "  { HIT(3); break; }"),
        ] {
            assert_eq!(with_hit(code, 3), expected);
        }
    }
}

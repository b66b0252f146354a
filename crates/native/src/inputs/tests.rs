//! Programs that do what runs must survive.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;

use super::*;
use crate::sandbox::Containment;
use crate::{BuildSpec, Musl, ProgramSource, SourceKind};

/// The parts that `./dev build` leaves beside the test executables' folder.
fn tools() -> Option<(LoweringTools, PathBuf)> {
    let own = std::env::current_exe().ok()?;
    let target = own.ancestors().nth(3)?;
    let lowering = ["release", "debug"].map(|profile| target.join(profile).join("byway-llvm"));
    let runtime = std::env::var_os("BYWAY_RUNTIME_DIR").map(PathBuf::from);
    let runtime = runtime.unwrap_or_else(|| target.join("release/byway-runtime"));
    let tools = LoweringTools {
        lowering: lowering.into_iter().find(|path| path.is_file())?,
        libc: runtime.join("libc.bc"),
        runtime: runtime.join("runtime.bc"),
    };
    tools.libc.is_file().then(|| (tools, runtime.join("include")))
}

struct BuiltTest {
    program: InputProgram,
    _dir: TempDir,
}

fn build(source: &str) -> BuiltTest {
    let (tools, headers) = tools().expect("run './dev build' first");
    let dir = TempDir::new().expect("a directory");
    fs::write(dir.path().join("program.c"), source).expect("a source");
    let recipe = BuildSpec {
        sources: vec![ProgramSource { path: "program.c".into(), kind: SourceKind::C }],
        directory: dir.path().into(),
        clang: std::env::var_os("BYWAY_CLANG").unwrap_or_else(|| "clang-22".into()),
        optimise: "0".into(),
        options: Vec::new(),
        sanitizers: Vec::new(),
        time_limit: Duration::from_secs(120),
    };
    let words = ["-c", "-emit-llvm", "-g", "-O0", "-nostdlibinc", "-Xclang", "-disable-O0-optnone"];
    let mut options: Vec<OsString> = words.map(OsString::from).into();
    options.extend(["-isystem".into(), headers.clone().into()]);
    let library = Musl::directory().expect("Debian's musl-dev");
    let musl = Musl { library, headers, options };
    let program = InputProgram::build(&recipe, &musl, &tools, dir.path(), &mut || true);
    BuiltTest { program: program.unwrap_or_else(|e| panic!("{e}: {}", e.tool_output())), _dir: dir }
}

impl BuiltTest {
    fn runner_with(&self, words: &[&str], limits: RunLimits) -> Result<InputRunner, RunnerError> {
        let options = words.iter().map(|word| word.as_bytes().to_vec()).collect();
        let words = ProgramWords { args: vec![b"program".to_vec()], env: Vec::new(), options };
        InputRunner::start(&self.program, &words, limits, Containment::Namespaces)
    }

    fn runner(&self) -> InputRunner {
        let limits = RunLimits { time: Duration::from_millis(200), ..RunLimits::default() };
        self.runner_with(&[], limits).expect("it starts")
    }
}

fn endings(runner: &mut InputRunner, inputs: &[&[u8]], mode: RunMode) -> Vec<InputEnding> {
    let mut batch = InputBatch::new();
    assert!(inputs.iter().all(|input| batch.push(input)));
    runner.run_batch(&batch, mode, &mut || true).expect("they run").endings
}

const MODES: [RunMode; 2] = [RunMode::Fork, RunMode::Loop];

const ENDS: &str = r#"
#include <assert.h>
#include <byway.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int calls; static char *kept;
static void *nothing(void *x) { return x; }
static int deep(int n) { volatile char room[4096]; room[0] = n; return deep(n + 1) + room[0]; }
int main(void) {
    char what;
    byway_make_symbolic(&what, 1, "what");
    calls++;
    if (kept) return 99;
    kept = malloc(100000);
    for (int i = 0; i < 100000; i++) if (kept[i]) return 98;
    memset(kept, 1, 100000);
    switch (what) {
    case 'a': abort();
    case 'b': return *(volatile char *)1;
    case 'c': for (;;) calls += 2;
    case 'd': return deep(0);
    case 'e': byway_assume(what == 'x'); return 1;
    case 'f': return fork() < 0 ? 50 : 51;
    case 'g': { FILE *out = fopen("made", "wx"); return out && fputs("x", out) >= 0 ? 60 : 61; }
    case 'h': { pthread_t it; return pthread_create(&it, 0, nothing, 0) ? 70 : 71; }
    case 'i': _exit(80);
    case 'j': assert(what != 'j');
    case 'k': byway_report("told"); return 1;
    case 'l': exit(81);
    case 'm': { int n = 0; while (malloc(1 << 20)) n++; return n > 100 ? 82 : 83; }
    case 'n': free(kept); free(kept); return 1;
    }
    return calls;
}
"#;

#[test]
fn every_ending_ends_one_run_and_leaves_nothing_behind() {
    use InputEnding::*;
    let built = build(ENDS);
    let inputs: Vec<&[u8]> =
        (b'`'..=b'n').map(|b| std::slice::from_ref(&BYTES[b as usize])).collect();
    for mode in MODES {
        let mut runner = built.runner();
        for _ in 0..2 {
            let ended = endings(&mut runner, &inputs, mode);
            let expected = [Exited(1), Raised(6), Killed(11), TimedOut, Killed(11), Excluded];
            assert_eq!(ended[..6], expected, "{mode:?}");
            assert!(matches!(ended[6], Exited(50) | Unsupported), "{mode:?}: {:?}", ended[6]);
            assert_eq!(ended[7], Exited(60), "{mode:?}");
            assert!(matches!(ended[8], Exited(70) | Unsupported), "{mode:?}: {:?}", ended[8]);
            let line = ENDS.lines().position(|l| l.contains("'j'")).expect("a line") as u32 + 1;
            let expected =
                [Exited(80), AssertionFailed(line), Reported, Exited(81), Exited(82), Raised(6)];
            assert_eq!(ended[9..], expected, "{mode:?}");
        }
    }
}

/// All bytes, to borrow inputs of one byte from.
static BYTES: [u8; 256] = {
    let mut bytes = [0; 256];
    let mut n = 0;
    while n < 256 {
        bytes[n] = n as u8;
        n += 1;
    }
    bytes
};

#[test]
fn counts_have_the_numbers_of_blocks() {
    let built = build(
        "#include <byway.h>\nint main(void) { unsigned char n; int sum = 0;\n\
         byway_make_symbolic(&n, 1, \"n\"); for (int i = 0; i < n; i++) sum += i; return sum; }",
    );
    let table = &built.program.edges;
    let main = built.program.module.func_by_name("main").expect("main");
    for mode in MODES {
        let mut runner = built.runner();
        let mut sums = vec![0; table.edges().len()];
        for n in [0u8, 3, 200] {
            let run = runner.run(&[n], mode, &mut || true).expect("it runs");
            let mut counts: Vec<u64> = table
                .blocks(&run.counts)
                .into_iter()
                .filter(|((f, _), _)| *f == main)
                .map(|(_, c)| c)
                .collect();
            counts.sort_unstable();
            // Entry, exit; body and step; condition.
            let n = u64::from(n);
            let expected: &[u64] = &[1, 1, n, n, n + 1];
            let mut expected: Vec<u64> = expected.iter().copied().filter(|&c| c != 0).collect();
            expected.sort_unstable();
            assert_eq!(counts, expected, "{mode:?}");
            assert_eq!((run.consumed, run.requested[0].name.as_str()), (1, "n"));
            sums.iter_mut().zip(&run.counts).for_each(|(sum, &c)| *sum += u64::from(c));
        }
        assert_eq!(runner.totals(), sums, "{mode:?}");
    }
}

#[test]
fn runs_with_new_counts_are_reported_once() {
    let built = build(
        "#include <byway.h>\nint main(void) { char b[2]; byway_make_symbolic(b, 2, \"b\");\n\
         if (b[0] == 'x' && b[1] == 'y') return 2; return b[0] == 'x'; }",
    );
    for mode in MODES {
        let mut runner = built.runner();
        let mut batch = InputBatch::new();
        for input in [b"ab", b"cd", b"xa", b"xb", b"xy", b"xy"] {
            assert!(batch.push(input));
        }
        let result = runner.run_batch(&batch, mode, &mut || true).expect("it runs");
        let novel: Vec<usize> = result.novel.iter().map(|run| run.input).collect();
        assert_eq!(novel, [0, 2, 4], "{mode:?}");
        let again = runner.run_batch(&batch, mode, &mut || true).expect("it runs");
        assert_eq!((again.endings, again.novel), (result.endings, Vec::new()));
    }
}

#[test]
fn arguments_files_and_standard_input_come_from_the_input() {
    let built = build(
        "#include <stdio.h>\n#include <string.h>\nint main(int argc, char **argv) {\n\
         char line[8] = \"\", word[8] = \"\"; FILE *file = fopen(\"A\", \"r\");\n\
         if (argc != 2 || !file || !fgets(line, 8, stdin) || !fgets(word, 8, file)) return 90;\n\
         return !strcmp(argv[1], \"ab\") + 2 * !strcmp(line, \"cde\") + 4 * !strcmp(word, \"fg\"); }",
    );
    let words = ["--sym-arg", "2", "--sym-files", "1", "2", "--sym-stdin", "3"];
    let mut runner = built.runner_with(&words, RunLimits::default()).expect("it starts");
    for mode in MODES {
        let run = runner.run(b"ab\0fgcde", mode, &mut || true).expect("it runs");
        let names: Vec<&str> = run.requested.iter().map(|r| r.name.as_str()).collect();
        assert_eq!(
            (names.as_slice(), run.ending),
            (&["arg00", "A-data", "stdin"][..], InputEnding::Exited(7))
        );
        let run = runner.run(b"ab\0fgcdX", mode, &mut || true).expect("it runs");
        assert_eq!(run.ending, InputEnding::Exited(5));
    }
}

#[test]
fn a_program_without_input_and_failures_at_the_start() {
    let start = |source: &str| {
        let limits = RunLimits { start_time: Duration::from_secs(1), ..RunLimits::default() };
        build(source).runner_with(&[], limits).map(drop).map_err(|error| error.to_string())
    };
    let crash = start("int main(void) { return *(volatile char *)1; }");
    assert!(crash.as_ref().is_err_and(|e| e.contains("signal 11")), "{crash:?}");
    let hang = start("int main(void) { for (;;) ; }");
    assert!(hang.as_ref().is_err_and(|e| e.contains("no input within 1 s")), "{hang:?}");
    let built = build("int main(void) { return 7; }");
    let mut runner = built.runner();
    let ended = endings(&mut runner, &[b"", b"x"], RunMode::Loop);
    assert_eq!(ended, [InputEnding::Exited(7); 2]);
    assert_eq!(runner.totals().iter().max(), Some(&2));
}

#[test]
fn a_caller_can_stop() {
    let built = build(ENDS);
    let limits = RunLimits { time: Duration::from_secs(100), ..RunLimits::default() };
    let mut runner = built.runner_with(&[], limits).expect("it starts");
    let stopped = runner.run(b"c", RunMode::Fork, &mut || false);
    assert!(matches!(stopped, Err(RunnerError::Stopped)));
}

#[test]
fn sources_that_do_not_compile_are_reported() {
    assert!(Path::new("/proc").exists());
    let broken = std::panic::catch_unwind(|| build("int main(void) { return"));
    assert!(broken.is_err());
}

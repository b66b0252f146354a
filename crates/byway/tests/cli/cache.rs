//! The cache: an unchanged program is compiled once, and a damaged or unusable cache never stops a
//! command.

use std::fs;

use crate::setup::{Run, TestDir, run};

const VALUE: &str = "#include \"value.h\"\nint main(void) { return VALUE; }\n";

fn loaded_from_cache(run: &Run) -> bool {
    assert!(run.stderr.contains("byway: load time"), "{run:#?}");
    run.stderr.contains("from the cache")
}

/// Waits, so that a file just written is older than the next compilation: a source that changed
/// since the compilation began is not cached.
fn settle() {
    std::thread::sleep(std::time::Duration::from_millis(50));
}

#[test]
fn the_second_load_is_a_read() {
    let lab = TestDir::with_own_cache();
    lab.file("value.h", "#define VALUE 3\n").file("a.c", VALUE);
    settle();
    let words = ["exec", "--stats", "a.c"];
    assert!(!loaded_from_cache(lab.byway(&words).code(3)));
    assert!(loaded_from_cache(lab.byway(&words).code(3)));
}

#[test]
fn what_was_changed_is_loaded_anew() {
    let lab = TestDir::with_own_cache();
    lab.file("value.h", "#define VALUE 3\n").file("a.c", VALUE);
    settle();
    let words = ["exec", "--stats", "a.c"];
    lab.byway(&words).code(3);
    lab.file("value.h", "#define VALUE 4\n");
    settle();
    assert!(!loaded_from_cache(lab.byway(&words).code(4)), "a header changed");
    lab.file("a.c", format!("{VALUE}\n"));
    settle();
    lab.byway(&words).code(4);
    lab.file("a.c", VALUE.replace("VALUE;", "VALUE + 1;"));
    settle();
    assert!(!loaded_from_cache(lab.byway(&words).code(5)), "the source changed");
    let other = ["exec", "--stats", "-O2", "a.c"];
    assert!(!loaded_from_cache(lab.byway(&other).code(5)), "the options changed");
    assert!(loaded_from_cache(lab.byway(&words).code(5)), "nothing changed");
}

#[test]
fn a_header_that_appears_before_another_is_noticed() {
    let lab = TestDir::with_own_cache();
    lab.file("inc/value.h", "#define VALUE 3\n").file("a.c", VALUE);
    settle();
    let words = ["exec", "--stats", "--cflags=-Iinc", "a.c"];
    lab.byway(&words).code(3);
    assert!(loaded_from_cache(lab.byway(&words).code(3)));
    lab.file("value.h", "#define VALUE 4\n");
    settle();
    assert!(!loaded_from_cache(lab.byway(&words).code(4)));
    assert!(loaded_from_cache(lab.byway(&words).code(4)));
    fs::remove_file(lab.path("value.h")).expect("the header");
    lab.byway(&words).code(3);
}

#[test]
fn a_header_that_is_only_looked_for_is_noticed() {
    let lab = TestDir::with_own_cache();
    let source = "#if __has_include(\"value.h\")\n#define VALUE 1\n#else\n#define VALUE 0\n#endif\n\
                  int main(void) { return VALUE; }\n";
    lab.file("a.c", source);
    settle();
    let words = ["exec", "--stats", "a.c"];
    lab.byway(&words).code(0);
    lab.file("value.h", "");
    settle();
    assert!(!loaded_from_cache(lab.byway(&words).code(1)));
}

#[test]
fn bitcode_is_known_by_its_contents() {
    let lab = TestDir::with_own_cache();
    lab.file("a.c", "int main(void) { return 3; }\n");
    lab.clang(&["-emit-llvm", "-c", "a.c", "-o", "a.bc"]);
    let words = ["exec", "--stats", "a.bc"];
    assert!(!loaded_from_cache(lab.byway(&words).code(3)));
    assert!(loaded_from_cache(lab.byway(&words).code(3)));
    lab.file("a.c", "int main(void) { return 4; }\n");
    lab.clang(&["-emit-llvm", "-c", "a.c", "-o", "a.bc"]);
    assert!(!loaded_from_cache(lab.byway(&words).code(4)));
}

#[test]
fn damaged_entries_are_ignored_and_replaced() {
    let lab = TestDir::with_own_cache();
    lab.file("a.c", "int main(void) { return 3; }\n");
    settle();
    let words = ["exec", "--stats", "a.c"];
    lab.byway(&words).code(3);
    let damage = |bytes: &mut Vec<u8>, how: usize| match how {
        0 => bytes.clear(),
        1 => bytes.truncate(bytes.len() / 2),
        2 => {
            let middle = bytes.len() / 2;
            bytes[middle] ^= 0x40;
        }
        _ => bytes.fill(0xff),
    };
    for shelf in ["modules", "compilations"] {
        for how in 0..4 {
            let files = lab.cached_files(shelf);
            assert_eq!(files.len(), 1, "{shelf}: {files:?}");
            let mut bytes = fs::read(&files[0]).expect("the entry");
            damage(&mut bytes, how);
            fs::write(&files[0], bytes).expect("the entry");
            lab.byway(&words).code(3).stdout("");
            assert!(loaded_from_cache(lab.byway(&words).code(3)), "{shelf}, damage {how}");
        }
    }
}

#[test]
fn a_cache_that_cannot_be_written_is_only_worth_a_warning() {
    let lab = TestDir::with_own_cache();
    lab.file("a.c", "int main(void) { return 3; }\n").file("cache", "a file is in the way");
    let run = lab.byway(&["exec", "a.c"]);
    run.code(3).says("byway: warning: cannot write the cache");
    lab.byway(&["exec", "--no-cache", "a.c"]).code(3).quiet();
}

#[test]
fn nothing_is_kept_when_asked() {
    let lab = TestDir::with_own_cache();
    lab.file("a.c", "int main(void) { return 3; }\n");
    settle();
    lab.byway(&["exec", "--no-cache", "a.c"]).code(3).quiet();
    assert!(!lab.path("cache").exists());
}

#[test]
fn another_bitcode_reader_does_not_get_the_old_programs() {
    let lab = TestDir::with_own_cache();
    lab.file("a.c", "int main(void) { return 3; }\n");
    settle();
    let words = ["exec", "--stats", "a.c"];
    lab.byway(&words).code(3);
    let real = std::path::Path::new(env!("CARGO_BIN_EXE_byway")).with_file_name("byway-llvm");
    lab.script("reader", &format!("exec '{}' \"$@\"", real.display()));
    let outcome = run(lab.command(&words).env("BYWAY_LLVM", lab.path("reader")), "");
    assert!(!loaded_from_cache(outcome.code(3)));
}

//! The programs in `examples/` do what their comments and the README say.

use std::path::Path;

use crate::setup::{Run, TestDir};

fn example(name: &str, args: &[&str], input: &str) -> Run {
    let lab = TestDir::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join("examples").join(name).canonicalize().expect("the example");
    let path = path.to_str().expect("a readable path");
    let words: Vec<&str> = ["exec", path, "--"].iter().chain(args).copied().collect();
    lab.byway_with_input(&words, input)
}

#[test]
fn hello() {
    example("hello.c", &[], "").code(0).stdout("Hello, world!\n").quiet();
    example("hello.c", &["Ada", "Grace"], "").code(0).stdout("Hello, Ada!\nHello, Grace!\n");
}

#[test]
fn wordcount() {
    let input = "the quick brown fox, the lazy dog; The END\n";
    let run = example("wordcount.c", &["2"], input);
    run.code(0).stdout("      3 the\n      1 brown\n").quiet();
    let many: String = (0..300).map(|i| format!("w{} ", "x".repeat(i % 60))).collect();
    assert_eq!(example("wordcount.c", &[], &many).code(0).stdout.lines().count(), 60);
    example("wordcount.c", &[], "").code(0).stdout("").quiet();
}

#[test]
fn sorted_list() {
    let run = example("sorted_list.c", &["3", "1", "4", "1", "5"], "");
    run.code(0).stdout("1 1 3 4 5\nmean 2.800, deviation 1.600\n").quiet();
    example("sorted_list.c", &[], "").code(2).says("usage: sorted_list");
}

#[test]
fn overflow() {
    example("overflow.c", &[], "")
        .code(1)
        .stdout("")
        .says("error[out-of-bounds]: write of 4 bytes");
}

#[test]
fn use_after_free() {
    let run = example("use_after_free.c", &[], "");
    run.code(1).says("error[use-after-free]").says("free(n);");
}

#[test]
fn average() {
    example("average.c", &["4", "8", "15"], "").code(0).stdout("average: 9\n").quiet();
    example("average.c", &[], "").code(1).says("error[division-by-zero]").says("sum / count");
}

//! `byway simulate`: tables that repeat, explanations with the paper's figures, clear errors.

use std::process::Stdio;
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::setup::TestDir;

const FIGURE_1: &str = include_str!("../../../../examples/figure1.chain");

const FIGURE_2: &str = "1 -> 2 0.5 2\n1 -> 3 rest 2\n2 -> 4 1 1\n3 -> 4 1 1\n";

/// The transitions of figure 1, followed by these lines.
fn figure_1(script: &str) -> String {
    let transitions: Vec<&str> = FIGURE_1.lines().filter(|line| line.contains("->")).collect();
    format!("{}\n{script}\n", transitions.join("\n"))
}

#[test]
fn the_same_seed_prints_the_same_bytes_on_any_number_of_threads() {
    let dir = TestDir::new();
    let words = ["simulate", "--states", "8,5,5", "--chains", "6", "--runs", "20"];
    let run = |more: &[&str]| dir.byway(&[&words, more].concat()).code(0).stdout.clone();
    let table = run(&["--jobs", "1"]);
    assert_eq!(table, run(&["--jobs", "3"]));
    assert_ne!(table, run(&["--seed", "2"]));
    assert_ne!(table, run(&["--estimator", "good-turing"]));
    let head = table.lines().nth(2).expect("a heading");
    assert_eq!(head.split_whitespace().collect::<Vec<_>>(), ["5", "states", "8", "states"]);
    for name in ["optimum", "random-testing", "nurs:covnew", "dart", "sgs", "greedy"] {
        let row = table.lines().find(|line| line.starts_with(name)).expect(name);
        assert_eq!(row.split_whitespace().count(), 3, "{row}");
    }
}

#[test]
fn json_and_plot_have_the_same_figures() {
    let dir = TestDir::new();
    let run = dir.byway(&[
        "simulate", "--states", "4,6", "--chains", "5", "--runs", "10", "--json", "--plot", "a.svg",
    ]);
    let json: Value = serde_json::from_str(&run.code(0).quiet().stdout).expect("JSON");
    assert_eq!((json["chains"].as_u64(), json["runs"].as_u64()), (Some(5), Some(10)));
    let sizes = json["sizes"].as_array().expect("sizes");
    assert_eq!(
        sizes.iter().map(|size| size["states"].as_u64()).collect::<Vec<_>>(),
        [Some(4), Some(6)]
    );
    let strategies = sizes[0]["strategies"].as_array().expect("strategies");
    let optimum = sizes[0]["mean_optimum"].as_f64().expect("an optimum");
    for strategy in strategies {
        let (cost, ratio) = (strategy["mean_cost"].as_f64(), strategy["ratio"].as_f64());
        assert!((cost.expect("a cost") / optimum - ratio.expect("a ratio")).abs() < 1e-9);
    }
    let plot = std::fs::read_to_string(dir.path("a.svg")).expect("a plot");
    assert!(plot.starts_with("<svg xmlns=") && plot.contains(">greedy</text>"), "{plot}");
}

#[test]
fn figure_1_is_explained_with_the_papers_figures() {
    let dir = TestDir::new();
    dir.file("figure1.chain", FIGURE_1);
    let run = dir.byway(&["simulate", "--chain", "figure1.chain", "--explain"]);
    let text = &run.code(0).quiet().stdout;
    for part in [
        "expected rewards  1 4.875 ",
        "test 1, given: 1 3 5 8: covers 1 3 5 8",
        "expected rewards  1 1   2 1.6667   3 0.6667   4 1   5 0.5   8 0   6 1.5   7 1",
        "tests 2 to 8, given: 1 3 5 8: nothing new",
        "random test       0.335 / 1 = 0.335",
        "solve 1 2         1.235 / 4 = 0.3088",
        "best: a random test",
        "tests 9 to 10, given: 1 3 5 8: nothing new",
        "best: solve 1 2",
        "everything is covered after ",
        "the optimal policy expects a cost of ",
    ] {
        assert!(text.contains(part), "no {part:?} in\n{text}");
    }
    let again = dir.byway(&["simulate", "--chain", "figure1.chain", "--explain"]);
    assert_eq!(&again.stdout, text);
}

#[test]
fn figure_1_solves_after_eight_tests_once_block_4_is_covered() {
    let dir = TestDir::new();
    dir.file("a.chain", figure_1("test 8 1 3 5 8\ncovered 4"));
    let run = dir.byway(&["simulate", "--chain", "a.chain", "--explain"]);
    let (_, text) = run.code(0).stdout.split_once("given: 4 covered\n").expect("the step");
    let (text, _) = text.split_once("\n\n").expect("its end");
    for part in [
        "random test       0.235 / 1 = 0.235",
        "solve 1 2         1.135 / 4 = 0.2838",
        "best: solve 1 2",
    ] {
        assert!(text.contains(part), "no {part:?} in\n{text}");
    }
}

#[test]
fn a_chain_of_ones_own_is_compared_with_its_optimum() {
    let dir = TestDir::new();
    dir.file("figure2.chain", FIGURE_2);
    let run = dir.byway(&["simulate", "--chain", "figure2.chain", "--runs", "4000"]);
    let table = &run.code(0).quiet().stdout;
    let row = |name: &str| -> Vec<f64> {
        let row = table.lines().find(|line| line.starts_with(name)).expect(name);
        row.split_whitespace().skip(1).map(|word| word.parse().expect("a number")).collect()
    };
    assert_eq!(row("optimum "), [3.0, 1.0]);
    assert!((row("random-testing ")[0] - 3.0).abs() < 0.2, "{table}");
    // One test, and a solved side.
    assert_eq!(row("dart "), [3.0, 1.0]);
}

#[test]
fn bad_options_and_chains_are_refused() {
    let dir = TestDir::new();
    dir.file("sum.chain", "a -> b 0.5 1\na -> c 0.4 1\n").file("bytes.chain", [0xff, 0xfe]);
    dir.file("ok.chain", FIGURE_2);
    let says = |words: &[&str], text: &str| {
        let words = [&["simulate"], words].concat();
        dir.byway(&words).code(2).says(text);
    };
    says(&["--chain", "none.chain"], "cannot read 'none.chain': No such file");
    says(&["--chain", "sum.chain"], "sum.chain:2: the probabilities of state 'a' have the sum 0.9");
    says(&["--chain", "bytes.chain"], "'bytes.chain' is not UTF-8 text");
    says(&["--chain", "ok.chain", "--states", "5"], "cannot be used with");
    says(&["--explain"], "--chain");
    says(&["--states", "0"], "0 is not in 1..=64");
    says(&["--states", "65"], "65 is not in 1..=64");
    says(&["--runs", "0"], "--runs");
    says(
        &["--chains", "1", "--runs", "1", "--states", "3", "--plot", "no/such/dir.svg"],
        "cannot write",
    );
}

#[test]
fn ctrl_c_stops_at_once() {
    let dir = TestDir::new();
    let mut command = dir.command(&["simulate", "--runs", "10000000"]);
    let child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("byway starts");
    thread::sleep(Duration::from_millis(500));
    let pid = libc::pid_t::try_from(child.id()).expect("a process id");
    // SAFETY: the process is a child that has not been waited for.
    assert_eq!(unsafe { libc::kill(pid, libc::SIGINT) }, 0);
    let output = child.wait_with_output().expect("byway ends");
    assert_eq!(output.status.code(), Some(130));
    assert!(output.stdout.is_empty());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("byway: stopped: interrupted while simulating"), "{said}");
}

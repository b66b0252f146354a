//! Interrupted runs: Ctrl-C, kill -9, directories that cannot be written, a full disk. No result
//! may be lost.

use std::fs::{self, File};
use std::io::Read;
use std::os::fd::FromRawFd;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::run::{MANY, lines, record};
use crate::setup::TestDir;

/// A run that would go on for long, once it has found something.
fn begun(lab: &TestDir) -> Child {
    begun_with(lab, "1")
}

fn begun_with(lab: &TestDir, jobs: &str) -> Child {
    lab.file("a.c", MANY);
    let child = lab
        .command(&["run", "--search", "dfs", "-j", jobs, "--output-dir", "out"])
        .args(["--unfinished-tests", "all", "a.c"])
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("byway starts");
    let paths = lab.path("out/paths.jsonl");
    let start = Instant::now();
    while !fs::metadata(&paths).is_ok_and(|it| it.len() > 2000) {
        assert!(start.elapsed() < Duration::from_secs(60), "it found nothing");
        thread::sleep(Duration::from_millis(5));
    }
    child
}

fn signal(child: &Child, name: &str) {
    let kill = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(kill.expect("kill starts").success());
}

#[test]
fn ctrl_c_stops_and_writes_everything() {
    stop_by_ctrl_c("1");
}

#[test]
fn ctrl_c_stops_all_jobs() {
    stop_by_ctrl_c("3");
}

fn stop_by_ctrl_c(jobs: &str) {
    let lab = TestDir::new();
    let child = begun_with(&lab, jobs);
    signal(&child, "-INT");
    let start = Instant::now();
    let output = child.wait_with_output().expect("byway ends");
    assert!(start.elapsed() < Duration::from_secs(20), "it took too long to stop");
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(
        words.contains("byway: stopped after ") && words.contains(": interrupted\n"),
        "{words}"
    );
    let summary = record(&lab.path("out/summary.json"));
    assert_eq!(summary["ended"], "interrupted");
    let paths = lines(&lab.path("out/paths.jsonl"));
    lab.byway(&["export", "out"]).code(0);
    let tests = fs::read_dir(lab.path("out/tests")).expect("tests").count();
    assert_eq!(paths.len(), tests);
    assert!(paths.iter().any(|path| path["outcome"]["kind"] == "interrupted"));
}

#[test]
fn a_run_that_is_killed_leaves_what_it_found() {
    let lab = TestDir::new();
    let mut child = begun(&lab);
    signal(&child, "-KILL");
    child.wait().expect("byway ends");
    assert!(!lab.path("out/summary.json").exists());
    let stats = lab.byway(&["stats", "out"]);
    stats.code(0).quiet();
    assert!(stats.stdout.starts_with("byway: incomplete: "), "{}", stats.stdout);
    assert!(stats.stdout.contains(" exit\n"), "{}", stats.stdout);
    lab.byway(&["stats", "--json", "out"]).code(0);
    let shown = lab.byway(&["show", "out", "1"]);
    assert!(shown.code(0).stdout.contains("ends with exit code 0\n"), "{}", shown.stdout);
    // Whatever there is as a test is whole.
    for entry in fs::read_dir(lab.path("out/tests")).expect("tests").flatten() {
        let name = entry.path().display().to_string();
        if name.ends_with(".ktest") {
            lab.byway(&["show", &name]).code(0);
            break;
        }
    }
}

#[test]
fn of_a_run_killed_at_once_nothing_is_made_up() {
    let lab = TestDir::new();
    let source = "#include <byway.h>\n#include <stdio.h>\nint main(void) {\n\
                  if (byway_range(0, 4, \"n\") == 2) puts(\"two\");\n return 0; }\n";
    lab.file("a.c", source);
    lab.byway(&["run", "--output-dir", "out", "a.c"]).code(0);
    let paths = lines(&lab.path("out/paths.jsonl"));
    let text = fs::read_to_string(lab.path("out/paths.jsonl")).expect("the paths");
    // As if it had been killed before it wrote statistics, and before the last path's line.
    for file in ["summary.json", "coverage.json", "branches.json"] {
        fs::remove_file(lab.path("out").join(file)).expect("removable");
    }
    let clock = fs::read_to_string(lab.path("out/clock.jsonl")).expect("the clock");
    let begun = clock.lines().next().expect("a line");
    lab.file("out/clock.jsonl", format!("{begun}\n"));
    let (first, _) = text.split_once('\n').expect("two paths");
    lab.file("out/paths.jsonl", format!("{first}\n"));
    let stats = lab.byway(&["stats", "out"]);
    stats.code(0).quiet();
    let taken = &paths[0]["instructions"];
    for line in [
        "  paths         1: 1 exit\n".to_string(),
        "  tests         2 in out/tests\n".to_string(),
        format!("  instructions  {taken} on these paths, each counted from the program's start\n"),
    ] {
        assert!(stats.stdout.contains(&line), "no {line:?} in {}", stats.stdout);
    }
    for unknown in ["forks", "states", "queries", "coverage", "memory"] {
        let line = format!("  {unknown:<13} unknown: the run wrote no statistics\n");
        assert!(stats.stdout.contains(&line), "no {line:?} in {}", stats.stdout);
    }
}

#[test]
fn a_place_that_cannot_be_written_is_told_at_once() {
    let lab = TestDir::new();
    lab.file("a.c", "int main(void) { return 0; }\n").file("full/file", "x").file("plain", "x");
    let run = |out: &str| lab.byway(&["run", "--output-dir", out, "a.c"]);
    run("full").code(2).says("the output directory 'full' is not empty").says("'full-2' is free");
    run("plain").code(2).says("'plain' cannot be the output directory: a file is there");
    run("plain/below").code(2).says("a file is there");
    run("/proc/nothing").code(2).says("cannot make the output directory '/proc/nothing'");
}

/// Mounts a small file system there, runs, and takes it away again. Says so if the
/// system does not let us.
fn on_a_small_disk(place: &Path, options: &str, check: impl FnOnce() + std::panic::UnwindSafe) {
    fs::create_dir_all(place).expect("a directory");
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", options, "byway-test"])
        .arg(place)
        .output();
    if !mounted.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: mounting a tmpfs is not permitted here");
        return;
    }
    let checked = std::panic::catch_unwind(check);
    let unmounted = Command::new("umount").arg(place).status();
    assert!(unmounted.is_ok_and(|status| status.success()), "the disk is left behind");
    if let Err(panic) = checked {
        std::panic::resume_unwind(panic);
    }
}

#[test]
fn a_full_disk_stops_the_run() {
    let lab = TestDir::new();
    lab.file("a.c", MANY);
    on_a_small_disk(
        &lab.path("disk"),
        "size=512k",
        std::panic::AssertUnwindSafe(|| {
            let run = lab.byway(&["run", "--search", "dfs", "--output-dir", "disk/out", "a.c"]);
            run.code(2)
                .says("byway: error: no space left on the disk of 'disk/out' (")
                .says("cannot write 'disk/out/")
                .says("No space left on device");
            run.says("the results written so far are in 'disk/out'");
            run.says("stopped after ").says("cannot write the results");
            let stats = lab.byway(&["stats", "disk/out"]);
            assert!(stats.code(0).stdout.contains(" exit"), "{}", stats.stdout);
            lab.byway(&["show", "disk/out", "1"]).code(0);
        }),
    );
}

/// The states that are left have no test then. They are not "too long".
#[test]
fn a_disk_that_fills_up_at_the_end_is_told() {
    let lab = TestDir::new();
    lab.file("a.c", MANY);
    on_a_small_disk(
        &lab.path("disk"),
        "size=512k",
        std::panic::AssertUnwindSafe(|| {
            let words = ["run", "--search", "bfs", "--max-work", "300k", "--output-dir"];
            let run = lab
                .byway(&[&words[..], &["disk/out", "--unfinished-tests", "all", "a.c"]].concat());
            run.code(2).says("byway: error: no space left on the disk of 'disk/out' (");
            assert_eq!(run.stderr.matches("No space left on device").count(), 1, "{run:#?}");
            assert!(!run.stderr.contains("instruction limit"), "{run:#?}");
        }),
    );
}

#[test]
fn a_disk_that_may_only_be_read_is_told() {
    let lab = TestDir::new();
    lab.file("a.c", "int main(void) { return 0; }\n");
    on_a_small_disk(
        &lab.path("disk"),
        "ro",
        std::panic::AssertUnwindSafe(|| {
            let run = lab.byway(&["run", "--output-dir", "disk/out", "a.c"]);
            run.code(2).says("cannot make the output directory 'disk/out': Read-only file system");
            let run = lab.byway(&["run", "--output-dir", "disk", "a.c"]);
            run.code(2).says("Read-only file system").says("--output-dir names another directory");
        }),
    );
}

#[test]
fn a_terminal_shows_a_line_that_is_drawn_over() {
    let lab = TestDir::new();
    lab.file("a.c", MANY);
    let (mut master, mut slave) = (0, 0);
    let (name, termios, size) = (std::ptr::null_mut(), std::ptr::null(), std::ptr::null());
    // SAFETY: the first two arguments point at integers, the others may be null.
    let opened = unsafe { libc::openpty(&mut master, &mut slave, name, termios, size) };
    assert_eq!(opened, 0, "no terminal can be had");
    // SAFETY: both were just opened and have no other owner.
    let (mut screen, terminal) = unsafe { (File::from_raw_fd(master), File::from_raw_fd(slave)) };
    let mut command =
        lab.command(&["run", "--search", "dfs", "--max-time", "1s", "--no-tests", "a.c"]);
    let mut child = command.stdin(Stdio::null()).stderr(terminal).spawn().expect("byway starts");
    // Its copy of the terminal must not keep the screen open.
    drop(command);
    let mut seen = Vec::new();
    // Reading ends with an error when the last one has left the terminal.
    let _ = screen.read_to_end(&mut seen);
    assert_eq!(child.wait().expect("byway ends").code(), Some(0));
    let seen = String::from_utf8_lossy(&seen);
    let drawn = seen.matches(" q/s ").count();
    assert!((2..=10).contains(&drawn), "{drawn} times: {seen:?}");
    assert!(seen.contains("\x1b[K") && seen.contains(" states "), "{seen:?}");
    assert!(seen.contains("\r\x1b[Kbyway: "), "the line is taken away: {seen:?}");
}

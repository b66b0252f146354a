//! What is written is read again, by SQLite's own program as well as by the reader here.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::*;
use crate::sqlite::{Database, SqlValue};

fn row(instructions: u64) -> KleeStatsRow {
    KleeStatsRow {
        instructions,
        wall_time: Duration::from_micros(1_500_000 + instructions),
        solver_time: Duration::from_millis(7),
        termination_early_user: 3,
        ..KleeStatsRow::default()
    }
}

/// What a program of Python says about the database `path`, as the variable `stats`.
fn python(path: &Path, expression: &str) -> String {
    let script = format!(
        "import sqlite3, sys\nstats = sqlite3.connect(sys.argv[1])\n\
         print([list(row) for row in stats.execute({expression:?})])"
    );
    let output = Command::new("python3")
        .args(["-c", &script])
        .arg(path)
        .output()
        .expect("python3 is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_string()
}

#[test]
fn other_programs_read_each_row_as_soon_as_it_is_appended() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join(FILE);
    let mut writer = KleeStatsWriter::create(&path).expect("created");
    for count in 0..3 {
        writer.append(&row(count)).expect("appended");
        assert_eq!(python(&path, "SELECT count(*) FROM stats"), format!("[[{}]]", count + 1));
    }
    let last = "SELECT Instructions, WallTime, SolverTime, TerminationEarlyUser, ArrayHashTime \
                FROM stats ORDER BY rowid DESC LIMIT 1";
    assert_eq!(python(&path, last), "[[2, 1500002.0, 7000, 3, -1]]");
    assert_eq!(python(&path, "PRAGMA integrity_check"), "[['ok']]");
    // No journal is left between commits, so a copy of the file is the whole database.
    assert_eq!(std::fs::read_dir(dir.path()).expect("listed").count(), 1);
}

#[test]
fn rows_are_read_with_their_columns() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join(FILE);
    let mut writer = KleeStatsWriter::create(&path).expect("created").commit_after(10);
    for count in 0..25 {
        writer.append(&row(count)).expect("appended");
    }
    assert_eq!(read(&path).expect("read").rows.len(), 20, "committed in tens");
    writer.finish().expect("written");
    let stats = read(&path).expect("read");
    assert_eq!(stats.columns.len(), 45);
    assert_eq!(stats.columns[..2], ["Instructions", "FullBranches"]);
    assert_eq!(stats.rows.len(), 25);
    assert_eq!(stats.rows[24][0], SqlValue::Integer(24));
    let wall = stats.columns.iter().position(|name| name == "WallTime").expect("a column");
    assert_eq!(stats.rows[24][wall], SqlValue::Real(1_500_024.0));
}

#[test]
fn rows_wait_while_a_reader_holds_a_lock() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join(FILE);
    let mut writer = KleeStatsWriter::create(&path).expect("created");
    writer.append(&row(0)).expect("appended");
    let reader = Database::open_to_read(&path).expect("opened");
    let mut query = reader.prepare("SELECT Instructions FROM stats").expect("prepared");
    assert!(query.step().expect("a row"));
    writer.append(&row(1)).expect("waits in memory");
    assert!(!query.step().expect("the end"), "the reader sees what there was");
    drop(query);
    writer.append(&row(2)).expect("appended");
    assert_eq!(read(&path).expect("read").rows.len(), 3);
}

#[test]
fn a_killed_writer_leaves_a_valid_database() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join(FILE);
    let mut writer = KleeStatsWriter::create(&path).expect("created");
    for count in 0..200 {
        writer.append(&row(count)).expect("appended");
    }
    // What a kill leaves: nothing is closed, and the last rows were never committed.
    let mut writer = writer.commit_after(100);
    writer.append(&row(200)).expect("kept");
    std::mem::forget(writer);
    assert_eq!(python(&path, "PRAGMA integrity_check"), "[['ok']]");
    assert_eq!(read(&path).expect("read").rows.len(), 200);
}

#[test]
fn other_files_are_refused() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join(FILE);
    let refusal = || read(&path).expect_err("refused").to_string();
    assert_eq!(refusal(), "unable to open database file");
    std::fs::write(&path, "('Instructions','FullBranches')\n".repeat(9)).expect("written");
    assert_eq!(refusal(), "file is not a database");
    std::fs::write(&path, "").expect("written");
    assert_eq!(refusal(), "no such table: stats");
    let mut writer = KleeStatsWriter::create(&path).expect("created");
    (0..300).for_each(|count| writer.append(&row(count)).expect("appended"));
    drop(writer);
    let whole = std::fs::read(&path).expect("read");
    std::fs::write(&path, &whole[..whole.len() / 2]).expect("written");
    assert_eq!(refusal(), "database disk image is malformed");
    assert!(KleeStatsWriter::create(&path).is_err(), "an earlier run's file stays");
}

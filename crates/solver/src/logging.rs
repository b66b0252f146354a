//! Writes every query to an SMT-LIB file (`--log-queries DIR`): `000001.smt2` and on, in the
//! order of the queries.
//!
//! The file is complete before the query is solved, so that a query that never returns can
//! be found; the answer is appended as a comment, in one write. Further comments hold the
//! witness, so that the query can be replayed exactly: the last assertion is the query's
//! condition, the others are the path condition.

use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::PathBuf;

use byway_expr::smtlib;
use byway_expr::{Collected, Pool, Sweep};

use crate::answer::Answer;
use crate::budget::QueryBudget;
use crate::query::{Query, Slice};
use crate::query_error::{ErrorHandler, QueryError};
use crate::solver::Solver;
use crate::statistics::{SolverClock, Statistics};

/// Logs the queries of another solver.
pub struct LoggingSolver {
    inner: Box<dyn Solver>,
    directory: PathBuf,
    on_error: ErrorHandler,
    /// The number of the latest query, from one.
    number: u64,
    failed: bool,
}

impl LoggingSolver {
    /// Logs into a directory, which is created if it is missing.
    pub fn new(
        inner: Box<dyn Solver>,
        directory: PathBuf,
        on_error: ErrorHandler,
    ) -> io::Result<LoggingSolver> {
        fs::create_dir_all(&directory)?;
        Ok(LoggingSolver { inner, directory, on_error, number: 0, failed: false })
    }

    /// Writes the next query and returns its file. The first failed write, for instance to
    /// a full disk, is reported and ends the log.
    fn write(&mut self, pool: &mut Pool, query: &Query) -> Option<PathBuf> {
        if self.failed {
            return None;
        }
        self.number += 1;
        let whole = Slice::whole(query);
        let terms: Vec<_> = whole.terms().collect();
        let mut text =
            smtlib::query(pool, &terms).unwrap_or_else(|error| format!("; no text: {error}\n"));
        if let Some(witness) = query.witness {
            let names = smtlib::InputNames::new(pool);
            for at in whole.input_bytes(pool) {
                let _ = writeln!(text, "; witness {} {}", names.of(pool, at), witness.byte(at));
            }
        }
        let path = self.directory.join(format!("{:06}.smt2", self.number));
        let draft = path.with_extension("draft");
        let written = fs::write(&draft, text).and_then(|()| fs::rename(&draft, &path));
        self.report_failure(path, written)
    }

    fn report_failure(&mut self, path: PathBuf, written: io::Result<()>) -> Option<PathBuf> {
        match written {
            Ok(()) => Some(path),
            Err(error) => {
                self.failed = true;
                (self.on_error)(&QueryError::LogFailed { path, error });
                None
            }
        }
    }
}

impl Solver for LoggingSolver {
    fn check(&mut self, pool: &mut Pool, query: &Query, budget: QueryBudget) -> Answer {
        let path = self.write(pool, query);
        let effort = self.inner.statistics().effort;
        let answer = self.inner.check(pool, query, budget);
        if let Some(path) = path {
            let effort = self.inner.statistics().effort - effort;
            let line = format!("; {}, effort {effort}\n", answer.name());
            let appended = OpenOptions::new()
                .append(true)
                .open(&path)
                .and_then(|mut file| file.write_all(line.as_bytes()));
            self.report_failure(path, appended);
        }
        answer
    }

    fn statistics(&self) -> &Statistics {
        self.inner.statistics()
    }

    fn clock(&self) -> SolverClock {
        self.inner.clock()
    }

    fn bytes(&self) -> usize {
        self.inner.bytes()
    }

    fn clear_caches(&mut self, pool: &Pool) {
        self.inner.clear_caches(pool);
    }
}

impl Sweep for LoggingSolver {
    fn sweep(&mut self, collected: &Collected) {
        self.inner.sweep(collected);
    }
}

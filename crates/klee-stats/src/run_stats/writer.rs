//! Writes `run.stats`.

use std::path::Path;
use std::time::Duration;

use super::KleeStatsRow;
use crate::sqlite::{Database, SqliteError};

/// How long a row waits for a reader's lock, which is held for the length of a query. The
/// exploration stands still meanwhile, so it is short: the row is written with the next one.
const PATIENCE: Duration = Duration::from_millis(20);

/// How long the last rows wait.
const LAST_PATIENCE: Duration = Duration::from_secs(5);

/// Writes the rows of a run, one after the other.
///
/// Every commit is whole: SQLite's rollback journal undoes one that a kill interrupts. Unlike
/// KLEE, which uses a write-ahead log, a finished or killed run leaves all its rows in one file.
/// Like KLEE, it does not wait for the disk.
pub struct KleeStatsWriter {
    database: Database,
    insert: String,
    /// Rows that are not committed yet.
    pending: Vec<KleeStatsRow>,
    commit_after: usize,
}

impl KleeStatsWriter {
    /// Creates the database with an empty table. The file must not exist, or be empty.
    pub fn create(path: &Path) -> Result<Self, SqliteError> {
        let database = Database::create(path)?;
        database.set_busy_timeout(PATIENCE);
        database.execute("PRAGMA synchronous = OFF")?;
        let columns: Vec<String> =
            KleeStatsRow::COLUMNS.iter().map(|(name, kind)| format!("{name} {kind}")).collect();
        database.execute(&format!("CREATE TABLE stats ({})", columns.join(",")))?;
        let parameters = vec!["?"; KleeStatsRow::COLUMNS.len()];
        let insert = format!("INSERT INTO stats VALUES ({})", parameters.join(","));
        Ok(KleeStatsWriter { database, insert, pending: Vec::new(), commit_after: 1 })
    }

    /// Commits after this many rows, not after each. Zero is one.
    pub fn commit_after(mut self, rows: usize) -> Self {
        self.commit_after = rows.max(1);
        self
    }

    /// Appends a row. While a reader has locked the database, rows wait in memory.
    pub fn append(&mut self, row: &KleeStatsRow) -> Result<(), SqliteError> {
        self.pending.push(row.clone());
        if self.pending.len() < self.commit_after {
            return Ok(());
        }
        match self.commit() {
            Err(error) if error.is_busy() => Ok(()),
            result => result,
        }
    }

    /// Writes all rows that wait, and closes the database.
    pub fn finish(mut self) -> Result<(), SqliteError> {
        self.database.set_busy_timeout(LAST_PATIENCE);
        self.commit()
    }

    fn commit(&mut self) -> Result<(), SqliteError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        self.database.execute("BEGIN IMMEDIATE")?;
        let committed = self.insert_pending().and_then(|()| self.database.execute("COMMIT"));
        if let Err(error) = committed {
            // Fails only if SQLite has rolled back by itself.
            let _ = self.database.execute("ROLLBACK");
            return Err(error);
        }
        self.pending.clear();
        Ok(())
    }

    fn insert_pending(&self) -> Result<(), SqliteError> {
        let mut insert = self.database.prepare(&self.insert)?;
        for row in &self.pending {
            for (index, value) in row.values().enumerate() {
                insert.bind(index, value)?;
            }
            insert.step()?;
        }
        Ok(())
    }
}

impl Drop for KleeStatsWriter {
    fn drop(&mut self) {
        // After `finish` there is nothing left; elsewhere nobody is there to hear of errors.
        let _ = self.commit();
    }
}

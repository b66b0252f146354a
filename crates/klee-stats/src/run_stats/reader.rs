//! Reads `run.stats` of Byway, and of KLEE since it writes SQLite (version 2).

use std::path::Path;
use std::time::Duration;

use crate::sqlite::{Database, SqlValue, SqliteError};

/// How long to wait for a writer that is committing.
const PATIENCE: Duration = Duration::from_secs(5);

/// The table of a run: columns differ between the versions of KLEE.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RecordedStats {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows, oldest first, each with a value for every column.
    pub rows: Vec<Vec<SqlValue>>,
}

/// Reads the table of a run, also while the run goes on.
pub fn read(path: &Path) -> Result<RecordedStats, SqliteError> {
    let database = Database::open_to_read(path)?;
    database.set_busy_timeout(PATIENCE);
    let mut query = database.prepare("SELECT * FROM stats ORDER BY rowid")?;
    let columns = query.columns();
    let mut rows = Vec::new();
    while query.step()? {
        rows.push(query.row());
    }
    Ok(RecordedStats { columns, rows })
}

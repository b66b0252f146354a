//! A database of SQLite: open it, execute statements, read rows.
//!
//! Declares the functions of SQLite's C interface that it calls, and wraps each so that no
//! input can break memory safety. A connection belongs to one thread at a time, and a
//! statement borrows its connection.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::{self, NonNull};
use std::time::Duration;

#[repr(C)]
struct Sqlite3 {
    _opaque: [u8; 0],
}

#[repr(C)]
struct Sqlite3Stmt {
    _opaque: [u8; 0],
}

const OK: c_int = 0;
const BUSY: c_int = 5;
const LOCKED: c_int = 6;
const NOTADB: c_int = 26;
const ROW: c_int = 100;
const DONE: c_int = 101;

const OPEN_READONLY: c_int = 0x1;
const OPEN_READWRITE: c_int = 0x2;
const OPEN_CREATE: c_int = 0x4;

const INTEGER: c_int = 1;
const FLOAT: c_int = 2;
const TEXT: c_int = 3;
const BLOB: c_int = 4;

unsafe extern "C" {
    fn sqlite3_open_v2(
        path: *const c_char,
        database: *mut *mut Sqlite3,
        flags: c_int,
        vfs: *const c_char,
    ) -> c_int;
    fn sqlite3_close_v2(database: *mut Sqlite3) -> c_int;
    fn sqlite3_errmsg(database: *mut Sqlite3) -> *const c_char;
    fn sqlite3_busy_timeout(database: *mut Sqlite3, milliseconds: c_int) -> c_int;
    fn sqlite3_prepare_v2(
        database: *mut Sqlite3,
        sql: *const c_char,
        length: c_int,
        statement: *mut *mut Sqlite3Stmt,
        tail: *mut *const c_char,
    ) -> c_int;
    fn sqlite3_bind_int64(statement: *mut Sqlite3Stmt, index: c_int, value: i64) -> c_int;
    fn sqlite3_step(statement: *mut Sqlite3Stmt) -> c_int;
    fn sqlite3_reset(statement: *mut Sqlite3Stmt) -> c_int;
    fn sqlite3_finalize(statement: *mut Sqlite3Stmt) -> c_int;
    fn sqlite3_column_count(statement: *mut Sqlite3Stmt) -> c_int;
    fn sqlite3_column_name(statement: *mut Sqlite3Stmt, column: c_int) -> *const c_char;
    fn sqlite3_column_type(statement: *mut Sqlite3Stmt, column: c_int) -> c_int;
    fn sqlite3_column_int64(statement: *mut Sqlite3Stmt, column: c_int) -> i64;
    fn sqlite3_column_double(statement: *mut Sqlite3Stmt, column: c_int) -> f64;
    fn sqlite3_column_blob(statement: *mut Sqlite3Stmt, column: c_int) -> *const c_void;
    fn sqlite3_column_bytes(statement: *mut Sqlite3Stmt, column: c_int) -> c_int;
}

/// Why a statement failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SqliteError {
    code: c_int,
    message: String,
}

impl SqliteError {
    /// Whether another process has locked the database; the statement may succeed later.
    pub fn is_busy(&self) -> bool {
        // Extended codes are in the higher bytes.
        matches!(self.code & 0xff, BUSY | LOCKED)
    }

    /// Whether the file has another format.
    pub fn is_not_a_database(&self) -> bool {
        self.code & 0xff == NOTADB
    }

    fn own(message: &str) -> Self {
        SqliteError { code: 1, message: message.into() }
    }
}

impl fmt::Display for SqliteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SqliteError {}

/// A value in a row.
#[derive(Clone, PartialEq, Debug)]
pub enum SqlValue {
    /// `NULL`.
    Null,
    /// A whole number.
    Integer(i64),
    /// A floating-point number.
    Real(f64),
    /// Text, in UTF-8 up to invalid bytes, which are replaced.
    Text(String),
    /// Bytes.
    Blob(Vec<u8>),
}

/// An open database.
pub struct Database {
    handle: NonNull<Sqlite3>,
}

// SAFETY: SQLite is compiled with locks (its default), so a connection may move between
// threads. It is not `Sync`.
unsafe impl Send for Database {}

impl Database {
    /// Opens a database to write, creating the file if there is none.
    pub fn create(path: &Path) -> Result<Database, SqliteError> {
        Database::open(path, OPEN_READWRITE | OPEN_CREATE)
    }

    /// Opens an existing database to read. Its format is checked when it is first read.
    pub fn open_to_read(path: &Path) -> Result<Database, SqliteError> {
        Database::open(path, OPEN_READONLY)
    }

    fn open(path: &Path, flags: c_int) -> Result<Database, SqliteError> {
        // A name that begins with ':' or is empty means something else than a file.
        let path = Path::new(".").join(path);
        let name = CString::new(path.as_os_str().as_bytes())
            .map_err(|_| SqliteError::own("the path holds a zero byte"))?;
        let mut handle = ptr::null_mut();
        // SAFETY: the name ends with a zero byte; the handle is written before the call returns.
        let code = unsafe { sqlite3_open_v2(name.as_ptr(), &mut handle, flags, ptr::null()) };
        // Even a failed call makes a handle, which has the message.
        let handle = NonNull::new(handle).ok_or_else(|| SqliteError::own("out of memory"))?;
        let database = Database { handle };
        database.check(code)?;
        Ok(database)
    }

    /// How long a statement waits for a lock of another process before it fails as busy.
    pub fn set_busy_timeout(&self, timeout: Duration) {
        let milliseconds = c_int::try_from(timeout.as_millis()).unwrap_or(c_int::MAX);
        // SAFETY: the handle is open. The call cannot fail with an open handle.
        unsafe { sqlite3_busy_timeout(self.handle.as_ptr(), milliseconds) };
    }

    /// Executes a statement and ignores the rows it returns.
    pub fn execute(&self, sql: &str) -> Result<(), SqliteError> {
        let mut statement = self.prepare(sql)?;
        while statement.step()? {}
        Ok(())
    }

    /// Compiles one statement.
    pub fn prepare(&self, sql: &str) -> Result<SqlStatement<'_>, SqliteError> {
        let text = CString::new(sql).map_err(|_| SqliteError::own("SQL with a zero byte"))?;
        let mut handle = ptr::null_mut();
        // SAFETY: the text ends with a zero byte; the handle is written before the call returns.
        let code = unsafe {
            sqlite3_prepare_v2(
                self.handle.as_ptr(),
                text.as_ptr(),
                -1,
                &mut handle,
                ptr::null_mut(),
            )
        };
        self.check(code)?;
        let handle = NonNull::new(handle).ok_or_else(|| SqliteError::own("an empty statement"))?;
        Ok(SqlStatement { handle, database: self })
    }

    fn check(&self, code: c_int) -> Result<(), SqliteError> {
        if code == OK { Ok(()) } else { Err(self.error(code)) }
    }

    fn error(&self, code: c_int) -> SqliteError {
        // SAFETY: the message is a string that is valid until the next call; it is copied.
        let message = unsafe { CStr::from_ptr(sqlite3_errmsg(self.handle.as_ptr())) };
        SqliteError { code, message: message.to_string_lossy().into_owned() }
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        // SAFETY: nothing uses the handle afterwards; statements borrow the database, so none
        // is left.
        unsafe { sqlite3_close_v2(self.handle.as_ptr()) };
    }
}

/// A compiled statement.
pub struct SqlStatement<'a> {
    handle: NonNull<Sqlite3Stmt>,
    database: &'a Database,
}

impl SqlStatement<'_> {
    /// Sets the parameter with this number, counted from 0.
    pub fn bind(&mut self, index: usize, value: i64) -> Result<(), SqliteError> {
        let index = c_int::try_from(index + 1).unwrap_or(c_int::MAX);
        // SAFETY: the handle is live; SQLite checks the index.
        self.database.check(unsafe { sqlite3_bind_int64(self.handle.as_ptr(), index, value) })
    }

    /// Computes the next row; `false` if there is none, after which the statement starts again.
    pub fn step(&mut self) -> Result<bool, SqliteError> {
        // SAFETY: the handle is live.
        let code = unsafe { sqlite3_step(self.handle.as_ptr()) };
        if code == ROW {
            return Ok(true);
        }
        let error = (code != DONE).then(|| self.database.error(code));
        // SAFETY: the handle is live. The result repeats the error of the step.
        unsafe { sqlite3_reset(self.handle.as_ptr()) };
        error.map_or(Ok(false), Err)
    }

    /// The names of the columns.
    pub fn columns(&self) -> Vec<String> {
        (0..self.column_count())
            .map(|column| {
                // SAFETY: the column exists; the name is a string, or null without memory.
                unsafe {
                    let name = sqlite3_column_name(self.handle.as_ptr(), column);
                    match name.is_null() {
                        true => String::new(),
                        false => CStr::from_ptr(name).to_string_lossy().into_owned(),
                    }
                }
            })
            .collect()
    }

    /// The values of the current row.
    pub fn row(&self) -> Vec<SqlValue> {
        (0..self.column_count()).map(|column| self.value(column)).collect()
    }

    fn column_count(&self) -> c_int {
        // SAFETY: the handle is live.
        unsafe { sqlite3_column_count(self.handle.as_ptr()) }
    }

    fn value(&self, column: c_int) -> SqlValue {
        let handle = self.handle.as_ptr();
        // SAFETY: the column exists. Without a current row every call returns a null value.
        unsafe {
            match sqlite3_column_type(handle, column) {
                INTEGER => SqlValue::Integer(sqlite3_column_int64(handle, column)),
                FLOAT => SqlValue::Real(sqlite3_column_double(handle, column)),
                TEXT => SqlValue::Text(String::from_utf8_lossy(&self.bytes(column)).into_owned()),
                BLOB => SqlValue::Blob(self.bytes(column)),
                _ => SqlValue::Null,
            }
        }
    }

    fn bytes(&self, column: c_int) -> Vec<u8> {
        let handle = self.handle.as_ptr();
        // SAFETY: the column exists. The pointer is valid for that many bytes until the next
        // call, and null if there are none.
        unsafe {
            let start = sqlite3_column_blob(handle, column).cast::<u8>();
            let length = usize::try_from(sqlite3_column_bytes(handle, column)).unwrap_or(0);
            match start.is_null() {
                true => Vec::new(),
                false => std::slice::from_raw_parts(start, length).to_vec(),
            }
        }
    }
}

impl Drop for SqlStatement<'_> {
    fn drop(&mut self) {
        // SAFETY: nothing uses the handle afterwards. The result repeats an earlier error.
        unsafe { sqlite3_finalize(self.handle.as_ptr()) };
    }
}

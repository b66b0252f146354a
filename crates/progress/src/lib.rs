//! Progress of long commands, and the threads they run their jobs on.
//!
//! [`ProgressLine`] is the display: one line, redrawn in place on a terminal, written now and
//! then elsewhere. [`JobProgress`] counts jobs on such a line. [`run_jobs`] runs numbered
//! jobs on a few threads and reports events to the calling thread, where results are
//! collected and the display is updated without a lock:
//!
//! ```text
//! run_jobs(workers, jobs, ...) ─┬─ thread: worker 0 ─┐
//!                               └─ thread: worker 1 ─┴─▶ JobEvent ─▶ caller: results, JobProgress
//! ```

#![forbid(unsafe_code)]

mod count;
mod jobs;
mod line;

pub use count::JobProgress;
pub use jobs::{JobEvent, map_jobs, run_jobs};
pub use line::{ProgressLine, ProgressMode, terminal_width};

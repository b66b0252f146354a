//! Runs the jobs of a mutation analysis on several threads.

use byway_progress::{JobEvent, JobProgress, ProgressMode, run_jobs};

use crate::failure::{FailureKind, Result};
use crate::interrupt;

/// The number of threads, and the display of progress.
#[derive(Copy, Clone)]
pub struct MutantPool {
    pub threads: usize,
    pub progress: ProgressMode,
}

impl MutantPool {
    /// Runs `job` for each index below `count`, begun in order. The result of a job that did not
    /// finish before an interrupt is `None`; the first failure is returned.
    pub fn run<T: Send>(
        &self,
        label: &str,
        count: usize,
        job: impl Fn(usize) -> Result<T> + Sync,
    ) -> Result<Vec<Option<T>>> {
        let job = |index: usize| match job(index) {
            Ok(result) => Ok(Some(result)),
            Err(failure) if failure.kind() == FailureKind::Interrupted => Ok(None),
            Err(failure) => Err(failure),
        };
        let mut results: Vec<Option<T>> = (0..count).map(|_| None).collect();
        let mut progress = JobProgress::new(self.progress, label, count);
        let workers = vec![(); self.threads];
        run_jobs(
            workers,
            count,
            &interrupt::requested,
            |()| &job,
            |event| {
                if let JobEvent::Finished(index, result) = event {
                    results[index] = result;
                    progress.finished(String::new);
                }
            },
        )?;
        Ok(results)
    }
}

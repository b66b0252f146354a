//! Several explorations at once.

use std::convert::Infallible;

use byway_progress::{JobEvent, run_jobs};

/// Applies `work` to every item on `jobs` threads, and prints a numbered line when one is done,
/// which begins with the name of the benchmark.
pub fn map_reporting<T: Sync, R: Send>(
    benchmark: &str,
    items: &[T],
    jobs: usize,
    work: impl Fn(&T) -> R + Sync,
    line: impl Fn(&R) -> String,
) -> Vec<R> {
    let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
    let mut done = 0;
    let start = |()| |index: usize| Ok::<R, Infallible>(work(&items[index]));
    let Ok(()) = run_jobs(vec![(); jobs.max(1)], items.len(), &|| false, start, |event| {
        if let JobEvent::Finished(index, result) = event {
            done += 1;
            eprintln!("{benchmark}: {done}/{} {}", items.len(), line(&result));
            results[index] = Some(result);
        }
    });
    results.into_iter().flatten().collect()
}

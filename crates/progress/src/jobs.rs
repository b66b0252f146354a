//! Numbered jobs on a few threads.

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

/// The longest time between two events.
const TICK: Duration = Duration::from_millis(125);
/// Events that may wait for the caller, per thread.
const QUEUED: usize = 4;

/// Reported to the thread that called [`run_jobs`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum JobEvent<T> {
    /// A worker has begun this job.
    Started(usize),
    /// The job has this result.
    Finished(usize, T),
    /// Nothing has happened for a while. A display may be redrawn.
    Tick,
}

/// Runs the jobs `0..jobs`, begun in this order, on one thread per worker.
///
/// `start` runs once on each thread: it makes the function that runs jobs there from the
/// thread's worker (a sandbox, say), so that data which must not cross threads can be
/// created in it. `on_event` runs on the calling thread.
///
/// No job begins once `stop` returns true or a job has failed; jobs under way are
/// waited for, so a long one should ask `stop` itself. The first failure is returned.
pub fn run_jobs<W, J, T, E>(
    mut workers: Vec<W>,
    jobs: usize,
    stop: &(dyn Fn() -> bool + Sync),
    start: impl Fn(W) -> J + Sync,
    mut on_event: impl FnMut(JobEvent<T>),
) -> Result<(), E>
where
    W: Send,
    J: FnMut(usize) -> Result<T, E>,
    T: Send,
    E: Send,
{
    workers.truncate(jobs);
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, events) = sync_channel(QUEUED * workers.len());
    let work = |worker: W, sender: std::sync::mpsc::SyncSender<Result<JobEvent<T>, E>>| {
        let mut job = start(worker);
        while !stop() && !failed.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= jobs || sender.send(Ok(JobEvent::Started(index))).is_err() {
                return;
            }
            let result = job(index);
            failed.fetch_or(result.is_err(), Ordering::Relaxed);
            if sender.send(result.map(|result| JobEvent::Finished(index, result))).is_err() {
                return;
            }
        }
    };
    let mut failure = None;
    thread::scope(|scope| {
        for worker in workers {
            let (work, sender) = (&work, sender.clone());
            scope.spawn(move || work(worker, sender));
        }
        drop(sender);
        // Moved in here: if `on_event` panics, the workers find the channel closed and end.
        let events = events;
        loop {
            match events.recv_timeout(TICK) {
                Ok(Ok(event)) => on_event(event),
                Ok(Err(error)) => drop(failure.get_or_insert(error)),
                Err(RecvTimeoutError::Timeout) => on_event(JobEvent::Tick),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    });
    failure.map_or(Ok(()), Err)
}

/// Applies `work` to every item on `threads` threads; the results have the items' order.
pub fn map_jobs<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
    let start = |()| |index: usize| Ok::<R, Infallible>(work(&items[index]));
    let Ok(()) = run_jobs(vec![(); threads.max(1)], items.len(), &|| false, start, |event| {
        if let JobEvent::Finished(index, result) = event {
            results[index] = Some(result);
        }
    });
    results.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::rc::Rc;

    /// Runs jobs that return their number, and gives the events without ticks.
    fn events(
        threads: usize,
        jobs: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Vec<JobEvent<usize>> {
        let mut events = Vec::new();
        let start = |()| |index| Ok::<_, Infallible>(index);
        let Ok(()) = run_jobs(vec![(); threads], jobs, stop, start, |event| events.push(event));
        events.retain(|event| *event != JobEvent::Tick);
        events
    }

    #[test]
    fn every_job_starts_once_and_finishes() {
        use JobEvent::{Finished, Started};
        let one = events(1, 2, &|| false);
        assert_eq!(one, [Started(0), Finished(0, 0), Started(1), Finished(1, 1)]);
        let many = events(4, 100, &|| false);
        for index in 0..100 {
            let count = |wanted: JobEvent<usize>| many.iter().filter(|it| **it == wanted).count();
            assert_eq!((count(Started(index)), count(Finished(index, index))), (1, 1));
        }
        assert_eq!(many.len(), 200);
        assert_eq!(events(4, 0, &|| false), []);
    }

    #[test]
    fn results_keep_the_order_of_the_items() {
        let items: Vec<u32> = (0..100).collect();
        assert_eq!(map_jobs(&items, 4, |n| n * 2), (0..200).step_by(2).collect::<Vec<_>>());
        assert!(map_jobs(&[] as &[u32], 4, |n| *n).is_empty());
        assert_eq!(map_jobs(&[7], 0, |n| *n), [7]);
    }

    #[test]
    fn no_job_begins_after_a_stop_or_a_failure() {
        let stop = AtomicBool::new(false);
        let run = |fail: bool| {
            let mut done = Vec::new();
            let start = |()| {
                |index| match index {
                    2 if fail => Err("two"),
                    2 => {
                        stop.store(true, Ordering::Relaxed);
                        Ok(())
                    }
                    _ => Ok(()),
                }
            };
            let stopped = || stop.load(Ordering::Relaxed);
            let result = run_jobs(vec![()], 1000, &stopped, start, |event| {
                if let JobEvent::Finished(index, ()) = event {
                    done.push(index);
                }
            });
            (done, result)
        };
        assert_eq!(run(true), (vec![0, 1], Err("two")));
        assert_eq!(run(false), (vec![0, 1, 2], Ok(())));
    }

    #[test]
    fn a_worker_keeps_its_own_data() {
        let mut seen = Vec::new();
        let start = |name: String| {
            // Not `Send`: it may exist only because it is created on the worker's thread.
            let name = Rc::new(name);
            move |_| Ok::<_, Infallible>(name.as_str().to_owned())
        };
        let workers = vec!["one".to_string()];
        let Ok(()) = run_jobs(workers, 2, &|| false, start, |event| {
            if let JobEvent::Finished(_, name) = event {
                seen.push(name);
            }
        });
        assert_eq!(seen, ["one", "one"]);
    }

    #[test]
    fn a_slow_job_gives_ticks() {
        let mut ticks = 0;
        let start = |()| {
            |_| {
                thread::sleep(3 * TICK);
                Ok::<_, Infallible>(())
            }
        };
        let Ok(()) = run_jobs(vec![()], 1, &|| false, start, |event| {
            ticks += usize::from(event == JobEvent::Tick);
        });
        assert!(ticks >= 1);
    }

    #[test]
    fn a_panic_of_the_caller_ends_the_workers() {
        let caught = catch_unwind(AssertUnwindSafe(|| {
            let start = |()| |_| Ok::<_, Infallible>(());
            let _ = run_jobs(vec![(); 2], usize::MAX, &|| false, start, |_| panic!("on purpose"));
        }));
        assert!(caught.is_err());
    }
}

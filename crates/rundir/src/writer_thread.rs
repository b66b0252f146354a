//! A thread that carries out writes, so that exploration does not wait for the disk.
//!
//! Tasks run in the order they are submitted. After the first failure none runs, and a later
//! [`submit`](WriterThread::submit) or [`close`](WriterThread::close) returns that failure.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use crate::error::{Result, RunDirError};

/// Tasks that may wait: enough to absorb a slow write, few enough that a killed process loses
/// little.
const MAX_WAITING: usize = 16;

type WriteTask<T> = Box<dyn FnOnce(&mut T) -> Result<()> + Send>;

/// Runs tasks on a `T` in a thread of its own.
pub struct WriterThread<T> {
    /// `None` once it is closed.
    running: Option<RunningThread<T>>,
}

struct RunningThread<T> {
    tasks: SyncSender<WriteTask<T>>,
    thread: JoinHandle<Result<()>>,
}

impl<T: Send + 'static> WriterThread<T> {
    pub fn new(target: T) -> Result<Self> {
        let (tasks, waiting) = sync_channel(MAX_WAITING);
        let thread = thread::Builder::new()
            .name("writer".into())
            .spawn(move || run_all(target, &waiting))
            .map_err(|error| RunDirError::new(format!("cannot start a thread: {error}")))?;
        Ok(WriterThread { running: Some(RunningThread { tasks, thread }) })
    }

    /// Queues a task; the error may be that of an earlier one.
    pub fn submit(
        &mut self,
        task: impl FnOnce(&mut T) -> Result<()> + Send + 'static,
    ) -> Result<()> {
        match &self.running {
            Some(running) if running.tasks.send(Box::new(task)).is_ok() => Ok(()),
            Some(_) => self.close(),
            None => Err(RunDirError::new("the run directory is no longer written")),
        }
    }

    /// Waits until every task has run. Later submissions fail.
    pub fn close(&mut self) -> Result<()> {
        let Some(RunningThread { tasks, thread }) = self.running.take() else { return Ok(()) };
        drop(tasks);
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

fn run_all<T>(mut target: T, waiting: &Receiver<WriteTask<T>>) -> Result<()> {
    waiting.iter().try_for_each(|task| task(&mut target))
}

impl<T> Drop for WriterThread<T> {
    /// Queued tasks still run when an error makes the owner return early.
    fn drop(&mut self) {
        if let Some(RunningThread { tasks, thread }) = self.running.take() {
            drop(tasks);
            // The owner reports its own error.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    type Numbers = Arc<Mutex<Vec<u32>>>;

    fn put(target: &mut Numbers, number: u32) -> Result<()> {
        target.lock().expect("no panic").push(number);
        if number == 7 { Err(RunDirError::new("seven")) } else { Ok(()) }
    }

    fn submit_all(numbers: &[u32]) -> (WriterThread<Numbers>, Numbers, Vec<Result<()>>) {
        let target = Numbers::default();
        let mut writer = WriterThread::new(Arc::clone(&target)).expect("a thread");
        let submit = |&number: &u32| writer.submit(move |target| put(target, number));
        let submitted = numbers.iter().map(submit).collect();
        (writer, target, submitted)
    }

    #[test]
    fn tasks_run_in_order() {
        let numbers: Vec<u32> = (100..2_000).collect();
        let (mut writer, target, submitted) = submit_all(&numbers);
        assert!(submitted.iter().all(|submitted| submitted.is_ok()));
        writer.close().expect("no failure");
        assert_eq!(*target.lock().expect("no panic"), numbers);
        assert!(writer.submit(|target| put(target, 1)).is_err(), "it is closed");
        writer.close().expect("again");
    }

    #[test]
    fn dropping_it_runs_what_is_queued() {
        let (writer, target, _) = submit_all(&[1, 2, 3]);
        drop(writer);
        assert_eq!(*target.lock().expect("no panic"), [1, 2, 3]);
    }

    #[test]
    fn the_first_failure_is_reported_once_and_ends_the_writing() {
        let (mut writer, target, submitted) = submit_all(&[1, 7, 2]);
        let later = (0..1_000).map(|_| writer.submit(|target| put(target, 3)));
        let errors: Vec<String> = submitted
            .into_iter()
            .chain(later)
            .filter_map(|submitted| submitted.err())
            .map(|error| error.to_string())
            .collect();
        assert_eq!(errors[0], "seven");
        assert!(errors[1..].iter().all(|text| text == "the run directory is no longer written"));
        assert_eq!(*target.lock().expect("no panic"), [1, 7]);
    }
}

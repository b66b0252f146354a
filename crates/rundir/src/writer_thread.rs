//! Who writes: a thread of its own, so that nobody who explores waits for a disk.
//!
//! What is handed over is carried out in that order, so what is there at any moment is
//! what would have been there a little earlier had nobody helped. The first failure is
//! the last thing done; whoever hands over more is told of it.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use crate::error::{Result, RunDirError};

/// How many tasks may wait: enough to even out a disk's moods, few enough that a
/// process killed now loses little.
const MOST_WAITING: usize = 16;

type Task<T> = Box<dyn FnOnce(&mut T) -> Result<()> + Send>;

/// Writes to `T` in a thread.
pub struct WriterThread<T> {
    work: Option<Work<T>>,
}

/// The thread, and the way to it.
struct Work<T> {
    tasks: SyncSender<Task<T>>,
    thread: JoinHandle<Result<()>>,
}

impl<T: Send + 'static> WriterThread<T> {
    /// One that writes there.
    pub fn new(desk: T) -> Result<Self> {
        let (tasks, waiting) = sync_channel(MOST_WAITING);
        let thread = thread::Builder::new()
            .name("scribe".into())
            .spawn(move || write_all(desk, &waiting))
            .map_err(|error| RunDirError::new(format!("cannot start a thread: {error}")))?;
        Ok(WriterThread { work: Some(Work { tasks, thread }) })
    }

    /// Hands a task over; an error may be that of an earlier one.
    pub fn hand(&mut self, task: impl FnOnce(&mut T) -> Result<()> + Send + 'static) -> Result<()> {
        match &self.work {
            Some(work) if work.tasks.send(Box::new(task)).is_ok() => Ok(()),
            Some(_) => self.settle(),
            None => Err(RunDirError::new("nothing is written any more")),
        }
    }

    /// Waits until everything is written. Nothing can be handed over after that.
    pub fn settle(&mut self) -> Result<()> {
        let Some(Work { tasks, thread }) = self.work.take() else { return Ok(()) };
        drop(tasks);
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

fn write_all<T>(mut desk: T, waiting: &Receiver<Task<T>>) -> Result<()> {
    waiting.iter().try_for_each(|task| task(&mut desk))
}

impl<T> Drop for WriterThread<T> {
    /// Nothing that was handed over is lost because somebody left in haste.
    fn drop(&mut self) {
        if let Some(Work { tasks, thread }) = self.work.take() {
            drop(tasks);
            // Whoever leaves in haste has a failure of its own to tell.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    type Desk = Arc<Mutex<Vec<u32>>>;

    fn put(desk: &mut Desk, number: u32) -> Result<()> {
        desk.lock().expect("no panic").push(number);
        if number == 7 { Err(RunDirError::new("seven")) } else { Ok(()) }
    }

    fn hand_all(numbers: &[u32]) -> (WriterThread<Desk>, Desk, Vec<Result<()>>) {
        let desk = Desk::default();
        let mut scribe = WriterThread::new(Arc::clone(&desk)).expect("a thread");
        let hand = |&number: &u32| scribe.hand(move |desk| put(desk, number));
        let handed = numbers.iter().map(hand).collect();
        (scribe, desk, handed)
    }

    #[test]
    fn everything_is_written_in_order() {
        let numbers: Vec<u32> = (100..2_000).collect();
        let (mut scribe, desk, handed) = hand_all(&numbers);
        assert!(handed.iter().all(|handed| handed.is_ok()));
        scribe.settle().expect("no failure");
        assert_eq!(*desk.lock().expect("no panic"), numbers);
        assert!(scribe.hand(|desk| put(desk, 1)).is_err(), "it has gone");
        scribe.settle().expect("again");
    }

    #[test]
    fn who_leaves_in_haste_loses_nothing() {
        let (scribe, desk, _) = hand_all(&[1, 2, 3]);
        drop(scribe);
        assert_eq!(*desk.lock().expect("no panic"), [1, 2, 3]);
    }

    #[test]
    fn the_first_failure_is_told_once_and_nothing_is_written_behind_it() {
        let (mut scribe, desk, handed) = hand_all(&[1, 7, 2]);
        let later = (0..1_000).map(|_| scribe.hand(|desk| put(desk, 3)));
        let told: Vec<String> = handed
            .into_iter()
            .chain(later)
            .filter_map(|handed| handed.err())
            .map(|f| f.to_string())
            .collect();
        assert_eq!(told[0], "seven");
        assert!(told[1..].iter().all(|text| text == "nothing is written any more"));
        assert_eq!(*desk.lock().expect("no panic"), [1, 7]);
    }
}

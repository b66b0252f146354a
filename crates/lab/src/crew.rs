//! Making the runs that are missing, several at once, while telling how far it is.

use std::collections::VecDeque;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::plan::Cell;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::trial::{Ended, Trials};

/// How often the line on a terminal is drawn.
const REDRAW: Duration = Duration::from_millis(200);

/// What came of the runs.
#[derive(Default)]
pub struct Made {
    /// Those that failed, by their index, and why.
    pub failed: Vec<(usize, Problem)>,
    /// Whether the user stopped it.
    pub stopped: bool,
}

/// What a worker tells.
enum News {
    Began(usize),
    Ended(usize, Ended),
}

/// Makes these runs.
pub fn work(
    trials: &Trials<'_>,
    cells: &[&Cell],
    jobs: usize,
    progress: &mut Progress<'_>,
) -> Made {
    let queue: Mutex<VecDeque<usize>> = Mutex::new((0..cells.len()).collect());
    let take = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    let (tell, news) = channel();
    let mut made = Made::default();
    thread::scope(|scope| {
        for _ in 0..jobs.min(cells.len()) {
            let (tell, take) = (tell.clone(), &take);
            scope.spawn(move || {
                while !(trials.interrupted)() {
                    let Some(index) = take() else { return };
                    // The one who listens outlives us.
                    let _ = tell.send(News::Began(index));
                    let _ = tell.send(News::Ended(index, trials.make(cells[index])));
                }
            });
        }
        drop(tell);
        loop {
            match news.recv_timeout(REDRAW) {
                Ok(News::Began(index)) => progress.began(index, cells[index]),
                Ok(News::Ended(index, ended)) => {
                    progress.ended(index, cells[index], &ended);
                    match ended {
                        Ended::Measured => {}
                        Ended::Failed(problem) => made.failed.push((index, problem)),
                        Ended::Stopped => made.stopped = true,
                    }
                }
                Err(RecvTimeoutError::Timeout) => progress.draw(),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    });
    made.stopped |= (trials.interrupted)();
    made.failed.sort_by_key(|(index, _)| *index);
    progress.clear();
    made
}

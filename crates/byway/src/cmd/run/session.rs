//! What the runs of one process share.

use std::time::{Duration, Instant};

use byway_rundir::SampleRecord;
use cpu_time::ProcessTime;

use super::messages::Messages;

/// The clock of a process and the messages that it showed. A campaign passes it from run to run.
#[derive(Debug)]
pub struct RunSession {
    began: Instant,
    /// Time and processor time of earlier processes, in milliseconds, once it is known.
    earlier: Option<(u64, u64)>,
    pub messages: Messages,
    /// In a campaign: the number of the run, from 1, and of all runs.
    pub position: Option<(usize, usize)>,
}

impl Default for RunSession {
    /// A session that begins now.
    fn default() -> RunSession {
        RunSession {
            began: Instant::now(),
            earlier: None,
            messages: Messages::default(),
            position: None,
        }
    }
}

impl RunSession {
    pub fn began(&self) -> Instant {
        self.began
    }

    /// Sets what earlier processes took, by their last statistics. Has no effect after the first
    /// run of this process.
    pub fn begin_after(&mut self, last: Option<&SampleRecord>) {
        let earlier = last.map_or((0, 0), |sample| (sample.elapsed_ms, sample.cpu_ms));
        self.earlier.get_or_insert(earlier);
    }

    /// The time of all runs.
    pub fn elapsed(&self) -> Duration {
        Duration::from_millis(self.earlier.map_or(0, |it| it.0)) + self.began.elapsed()
    }

    /// The milliseconds of processor time of all runs, loading included.
    pub fn cpu_ms(&self) -> u64 {
        self.earlier.map_or(0, |it| it.1) + ProcessTime::now().as_duration().as_millis() as u64
    }
}

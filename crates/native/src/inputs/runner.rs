//! Gives inputs to the server and reads what they did.

use std::fmt;
use std::io;
use std::time::{Duration, Instant};

use super::build::InputProgram;
use super::ending::InputEnding;
use super::memory::SharedMemory;
use super::server_process::ServerProcess;
use super::shared::{
    Areas, ENDING, MOST_BYTES, MOST_INPUTS, MOST_REQUESTED, ProgramWords, REQUESTED, field,
    novel_size,
};
use crate::sandbox::{
    Containment, Sandbox, SandboxEnding, SandboxLayout, SandboxLimits, SandboxSpec,
};

/// The time between two looks at the server and at the caller's wish to go on.
const TICK: Duration = Duration::from_millis(50);
/// The time for a server to end a run that exceeds its limit, before it is replaced.
const GRACE: Duration = Duration::from_secs(2);

/// How the runs of a batch are kept apart.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum RunMode {
    /// A process for each run.
    Fork,
    /// One process, which undoes each run. Where the program's memory cannot be restored, as
    /// [`RunMode::Fork`].
    Loop,
}

/// Limits on native runs. Sizes are in bytes.
#[derive(Copy, Clone, Debug)]
pub struct RunLimits {
    /// Wall-clock time of one run, to the half.
    pub time: Duration,
    /// Wall-clock time until the program first asks for input.
    pub start_time: Duration,
    /// The heap of the program; a larger allocation returns a null pointer.
    pub heap: u64,
    /// The stack of the program.
    pub stack: u64,
    /// Memory of all processes together.
    pub memory: u64,
}

impl Default for RunLimits {
    fn default() -> Self {
        RunLimits {
            time: Duration::from_secs(1),
            start_time: Duration::from_secs(10),
            heap: 512 << 20,
            stack: 64 << 20,
            memory: 2 << 30,
        }
    }
}

/// Inputs to run, one after the other.
#[derive(Clone, Debug, Default)]
pub struct InputBatch {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl InputBatch {
    /// An empty batch.
    pub fn new() -> InputBatch {
        InputBatch::default()
    }

    /// Appends an input: the bytes of all objects in the order in which the program asks for them.
    /// Bytes past the end are zeros. Returns false if the batch is full.
    pub fn push(&mut self, input: &[u8]) -> bool {
        self.push_with(input.len(), |room| room.copy_from_slice(input))
    }

    /// As [`InputBatch::push`], for an input of `length` bytes that `fill` writes.
    pub fn push_with(&mut self, length: usize, fill: impl FnOnce(&mut [u8])) -> bool {
        let start = self.bytes.len();
        if self.ends.len() == MOST_INPUTS || length > MOST_BYTES - start {
            return false;
        }
        self.bytes.resize(start + length, 0);
        fill(&mut self.bytes[start..]);
        self.ends.push(self.bytes.len() as u32);
        true
    }

    /// The number of inputs.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no input.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Removes all inputs.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    /// An input by its number.
    pub fn input(&self, index: usize) -> &[u8] {
        &self.bytes[self.start(index)..self.start(index + 1)]
    }

    fn start(&self, index: usize) -> usize {
        index.checked_sub(1).map_or(0, |before| self.ends[before] as usize)
    }
}

/// A run of a batch that executed some edge for the first time, or more often than any before:
/// in another of the magnitudes 1, 2, 3, 4, 8, 16, 32 and 128.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NovelRun {
    /// The number of the input in its batch.
    pub input: usize,
    /// Its counts, one for each edge of the [`super::EdgeTable`].
    pub counts: Vec<u32>,
}

/// What the runs of a batch did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BatchResult {
    /// How each run ended.
    pub endings: Vec<InputEnding>,
    /// The runs with new counts.
    pub novel: Vec<NovelRun>,
}

/// An object that the program asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RequestedObject {
    /// Its name, up to 59 bytes.
    pub name: String,
    /// Its size in bytes.
    pub size: u32,
}

/// What a single run did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputRun {
    /// How it ended.
    pub ending: InputEnding,
    /// The program's message or the name of what is missing, up to 255 bytes; empty if there is
    /// none.
    pub message: String,
    /// Its counts, one for each edge of the [`super::EdgeTable`].
    pub counts: Vec<u32>,
    /// The objects that the program asked for, whose bytes are those of the input in this order.
    /// At most 4,096.
    pub requested: Vec<RequestedObject>,
    /// The bytes that the program asked for.
    pub consumed: u64,
}

/// Why inputs cannot be run.
#[derive(Debug)]
pub enum RunnerError {
    /// The caller asked to stop.
    Stopped,
    /// The system refused something.
    Io(io::Error),
    /// The program ended before it asked for input, by a signal.
    CrashedAtStart(i32),
    /// The program did not ask for input within [`RunLimits::start_time`].
    HungAtStart(Duration),
    /// The program exceeded a limit before it asked for input.
    StoppedAtStart(SandboxEnding),
}

impl fmt::Display for RunnerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunnerError::Stopped => f.write_str("stopped"),
            RunnerError::Io(error) => write!(f, "cannot run the program natively: {error}"),
            RunnerError::CrashedAtStart(signal) => {
                write!(f, "natively, signal {signal} ends the program before it reads any input")
            }
            RunnerError::HungAtStart(time) => {
                let seconds = time.as_secs_f64();
                write!(f, "natively, the program reads no input within {seconds} s")
            }
            RunnerError::StoppedAtStart(ending) => {
                write!(f, "natively, the program ends before it reads any input: {ending:?}")
            }
        }
    }
}

impl std::error::Error for RunnerError {}

impl From<io::Error> for RunnerError {
    fn from(error: io::Error) -> RunnerError {
        RunnerError::Io(error)
    }
}

/// Runs a program on inputs. The counts of all runs are summed up until it is dropped.
pub struct InputRunner {
    memory: SharedMemory,
    areas: Areas,
    counters: usize,
    limits: RunLimits,
    server: Option<ServerProcess>,
    /// The reply that the server's next one replaces.
    reply: u32,
}

impl InputRunner {
    /// Starts a program up to its first request for input.
    pub fn start(
        program: &InputProgram,
        words: &ProgramWords,
        limits: RunLimits,
        containment: Containment,
    ) -> Result<InputRunner, RunnerError> {
        let counters = program.edges.edges().len();
        let areas = Areas::new(counters, Areas::word_bytes(words));
        let memory = SharedMemory::new(areas.bytes)?;
        let time = u32::try_from(limits.time.as_millis()).unwrap_or(u32::MAX).max(1);
        areas.describe(&memory, counters, words, limits.heap.next_multiple_of(4096), time);
        let spec = SandboxSpec {
            program: program.path.clone(),
            needs_libraries: false,
            visible: Vec::new(),
            layout: SandboxLayout::Standard,
        };
        let sandbox = match containment {
            Containment::Namespaces => Sandbox::new(spec)?,
            Containment::None => Sandbox::unconfined(spec)?,
        };
        let mut runner = InputRunner { memory, areas, counters, limits, server: None, reply: 0 };
        runner.launch(sandbox)?;
        Ok(runner)
    }

    fn launch(&mut self, sandbox: Sandbox) -> Result<(), RunnerError> {
        for word in [field::REQUEST, field::REPLY, field::COUNT, field::DONE] {
            self.memory.set_u32(word, 0);
        }
        self.memory.clear(self.areas.counters, 4 * self.counters + 4);
        let limits = SandboxLimits {
            stack: self.limits.stack,
            memory: self.limits.memory,
            ..SandboxLimits::default()
        };
        let server = ServerProcess::start(sandbox, self.memory.file(), limits)?;
        let began = Instant::now();
        while !self.memory.wait(field::REPLY, 0, TICK) {
            if server.has_ended() {
                let (_, ending) = server.end()?;
                return Err(match ending {
                    SandboxEnding::Killed(signal) => RunnerError::CrashedAtStart(signal),
                    ending => RunnerError::StoppedAtStart(ending),
                });
            }
            if began.elapsed() > self.limits.start_time {
                return Err(RunnerError::HungAtStart(self.limits.start_time));
            }
        }
        self.server = Some(server);
        self.reply = 1;
        Ok(())
    }

    /// Runs all inputs of a batch. `watch` is called repeatedly and returns whether to go on.
    pub fn run_batch(
        &mut self,
        batch: &InputBatch,
        mode: RunMode,
        watch: &mut dyn FnMut() -> bool,
    ) -> Result<BatchResult, RunnerError> {
        let mut result = BatchResult::default();
        while result.endings.len() < batch.len() {
            let first = result.endings.len();
            self.give(batch, first, mode);
            let ended = self.await_reply(watch)?;
            self.take(first, batch.len() - first, &mut result);
            if let Some(ending) = ended
                && result.endings.len() < batch.len()
            {
                result.endings.push(ending);
            }
        }
        Ok(result)
    }

    /// Runs one input.
    pub fn run(
        &mut self,
        input: &[u8],
        mode: RunMode,
        watch: &mut dyn FnMut() -> bool,
    ) -> Result<InputRun, RunnerError> {
        let mut batch = InputBatch::new();
        if !batch.push(input) {
            let text = format!("an input has at most {MOST_BYTES} bytes");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text).into());
        }
        self.memory.clear(field::MESSAGE, field::MESSAGE_BYTES);
        let result = self.run_batch(&batch, mode, watch)?;
        let Some(&ending) = result.endings.first() else { return Err(RunnerError::Stopped) };
        let requested = self.memory.u32(field::REQUEST_COUNT) as usize;
        let requests =
            self.memory.read(self.areas.requests, requested.min(MOST_REQUESTED) * REQUESTED);
        let (requests, _) = requests.as_chunks::<REQUESTED>();
        let consumed = self.memory.read_u64s(self.areas.endings + 8, 1);
        Ok(InputRun {
            ending,
            message: text(&self.memory.read(field::MESSAGE, field::MESSAGE_BYTES)),
            counts: self.memory.read_u32s(self.areas.counters, self.counters),
            requested: requests.iter().map(requested_object).collect(),
            consumed: consumed.first().copied().unwrap_or(0),
        })
    }

    /// The counts of all runs so far together, one for each edge.
    pub fn totals(&self) -> Vec<u64> {
        self.memory.read_u64s(self.areas.totals, self.counters)
    }

    /// Gives the inputs from a number on to the server.
    fn give(&mut self, batch: &InputBatch, first: usize, mode: RunMode) {
        let origin = batch.start(first) as u32;
        let ends = batch.ends[first..].iter().map(|end| end - origin);
        let starts: Vec<u8> = [0].into_iter().chain(ends).flat_map(u32::to_ne_bytes).collect();
        self.memory.write(self.areas.starts, &starts);
        self.memory.write(self.areas.inputs, &batch.bytes[origin as usize..]);
        self.memory.set_u32(field::LOOPED, u32::from(mode == RunMode::Loop));
        self.memory.set_u32(field::COUNT, (batch.len() - first) as u32);
        self.memory.set_u32(field::DONE, 0);
        self.memory.set_u32(field::NOVEL_COUNT, 0);
        self.memory.signal(field::REQUEST, self.reply);
    }

    /// Waits until the server has run the batch. Replaces a server that ended or hangs; the result
    /// is then the ending of the run that caused it.
    fn await_reply(
        &mut self,
        watch: &mut dyn FnMut() -> bool,
    ) -> Result<Option<InputEnding>, RunnerError> {
        let mut done = 0;
        let mut progress = Instant::now();
        while !self.memory.wait(field::REPLY, self.reply, TICK) {
            if !watch() {
                self.server = None;
                return Err(RunnerError::Stopped);
            }
            let now = self.memory.u32(field::DONE);
            if now != done {
                (done, progress) = (now, Instant::now());
            }
            let ended = self.server.as_ref().is_none_or(ServerProcess::has_ended);
            if ended || progress.elapsed() > self.limits.time * 2 + GRACE {
                return self.replace(ended).map(Some);
            }
        }
        self.reply = self.memory.u32(field::REPLY);
        Ok(None)
    }

    /// Starts another server. `ended`: this one ended by itself.
    fn replace(&mut self, ended: bool) -> Result<InputEnding, RunnerError> {
        let server = self.server.take().ok_or(RunnerError::Stopped)?;
        let (sandbox, ending) = server.end()?;
        let done = self.memory.u32(field::DONE);
        self.launch(sandbox)?;
        // The batch that the server lost has this many results.
        self.memory.set_u32(field::DONE, done);
        Ok(match ending {
            SandboxEnding::UsedTooMuch(resource) => InputEnding::UsedTooMuch(resource),
            SandboxEnding::Killed(signal) if ended => InputEnding::Killed(signal.unsigned_abs()),
            _ => InputEnding::TimedOut,
        })
    }

    /// Appends the results of the runs that the server has ended, of at most `most`.
    fn take(&self, first: usize, most: usize, result: &mut BatchResult) {
        let done = (self.memory.u32(field::DONE) as usize).min(most);
        let endings = self.memory.read(self.areas.endings, done * ENDING);
        let (endings, _) = endings.as_chunks::<ENDING>();
        result.endings.extend(endings.iter().map(|ending| {
            let [a, b, c, d, e, f, g, h, ..] = *ending;
            let (kind, code) = ([a, b, c, d], [e, f, g, h]);
            // Only a program that writes to the server's memory makes it undecodable.
            InputEnding::decode(u32::from_ne_bytes(kind), u32::from_ne_bytes(code))
                .unwrap_or(InputEnding::Killed(0))
        }));
        let novel = (self.memory.u32(field::NOVEL_COUNT) as usize).min(self.areas.novel_room);
        let size = novel_size(self.counters);
        for index in 0..novel {
            let words = self.memory.read_u32s(self.areas.novel + index * size, 1 + self.counters);
            if let Some((&run, counts)) = words.split_first()
                && (run as usize) < done
            {
                result
                    .novel
                    .push(NovelRun { input: first + run as usize, counts: counts.to_vec() });
            }
        }
    }
}

fn requested_object(bytes: &[u8; REQUESTED]) -> RequestedObject {
    let [a, b, c, d, name @ ..] = bytes;
    RequestedObject { name: text(name), size: u32::from_ne_bytes([*a, *b, *c, *d]) }
}

/// Text up to the first zero.
fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

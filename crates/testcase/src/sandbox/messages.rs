//! What the processes of a sandbox tell byway, through a pipe.

use std::io::{self, PipeReader, Read};
use std::os::fd::RawFd;

use super::kernel::call;
use super::steps::Step;

/// What a process on the way says: a word and a number.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// Which of the constants below.
    pub word: i32,
    /// More about it.
    pub number: i32,
}

impl Message {
    /// The world is there.
    pub const READY: i32 = 1;
    /// The program is there; its number.
    pub const PROGRAM: i32 = 2;
    /// The program has ended, as `wait` tells it.
    pub const ENDED: i32 = 3;
    /// The name spaces could not be entered; the error.
    pub const NOT_ENTERED: i32 = 4;
    /// A step failed; the error. The number of the step follows.
    pub const STEP_FAILED: i32 = 5;
    /// Which step.
    pub const WHICH_STEP: i32 = 6;
    /// The program could not be started; the error.
    pub const NOT_STARTED: i32 = 7;

    /// Its bytes.
    pub const SIZE: usize = 8;

    /// Reads one.
    pub fn read(bytes: [u8; Message::SIZE]) -> Message {
        let [a, b, c, d, e, f, g, h] = bytes;
        let (word, number) = ([a, b, c, d], [e, f, g, h]);
        Message { word: i32::from_ne_bytes(word), number: i32::from_ne_bytes(number) }
    }
}

/// Says something to byway; nobody is left to tell if that fails.
pub fn tell(to: RawFd, word: i32, number: i32) {
    let mut bytes = [0; Message::SIZE];
    bytes[..4].copy_from_slice(&word.to_ne_bytes());
    bytes[4..].copy_from_slice(&number.to_ne_bytes());
    // SAFETY: the pointer and length are of one live array.
    let _ = unsafe { call(libc::SYS_write, [to as usize, bytes.as_ptr() as usize, bytes.len()]) };
}

/// Says which step failed, and why.
pub fn tell_step(to: RawFd, (step, errno): (usize, i32)) {
    tell(to, Message::STEP_FAILED, errno);
    tell(to, Message::WHICH_STEP, step as i32);
}

/// Why a sandbox, or a program in it, could not be had.
pub fn refusal(message: Message, next: Option<Message>, steps: &[Step]) -> io::Error {
    let error = io::Error::from_raw_os_error(message.number);
    let step = next.and_then(|next| steps.get(usize::try_from(next.number).ok()?));
    let text = match (message.word, step) {
        (Message::NOT_ENTERED, _) => format!("its name spaces cannot be entered: {error}"),
        (Message::NOT_STARTED, _) => format!("the program cannot be started: {error}"),
        (_, Some(step)) => format!("{step:?}: {error}"),
        (_, None) => format!("its processes do not talk as they should: {error}"),
    };
    io::Error::new(error.kind(), text)
}

/// Reads a message; `None` if nobody is left who could send one.
pub fn read_message(from: &mut PipeReader) -> io::Result<Option<Message>> {
    let mut bytes = [0; Message::SIZE];
    match from.read_exact(&mut bytes) {
        Ok(()) => Ok(Some(Message::read(bytes))),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

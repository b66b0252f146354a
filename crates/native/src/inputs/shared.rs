//! The layout of the memory that the driver shares with the server, as in `server/state.h`.

use super::memory::SharedMemory;

/// The offsets of the fields of `struct control`.
pub mod field {
    pub const REQUEST: usize = 0;
    pub const REPLY: usize = 4;
    pub const LOOPED: usize = 8;
    pub const COUNT: usize = 12;
    pub const DONE: usize = 16;
    pub const LIMIT: usize = 20;
    pub const NOVEL_COUNT: usize = 24;
    pub const NOVEL_ROOM: usize = 28;
    pub const REQUEST_COUNT: usize = 32;
    pub const REQUEST_ROOM: usize = 36;
    pub const COUNTERS: usize = 40;
    pub const WORDS: [usize; 3] = [44, 48, 52];
    pub const HEAP: usize = 56;
    pub const BYTES: usize = 64;
    /// Of the areas, in the order of [`super::Areas`].
    pub const AREAS: usize = 72;
    pub const MESSAGE: usize = 144;
    pub const MESSAGE_BYTES: usize = 256;
}

const PAGE: usize = 4096;
/// The size of `struct run_ending`.
pub const ENDING: usize = 16;
/// The size of `struct requested_object`, and of its name.
pub const REQUESTED: usize = 64;

/// The most inputs of a batch, and their bytes together.
pub const MOST_INPUTS: usize = 1 << 16;
pub const MOST_BYTES: usize = 8 << 20;
/// The most objects that a single run reports to have asked for.
pub const MOST_REQUESTED: usize = 4096;
/// The bytes for the counts of runs with new counts.
const NOVEL_BYTES: usize = 4 << 20;

/// The command line that the program starts with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProgramWords {
    /// The program's name and arguments.
    pub args: Vec<Vec<u8>>,
    /// The environment as `NAME=value`.
    pub env: Vec<Vec<u8>>,
    /// Options that make arguments, files and the like symbolic, such as `--sym-arg` and `3`.
    pub options: Vec<Vec<u8>>,
}

impl ProgramWords {
    fn lists(&self) -> [&Vec<Vec<u8>>; 3] {
        [&self.args, &self.env, &self.options]
    }

    /// Zero-terminated words, each without what follows a zero in it.
    fn text(&self) -> Vec<u8> {
        let mut text = Vec::new();
        for word in self.lists().into_iter().flatten() {
            text.extend(word.iter().take_while(|&&byte| byte != 0));
            text.push(0);
        }
        text
    }
}

/// Where the parts of the shared memory are; in bytes from its start.
#[derive(Copy, Clone, Debug)]
#[allow(missing_docs)] // as the fields of `struct control`
pub struct Areas {
    pub counters: usize,
    pub starts: usize,
    pub inputs: usize,
    pub endings: usize,
    pub totals: usize,
    pub seen: usize,
    pub novel: usize,
    pub requests: usize,
    pub words: usize,
    pub bytes: usize,
    pub novel_room: usize,
}

impl Areas {
    /// The layout for a number of counters and bytes of words.
    pub fn new(counters: usize, words: usize) -> Areas {
        let mut next = PAGE;
        let mut area = |bytes: usize| {
            let at = next;
            next += bytes.next_multiple_of(PAGE).max(PAGE);
            at
        };
        let novel_room = (NOVEL_BYTES / novel_size(counters)).clamp(4, 1024);
        Areas {
            // A zero follows the last counter.
            counters: area(4 * counters + 4),
            starts: area(4 * (MOST_INPUTS + 1)),
            inputs: area(MOST_BYTES),
            endings: area(ENDING * MOST_INPUTS),
            totals: area(8 * counters + 8),
            seen: area(counters + 1),
            novel: area(novel_room * novel_size(counters)),
            requests: area(REQUESTED * MOST_REQUESTED),
            words: area(words),
            bytes: next,
            novel_room,
        }
    }

    /// Writes the layout, the command line and the limits.
    pub fn describe(
        &self,
        memory: &SharedMemory,
        counters: usize,
        words: &ProgramWords,
        heap: u64,
        limit: u32,
    ) {
        memory.set_u32(field::LIMIT, limit);
        memory.set_u32(field::NOVEL_ROOM, self.novel_room as u32);
        memory.set_u32(field::REQUEST_ROOM, MOST_REQUESTED as u32);
        memory.set_u32(field::COUNTERS, counters as u32);
        for (at, list) in field::WORDS.into_iter().zip(words.lists()) {
            memory.set_u32(at, list.len() as u32);
        }
        memory.set_u64(field::HEAP, heap);
        memory.set_u64(field::BYTES, self.bytes as u64);
        let areas = [
            self.counters,
            self.starts,
            self.inputs,
            self.endings,
            self.totals,
            self.seen,
            self.novel,
            self.requests,
            self.words,
        ];
        for (at, area) in (field::AREAS..).step_by(8).zip(areas) {
            memory.set_u64(at, area as u64);
        }
        memory.write(self.words, &words.text());
    }

    /// The bytes that the words take.
    pub fn word_bytes(words: &ProgramWords) -> usize {
        words.text().len()
    }
}

/// The bytes for a run with new counts: its number and its counters.
pub fn novel_size(counters: usize) -> usize {
    4 + 4 * counters
}

//! What a compiler notes of a file it instruments (`.gcno`): functions, their blocks, the
//! arcs between them, and which lines each block holds.

use super::words::{Version, Words};

const FUNCTION: u32 = 0x0100_0000;
const BLOCKS: u32 = 0x0141_0000;
const ARCS: u32 = 0x0143_0000;
const LINES: u32 = 0x0145_0000;

const ON_TREE: u32 = 1;
const FAKE: u32 = 2;

/// What is noted of one compilation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notes {
    /// Shared with the counters of the same compilation.
    pub stamp: u32,
    /// The directory the compiler ran in, if it is told.
    pub directory: String,
    /// The functions.
    pub functions: Vec<Function>,
}

/// A function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Function {
    /// Its number in this compilation.
    pub id: u32,
    /// Stands for its code, so that counters of other code are not taken for its own.
    pub checksum: u32,
    /// Its name.
    pub name: String,
    /// The file it is in.
    pub file: String,
    /// The line it begins at.
    pub line: u32,
    /// Whether the compiler made it up.
    pub artificial: bool,
    /// Its blocks. The first is the entry, the second the exit.
    pub blocks: Vec<Block>,
    /// The arcs between them.
    pub arcs: Vec<Arc>,
}

/// A straight piece of code.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Block {
    /// The lines in it, by file, as they come.
    pub lines: Vec<(String, u32)>,
}

/// A way from one block to another.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Arc {
    /// From this block.
    pub from: usize,
    /// To this one.
    pub to: usize,
    /// Whether it has a counter. The others follow from those that have.
    pub counted: bool,
    /// Whether it stands for a call that does not return.
    pub fake: bool,
}

impl Notes {
    /// Reads a file; the error says what is wrong with it.
    pub fn read(bytes: &[u8]) -> Result<Notes, String> {
        let mut words = Words::open(bytes, b"gcno").ok_or("it is not a .gcno file")?;
        let torn = || "it is torn".to_string();
        if words.version >= Version::V12 {
            words.word().ok_or_else(torn)?;
        }
        let mut directory = String::new();
        if words.version >= Version::V9 {
            directory = words.string().ok_or_else(torn)?;
        }
        if words.version >= Version::V8 {
            words.word().ok_or_else(torn)?;
        }
        let stamp = words.stamp;
        let mut functions: Vec<Function> = Vec::new();
        while let Some((tag, mut record)) = words.record() {
            let read = match (tag, functions.last_mut()) {
                (FUNCTION, _) => function(&mut record).map(|function| functions.push(function)),
                (BLOCKS, Some(function)) => blocks(&mut record, function, bytes.len()),
                (ARCS, Some(function)) => arcs(&mut record, function),
                (LINES, Some(function)) => lines(&mut record, function),
                _ => Some(()),
            };
            read.ok_or_else(torn)?;
        }
        Ok(Notes { stamp, directory, functions })
    }
}

fn function(record: &mut Words) -> Option<Function> {
    let (id, _lines) = (record.word()?, record.word()?);
    let checksum = record.word()?;
    let name = record.string()?;
    let artificial = record.version >= Version::V8 && record.word()? != 0;
    let (file, line) = (record.string()?, record.word()?);
    Some(Function { id, checksum, name, file, line, artificial, ..Function::default() })
}

fn blocks(record: &mut Words, function: &mut Function, most: usize) -> Option<()> {
    let mut count = 0;
    if record.version >= Version::V8 {
        count = record.word()? as usize;
    } else {
        while record.word().is_some() {
            count += 1;
        }
    }
    // Blocks without arcs there are few: more than bytes is no function, but damage.
    (count <= most).then(|| function.blocks.resize(count, Block::default()))
}

fn arcs(record: &mut Words, function: &mut Function) -> Option<()> {
    let blocks = function.blocks.len();
    let from = record.word().map(|from| from as usize).filter(|from| *from < blocks)?;
    while !record.is_empty() {
        let (to, flags) = (record.word()? as usize, record.word()?);
        let (counted, fake) = (flags & ON_TREE == 0, flags & FAKE != 0);
        function.arcs.push(Arc { from, to: Some(to).filter(|to| *to < blocks)?, counted, fake });
    }
    Some(())
}

fn lines(record: &mut Words, function: &mut Function) -> Option<()> {
    let block = function.blocks.get_mut(record.word()? as usize)?;
    let mut file = String::new();
    loop {
        match record.word()? {
            0 => match record.string()? {
                end if end.is_empty() => return Some(()),
                name => file = name,
            },
            line => block.lines.push((file.clone(), line)),
        }
    }
}

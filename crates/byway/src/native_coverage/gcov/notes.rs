//! Parses `.gcno` files: functions, their blocks, the arcs between them, and the lines of each
//! block.

use super::reader::{GcovReader, GcovVersion};

const FUNCTION: u32 = 0x0100_0000;
const BLOCKS: u32 = 0x0141_0000;
const ARCS: u32 = 0x0143_0000;
const LINES: u32 = 0x0145_0000;

const ON_TREE: u32 = 1;
const FAKE: u32 = 2;

/// The notes of one compilation unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notes {
    /// Equal in the counters of the same compilation.
    pub stamp: u32,
    /// The directory the compiler ran in, if it is recorded.
    pub directory: String,
    pub functions: Vec<NotedFunction>,
}

/// A function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NotedFunction {
    /// Unique in this unit.
    pub id: u32,
    /// Identifies its code, so that counters of other code are not used.
    pub checksum: u32,
    pub name: String,
    pub file: String,
    /// The first line.
    pub line: u32,
    /// The compiler generated it.
    pub artificial: bool,
    /// The first is the entry, the second the exit.
    pub blocks: Vec<NotedBlock>,
    pub arcs: Vec<NotedArc>,
}

/// A basic block.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NotedBlock {
    /// Files and lines in order.
    pub lines: Vec<(String, u32)>,
}

/// An edge between blocks.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct NotedArc {
    /// The source block.
    pub from: usize,
    /// The target block.
    pub to: usize,
    /// The arc has a counter. The counts of the others follow from those.
    pub counted: bool,
    /// The arc stands for a call that does not return.
    pub fake: bool,
}

impl Notes {
    /// Parses the bytes of a file.
    pub fn parse(bytes: &[u8]) -> Result<Notes, String> {
        let mut reader = GcovReader::open(bytes, b"gcno").ok_or("it is not a .gcno file")?;
        let damaged = || "it is damaged".to_string();
        if reader.version >= GcovVersion::V12 {
            reader.word().ok_or_else(damaged)?;
        }
        let mut directory = String::new();
        if reader.version >= GcovVersion::V9 {
            directory = reader.string().ok_or_else(damaged)?;
        }
        if reader.version >= GcovVersion::V8 {
            reader.word().ok_or_else(damaged)?;
        }
        let stamp = reader.stamp;
        let mut functions: Vec<NotedFunction> = Vec::new();
        while let Some((tag, mut record)) = reader.record() {
            let read = match (tag, functions.last_mut()) {
                (FUNCTION, _) => function(&mut record).map(|function| functions.push(function)),
                (BLOCKS, Some(function)) => blocks(&mut record, function, bytes.len()),
                (ARCS, Some(function)) => arcs(&mut record, function),
                (LINES, Some(function)) => lines(&mut record, function),
                _ => Some(()),
            };
            read.ok_or_else(damaged)?;
        }
        Ok(Notes { stamp, directory, functions })
    }
}

fn function(record: &mut GcovReader) -> Option<NotedFunction> {
    let (id, _lines) = (record.word()?, record.word()?);
    let checksum = record.word()?;
    let name = record.string()?;
    let artificial = record.version >= GcovVersion::V8 && record.word()? != 0;
    let (file, line) = (record.string()?, record.word()?);
    Some(NotedFunction { id, checksum, name, file, line, artificial, ..NotedFunction::default() })
}

fn blocks(record: &mut GcovReader, function: &mut NotedFunction, max: usize) -> Option<()> {
    let mut count = 0;
    if record.version >= GcovVersion::V8 {
        count = record.word()? as usize;
    } else {
        while record.word().is_some() {
            count += 1;
        }
    }
    // More blocks than bytes in the file, or fewer than arcs refer to, mean a damaged file.
    let valid = (function.blocks.len()..=max).contains(&count);
    valid.then(|| function.blocks.resize(count, NotedBlock::default()))
}

fn arcs(record: &mut GcovReader, function: &mut NotedFunction) -> Option<()> {
    let blocks = function.blocks.len();
    let from = record.word().map(|from| from as usize).filter(|from| *from < blocks)?;
    while !record.is_empty() {
        let (to, flags) = (record.word()? as usize, record.word()?);
        let (counted, fake) = (flags & ON_TREE == 0, flags & FAKE != 0);
        function.arcs.push(NotedArc {
            from,
            to: Some(to).filter(|to| *to < blocks)?,
            counted,
            fake,
        });
    }
    Some(())
}

fn lines(record: &mut GcovReader, function: &mut NotedFunction) -> Option<()> {
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

//! Reader for 64-bit little-endian ELF files: sections, symbols, needed libraries. Every offset is
//! checked, so a damaged file is an error.

/// A parsed ELF file.
pub struct ElfFile<'a> {
    data: &'a [u8],
    kind: u16,
    sections: Vec<ElfSection>,
    names: usize,
}

/// A section header.
#[derive(Clone, Debug)]
pub struct ElfSection {
    pub(crate) name: u32,
    pub(crate) kind: u32,
    pub(crate) offset: u64,
    pub(crate) size: u64,
    /// The string table of a symbol table or of dynamic entries.
    pub(crate) link: u32,
}

/// What a file says about the shared libraries it needs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NeededLibraries {
    /// File names, as `libz.so.1`.
    pub names: Vec<String>,
    /// Directories to search, separated by colons, as `$ORIGIN/../lib`.
    pub search_paths: Vec<String>,
}

/// The entries of a table, and the string table that they refer to.
type TableWithStrings<'a> = (&'a [u8], &'a [u8]);

pub(crate) const MAGIC: &[u8] = b"\x7fELF";
pub(crate) const HEADER_SIZE: usize = 64;
pub(crate) const SECTION_HEADER_SIZE: usize = 64;
const CLASS_64: u8 = 2;
const LITTLE_ENDIAN: u8 = 1;
const RELOCATABLE: u16 = 1;
const SHT_DYNAMIC: u32 = 6;
const SHT_NOBITS: u32 = 8;
const SHT_SYMTAB: u32 = 2;
const SHT_DYNSYM: u32 = 11;
const DT_NEEDED: u64 = 1;
const DT_RPATH: u64 = 15;
const DT_RUNPATH: u64 = 29;
const SYMBOL_SIZE: usize = 24;

/// Whether the bytes begin an ELF file.
pub fn is_elf(data: &[u8]) -> bool {
    data.starts_with(MAGIC)
}

impl<'a> ElfFile<'a> {
    /// Reads the header and the section headers.
    pub fn parse(data: &'a [u8]) -> Result<Self, String> {
        if !is_elf(data) {
            return Err("it is not an ELF file".into());
        }
        let header = data.get(..HEADER_SIZE).ok_or("it is a truncated ELF file")?;
        if header[4] != CLASS_64 || header[5] != LITTLE_ENDIAN {
            return Err("it is not a 64-bit little-endian ELF file".into());
        }
        let truncated = || "it is a truncated ELF file".to_string();
        let table = quad(header, 0x28);
        let (mut count, mut names) = (u64::from(half(header, 0x3c)), u64::from(half(header, 0x3e)));
        let mut sections = Vec::new();
        if table != 0 {
            if usize::from(half(header, 0x3a)) != SECTION_HEADER_SIZE {
                return Err("it is a damaged ELF file (size of section headers)".into());
            }
            let first = section_header(data, table, 0).ok_or_else(truncated)?;
            // Beyond 65,279 sections, the first header has both numbers.
            if count == 0 {
                count = first.size;
            }
            if names == 0xffff {
                names = u64::from(first.link);
            }
            if count > data.len() as u64 / SECTION_HEADER_SIZE as u64 {
                return Err(truncated());
            }
            for index in 0..count {
                sections.push(section_header(data, table, index).ok_or_else(truncated)?);
            }
        }
        let names = usize::try_from(names).unwrap_or(usize::MAX);
        Ok(ElfFile { data, kind: half(header, 0x10), sections, names })
    }

    /// Whether it is an object, which a linker may still read.
    pub fn is_relocatable(&self) -> bool {
        self.kind == RELOCATABLE
    }

    pub(crate) fn sections(&self) -> &[ElfSection] {
        &self.sections
    }

    /// The names of the sections, each terminated by zero; the index of their section.
    pub(crate) fn name_table(&self) -> Result<(usize, &'a [u8]), String> {
        let section = self.sections.get(self.names).ok_or("it has no section names")?;
        Ok((self.names, self.contents(section)?))
    }

    /// The contents of the first section of this name.
    pub fn section(&self, name: &str) -> Result<Option<&'a [u8]>, String> {
        if self.sections.is_empty() {
            return Ok(None);
        }
        let (_, names) = self.name_table()?;
        let found = self.sections.iter().find(|s| string(names, s.name as usize) == name);
        found.map(|section| self.contents(section)).transpose()
    }

    fn contents(&self, section: &ElfSection) -> Result<&'a [u8], String> {
        if section.kind == SHT_NOBITS {
            return Ok(&[]);
        }
        let start = usize::try_from(section.offset).ok();
        let size = usize::try_from(section.size).ok();
        let end = start.zip(size).and_then(|(start, size)| start.checked_add(size));
        start
            .zip(end)
            .and_then(|(start, end)| self.data.get(start..end))
            .ok_or_else(|| "it is a truncated ELF file".into())
    }

    /// The first section of this type, and its string table.
    fn with_strings(&self, kind: u32) -> Result<Option<TableWithStrings<'a>>, String> {
        let Some(section) = self.sections.iter().find(|s| s.kind == kind) else { return Ok(None) };
        let strings =
            self.sections.get(section.link as usize).ok_or("it is a damaged ELF file (strings)")?;
        Ok(Some((self.contents(section)?, self.contents(strings)?)))
    }

    /// The names of the functions and variables that the file defines; of a stripped one, none.
    pub fn defined_symbols(&self) -> Result<Vec<String>, String> {
        self.symbols(SHT_SYMTAB)
    }

    /// Those that other files can refer to when the program runs.
    pub fn exported_symbols(&self) -> Result<Vec<String>, String> {
        self.symbols(SHT_DYNSYM)
    }

    fn symbols(&self, table: u32) -> Result<Vec<String>, String> {
        let Some((entries, strings)) = self.with_strings(table)? else { return Ok(Vec::new()) };
        let defined = entries.chunks_exact(SYMBOL_SIZE).filter_map(|entry| {
            let (info, section) = (entry[4], half(entry, 6));
            // Not sections and files. A label in assembly has no type.
            let is_object = matches!(info & 15, 0 | 1 | 2 | 5 | 6 | 10);
            let name = string(strings, word(entry, 0) as usize);
            (is_object && section != 0 && !name.is_empty()).then_some(name)
        });
        Ok(defined.collect())
    }

    /// The shared libraries that it needs.
    pub fn needed_libraries(&self) -> Result<NeededLibraries, String> {
        let mut needed = NeededLibraries::default();
        if let Some((entries, strings)) = self.with_strings(SHT_DYNAMIC)? {
            for entry in entries.chunks_exact(16) {
                let text = || string(strings, quad(entry, 8) as usize);
                match quad(entry, 0) {
                    DT_NEEDED => needed.names.push(text()),
                    DT_RPATH | DT_RUNPATH => needed.search_paths.push(text()),
                    _ => {}
                }
            }
        }
        Ok(needed)
    }
}

fn section_header(data: &[u8], table: u64, index: u64) -> Option<ElfSection> {
    let start = table.checked_add(index.checked_mul(SECTION_HEADER_SIZE as u64)?)?;
    let start = usize::try_from(start).ok()?;
    let header = data.get(start..start.checked_add(SECTION_HEADER_SIZE)?)?;
    Some(ElfSection {
        name: word(header, 0),
        kind: word(header, 4),
        offset: quad(header, 0x18),
        size: quad(header, 0x20),
        link: word(header, 0x28),
    })
}

/// The text that starts at an offset and ends with a zero; empty beyond the table.
fn string(table: &[u8], offset: usize) -> String {
    let rest = table.get(offset..).unwrap_or_default();
    let end = rest.iter().position(|&byte| byte == 0).unwrap_or(rest.len());
    String::from_utf8_lossy(&rest[..end]).into_owned()
}

/// Two bytes of a structure whose size the caller has checked.
pub(crate) fn half(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from(half(bytes, at)) | u32::from(half(bytes, at + 2)) << 16
}

/// Eight bytes.
pub(crate) fn quad(bytes: &[u8], at: usize) -> u64 {
    u64::from(word(bytes, at)) | u64::from(word(bytes, at + 4)) << 32
}

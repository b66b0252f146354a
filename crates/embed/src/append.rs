//! Adds a section to an object file, and makes an object that has nothing else.
//!
//! New contents, section names and section headers go behind the end of the file; only then is
//! the file's header changed, in one small write. So an interrupted change leaves a valid object.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use crate::elf::{ElfFile, HEADER_SIZE, MAGIC, SECTION_HEADER_SIZE, half, quad};

const SHT_PROGBITS: u32 = 1;
const SHT_STRTAB: u32 = 3;
/// A linker that removes unused sections keeps this one, also from an object without code.
const SHF_GNU_RETAIN: u64 = 0x20_0000;
const OS_GNU: u8 = 3;
const MACHINE_X86_64: u16 = 62;
/// From here on, the numbers of sections have other meanings.
const MAX_SECTIONS: usize = 0xff00;

/// Adds a section that is not loaded to a relocatable file. `Ok(false)`: the file is no object
/// that this can change, and stays as it is.
pub fn append_section(path: &Path, name: &str, contents: &[u8]) -> io::Result<bool> {
    let mut file = File::options().read(true).write(true).open(path)?;
    let mut data = Vec::new();
    file.read_to_end(&mut data)?;
    let Some((tail, header)) = extended(&data, name, contents) else { return Ok(false) };
    file.seek(SeekFrom::End(0))?;
    file.write_all(&tail)?;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&header)?;
    Ok(true)
}

/// What to append to an object, and its new header.
fn extended(data: &[u8], name: &str, contents: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let file = ElfFile::parse(data).ok().filter(ElfFile::is_relocatable)?;
    let count = file.sections().len();
    let (names_index, names) = file.name_table().ok()?;
    if count + 1 >= MAX_SECTIONS {
        return None;
    }
    let mut header = data.get(..HEADER_SIZE)?.to_vec();
    let table = usize::try_from(quad(&header, 0x28)).ok()?;
    let mut headers = data.get(table..table.checked_add(count * SECTION_HEADER_SIZE)?)?.to_vec();

    let contents_at = data.len() as u64;
    let mut tail = contents.to_vec();
    let names_at = contents_at + tail.len() as u64;
    tail.extend_from_slice(names);
    let name_at = u32::try_from(names.len()).ok()?;
    tail.extend_from_slice(name.as_bytes());
    tail.push(0);
    let names_size = names_at.abs_diff(contents_at + tail.len() as u64);
    tail.resize((contents_at as usize + tail.len()).next_multiple_of(8) - contents_at as usize, 0);
    let headers_at = contents_at + tail.len() as u64;

    let names_header = headers.get_mut(names_index * SECTION_HEADER_SIZE..)?;
    names_header[0x18..0x20].copy_from_slice(&names_at.to_le_bytes());
    names_header[0x20..0x28].copy_from_slice(&names_size.to_le_bytes());
    headers.extend(section_header(name_at, SHT_PROGBITS, 0, contents_at, contents.len() as u64));
    tail.extend(headers);

    header[0x28..0x30].copy_from_slice(&headers_at.to_le_bytes());
    let new_count = half(&header, 0x3c) + 1;
    header[0x3c..0x3e].copy_from_slice(&new_count.to_le_bytes());
    Some((tail, header))
}

/// An object for x86-64 whose only contents are one section that is not loaded.
pub fn object_with_section(name: &str, contents: &[u8]) -> Vec<u8> {
    const NAMES: &str = ".shstrtab";
    // Without it, a linker takes the object for old assembly and makes the stack executable.
    const STACK: &str = ".note.GNU-stack";
    let names = format!("\0{NAMES}\0{STACK}\0{name}\0");
    let name_at = |name: &str| names.find(name).unwrap_or(0) as u32;
    let contents_at = HEADER_SIZE as u64;
    let names_at = contents_at + contents.len() as u64;
    let headers_at = (names_at + names.len() as u64).next_multiple_of(8);
    let mut headers = vec![0; SECTION_HEADER_SIZE];
    headers.extend(section_header(name_at(NAMES), SHT_STRTAB, 0, names_at, names.len() as u64));
    headers.extend(section_header(name_at(STACK), SHT_PROGBITS, 0, contents_at, 0));
    headers.extend(section_header(
        names.len() as u32 - name.len() as u32 - 1,
        SHT_PROGBITS,
        SHF_GNU_RETAIN,
        contents_at,
        contents.len() as u64,
    ));
    let section_count = (headers.len() / SECTION_HEADER_SIZE) as u16;

    let mut out = Vec::with_capacity(headers_at as usize + headers.len());
    out.extend_from_slice(MAGIC);
    out.extend([2, 1, 1, OS_GNU]);
    out.resize(16, 0);
    // Relocatable.
    out.extend(1u16.to_le_bytes());
    out.extend(MACHINE_X86_64.to_le_bytes());
    out.extend(1u32.to_le_bytes());
    // No entry point, no program headers.
    out.extend([0; 16]);
    out.extend(headers_at.to_le_bytes());
    out.extend(0u32.to_le_bytes());
    let sizes = [HEADER_SIZE as u16, 0, 0, SECTION_HEADER_SIZE as u16];
    for number in sizes.into_iter().chain([section_count, 1]) {
        out.extend(number.to_le_bytes());
    }
    out.extend_from_slice(contents);
    out.extend_from_slice(names.as_bytes());
    out.resize(headers_at as usize, 0);
    out.extend(headers);
    out
}

fn section_header(name: u32, kind: u32, flags: u64, offset: u64, size: u64) -> Vec<u8> {
    let mut out = Vec::with_capacity(SECTION_HEADER_SIZE);
    out.extend(name.to_le_bytes());
    out.extend(kind.to_le_bytes());
    out.extend(flags.to_le_bytes());
    // No address.
    out.extend(0u64.to_le_bytes());
    out.extend(offset.to_le_bytes());
    out.extend(size.to_le_bytes());
    // No link, no information; alignment 1: no padding between records; no entries.
    out.extend([0; 8]);
    out.extend(1u64.to_le_bytes());
    out.extend(0u64.to_le_bytes());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECTION: &str = ".byway.test";

    #[test]
    fn a_section_is_added_to_an_object() {
        let object = object_with_section(SECTION, b"first");
        let file = ElfFile::parse(&object).unwrap();
        assert!(file.is_relocatable());
        assert_eq!(file.section(SECTION), Ok(Some(&b"first"[..])));

        let (tail, header) = extended(&object, ".other", b"second").unwrap();
        let mut both = object.clone();
        both.extend(tail);
        // Before the header changes, the file is what it was.
        assert_eq!(ElfFile::parse(&both).unwrap().section(SECTION), Ok(Some(&b"first"[..])));
        both[..HEADER_SIZE].copy_from_slice(&header);
        let file = ElfFile::parse(&both).unwrap();
        assert_eq!(file.section(SECTION), Ok(Some(&b"first"[..])));
        assert_eq!(file.section(".other"), Ok(Some(&b"second"[..])));
        assert_eq!(file.section(".third"), Ok(None));
        assert_eq!(file.sections().len(), 5);
    }

    #[test]
    fn a_damaged_object_is_an_error_and_stays_as_it_is() {
        let object = object_with_section(SECTION, b"contents");
        for cut in 0..object.len() {
            let part = &object[..cut];
            assert!(ElfFile::parse(part).is_err(), "cut at {cut}");
            assert!(extended(part, SECTION, b"x").is_none(), "cut at {cut}");
        }
    }

    /// No damage makes the reader panic, or changes what is not an object.
    #[test]
    fn fuzz_elf() {
        let object = object_with_section(SECTION, b"contents");
        byway_fuzz::Fuzz::new("elf", vec![object]).run(|input| {
            let file = match ElfFile::parse(input) {
                Ok(file) => file,
                Err(error) => return error,
            };
            let _ = extended(input, SECTION, b"x");
            format!(
                "{:?} {:?} {:?} {:?}",
                file.section(SECTION).map(|found| found.is_some()),
                file.defined_symbols().map(|names| names.is_empty()),
                file.exported_symbols().map(|names| names.is_empty()),
                file.needed_libraries().map(|needed| needed.names.is_empty())
            )
        });
    }
}

//! The bytes of a large object in copy-on-write pages.

use std::borrow::Cow;
use std::rc::Rc;

use byway_expr::Chunk;

use super::accounting::{AccountedBytes, MemoryAccount};
use super::persistent_array::PersistentArray;

/// Bytes per page: the cost of the first write to a page after a fork.
const PAGE: usize = 1 << 10;

/// Bytes charged for a page: its contents, its metadata and its entry in the table.
const PAGE_COST: u64 = PAGE as u64 + 64;

#[derive(Clone)]
struct MemoryPage {
    bytes: [u8; PAGE],
    _accounted: AccountedBytes,
}

impl AsRef<[u8]> for MemoryPage {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Bytes in pages. A page of zeros that was never written otherwise is absent.
#[derive(Clone)]
pub struct Pages {
    table: PersistentArray<Option<Rc<MemoryPage>>>,
    account: MemoryAccount,
}

/// The first page of a range: its number, the offset in it, and the bytes of the range in it.
fn first_part(at: u64, len: usize) -> (u64, usize, usize) {
    let within = at as usize % PAGE;
    (at / PAGE as u64, within, len.min(PAGE - within))
}

impl Pages {
    /// All zeros, of any length. Pages are charged to `account` when written.
    pub fn new(account: &MemoryAccount) -> Pages {
        Pages { table: PersistentArray::new(), account: account.clone() }
    }

    fn page(&self, number: u64) -> Option<&[u8; PAGE]> {
        self.table.get(number)?.as_ref().map(|page| &page.bytes)
    }

    /// The pages as chunks that share their bytes; bytes outside all chunks are zero.
    pub fn chunks(&self) -> impl Iterator<Item = Chunk> + '_ {
        self.table.entries().filter_map(|(number, page)| {
            let bytes = Rc::clone(page.as_ref()?);
            Some(Chunk::shared(number * PAGE as u64, bytes))
        })
    }

    /// The byte at an offset.
    pub fn byte(&self, at: u64) -> u8 {
        let (number, within, _) = first_part(at, 1);
        self.page(number).map_or(0, |page| page[within])
    }

    /// The bytes of a range, copied only if it spans several pages.
    pub fn bytes(&self, at: u64, len: usize) -> Cow<'_, [u8]> {
        let (number, within, part) = first_part(at, len);
        if part == len {
            static ZEROS: [u8; PAGE] = [0; PAGE];
            return self.page(number).unwrap_or(&ZEROS)[within..within + len].into();
        }
        let mut bytes = vec![0; len];
        let (mut at, mut rest) = (at, &mut bytes[..]);
        while !rest.is_empty() {
            let (number, within, part) = first_part(at, rest.len());
            let (front, behind) = rest.split_at_mut(part);
            if let Some(page) = self.page(number) {
                front.copy_from_slice(&page[within..within + part]);
            }
            (at, rest) = (at + part as u64, behind);
        }
        bytes.into()
    }

    /// Writes `bytes` at an offset.
    pub fn write(&mut self, at: u64, bytes: &[u8]) {
        let (mut at, mut rest) = (at, bytes);
        while !rest.is_empty() {
            let (number, within, part) = first_part(at, rest.len());
            let (front, behind) = rest.split_at(part);
            self.write_part(number as u32, within, front);
            (at, rest) = (at + part as u64, behind);
        }
    }

    /// Sets `len` bytes.
    pub fn fill(&mut self, at: u64, byte: u8, len: u64) {
        let pattern = [byte; PAGE];
        let (mut at, end) = (at, at + len);
        while at < end {
            let (number, within, part) = first_part(at, (end - at) as usize);
            match byte {
                0 => self.clear_part(number as u32, within, part),
                _ => self.write_part(number as u32, within, &pattern[..part]),
            }
            at += part as u64;
        }
    }

    /// Copies bytes of another object; whole pages are shared.
    pub fn copy(&mut self, at: u64, from: &Pages, from_at: u64, len: u64) {
        let mut done = 0;
        while done < len {
            let (number, within, part) = first_part(at + done, (len - done) as usize);
            let (theirs, from_within, part) = first_part(from_at + done, part);
            match from.table.get(theirs).and_then(Option::as_ref) {
                None => self.clear_part(number as u32, within, part),
                Some(page) if part == PAGE => self.table.set(number as u32, Some(page.clone())),
                Some(page) => {
                    let bytes = &page.bytes[from_within..from_within + part];
                    self.write_part(number as u32, within, bytes);
                }
            }
            done += part as u64;
        }
    }

    fn clear_part(&mut self, number: u32, within: usize, len: usize) {
        if let Some(Some(page)) = self.table.get_mut(u64::from(number)) {
            if len == PAGE {
                self.table.set(number, None);
            } else {
                Rc::make_mut(page).bytes[within..within + len].fill(0);
            }
        }
    }

    fn write_part(&mut self, number: u32, within: usize, bytes: &[u8]) {
        let absent = self.page(u64::from(number)).is_none();
        let whole = bytes.len() == PAGE;
        // A fold without early exit, which the compiler vectorises.
        if (absent || whole) && bytes.iter().fold(0, |any, &byte| any | byte) == 0 {
            if !absent {
                self.table.set(number, None);
            }
            return;
        }
        if absent {
            let page = MemoryPage { bytes: [0; PAGE], _accounted: self.account.charge(PAGE_COST) };
            self.table.set(number, Some(Rc::new(page)));
        }
        if let Some(Some(page)) = self.table.get_mut(u64::from(number)) {
            Rc::make_mut(page).bytes[within..within + bytes.len()].copy_from_slice(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use byway_base::Rng;

    #[test]
    fn pages_agree_with_a_flat_array() {
        const SIZE: usize = 20 * PAGE;
        let mut rng = Rng::new(1);
        let mut pick = |below: usize| rng.below(below as u64) as usize;
        let (mut flat, mut pages) = (vec![0u8; SIZE], Pages::new(&MemoryAccount::default()));
        let mut before = None;
        for step in 0..2_000 {
            let at = pick(SIZE);
            let len = pick((SIZE - at).min(3 * PAGE) + 1);
            let value = if step % 3 == 0 { 0 } else { step as u8 };
            let bytes: Vec<u8> = (0..len).map(|i| value.wrapping_mul(i as u8 | 1)).collect();
            match step % 5 {
                0 => {
                    flat[at..at + len].fill(value);
                    pages.fill(at as u64, value, len as u64);
                }
                1 => {
                    // From the same offset within a page, and from a different one.
                    let near = if step % 2 == 0 { at % PAGE } else { pick(SIZE - len) };
                    let (from, from_pages) = (flat.clone(), pages.clone());
                    flat[at..at + len].copy_from_slice(&from[near..near + len]);
                    pages.copy(at as u64, &from_pages, near as u64, len as u64);
                }
                _ => {
                    flat[at..at + len].copy_from_slice(&bytes);
                    pages.write(at as u64, &bytes);
                }
            }
            assert_eq!(&*pages.bytes(0, SIZE), &flat);
            let at = pick(SIZE);
            let len = pick(SIZE - at);
            assert_eq!(&*pages.bytes(at as u64, len), &flat[at..at + len]);
            assert_eq!(pages.byte(at as u64), flat[at]);
            if step == 1_000 {
                before = Some((flat.clone(), pages.clone()));
            }
        }
        let (flat, pages) = before.expect("step 1,000 was run");
        assert_eq!(&*pages.bytes(0, SIZE), &flat, "a copy is independent");
    }
}

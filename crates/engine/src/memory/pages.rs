//! The bytes of a large object in pages, so that a copy shares what it does not change.

use std::borrow::Cow;
use std::rc::Rc;

use super::table::Table;
use super::weight::{Scale, Weight};

/// The bytes of a page: a fork copies so many for each place it writes to.
const PAGE: usize = 1 << 10;

/// A page, and what it costs as long as somebody holds it.
#[derive(Clone)]
struct Page {
    bytes: [u8; PAGE],
    _weight: Weight,
}

/// Bytes in pages. Pages that were never written, or only with zeros, are not there.
#[derive(Clone)]
pub struct Pages {
    table: Table<Option<Rc<Page>>>,
    scale: Scale,
}

/// The part of a page that a range begins with: its number, where in it, how long.
fn first_part(at: u64, len: usize) -> (u64, usize, usize) {
    let within = at as usize % PAGE;
    (at / PAGE as u64, within, len.min(PAGE - within))
}

impl Pages {
    /// Zeros, as many as one wants; what is written is counted on this scale.
    pub fn new(scale: &Scale) -> Pages {
        Pages { table: Table::new(), scale: scale.clone() }
    }

    fn page(&self, number: u64) -> Option<&[u8; PAGE]> {
        self.table.get(number)?.as_ref().map(|page| &page.bytes)
    }

    /// A byte.
    pub fn byte(&self, at: u64) -> u8 {
        let (number, within, _) = first_part(at, 1);
        self.page(number).map_or(0, |page| page[within])
    }

    /// The bytes of a range; they are copied only if they lie in several pages.
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

    /// Writes bytes.
    pub fn write(&mut self, at: u64, bytes: &[u8]) {
        let (mut at, mut rest) = (at, bytes);
        while !rest.is_empty() {
            let (number, within, part) = first_part(at, rest.len());
            let (front, behind) = rest.split_at(part);
            self.write_part(number as u32, within, front);
            (at, rest) = (at + part as u64, behind);
        }
    }

    /// Sets bytes.
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

    /// Takes bytes of another over, whole pages without copying them.
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
        // All bits of all bytes at once, which is done in large steps.
        if (absent || whole) && bytes.iter().fold(0, |any, &byte| any | byte) == 0 {
            if !absent {
                self.table.set(number, None);
            }
            return;
        }
        if absent {
            let page = Page { bytes: [0; PAGE], _weight: self.scale.weigh(PAGE as u64) };
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
    fn pages_hold_what_flat_bytes_hold() {
        const SIZE: usize = 20 * PAGE;
        let mut rng = Rng::new(1);
        let mut pick = |below: usize| rng.below(below as u64) as usize;
        let (mut flat, mut pages) = (vec![0u8; SIZE], Pages::new(&Scale::default()));
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
                    // From where it lies the same in its page, and from elsewhere.
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
        let (flat, pages) = before.expect("it came by");
        assert_eq!(&*pages.bytes(0, SIZE), &flat, "a copy keeps what it had");
    }
}

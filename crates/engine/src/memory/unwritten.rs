//! Which bytes of an object were never written.
//!
//! Most objects are small, or written completely soon after they are allocated: a mask of one
//! word, and a count that tells when nothing is left to track. The mask of a large object is in
//! blocks that copies of the object share.

use std::ops::Range;
use std::rc::Rc;

use super::persistent_array::PersistentArray;

/// The bytes of an object that were never written.
#[derive(Clone)]
pub struct Unwritten {
    /// The number of unwritten bytes.
    count: u64,
    mask: Mask,
}

/// One bit per byte, set if it is unwritten.
#[derive(Clone)]
enum Mask {
    /// Up to [`WORD`] bytes.
    Small(u64),
    Large(Box<LargeMask>),
}

#[derive(Clone)]
struct LargeMask {
    /// Blocks that differ from `rest`.
    blocks: PersistentArray<Option<Rc<MaskBlock>>>,
    /// All other blocks.
    rest: Rc<MaskBlock>,
    /// A block of written bytes.
    written: Rc<MaskBlock>,
    changed_blocks: u64,
}

/// Bytes per word of a mask.
const WORD: u64 = u64::BITS as u64;
/// Bytes per block of a large mask.
const BLOCK: u64 = 1024;

type MaskBlock = [u64; (BLOCK / WORD) as usize];

/// Bytes charged for a block of a large mask that differs from the others.
const BLOCK_COST: u64 = size_of::<MaskBlock>() as u64 + 48;

/// The bits of a range within a word.
#[inline(always)]
fn bits(range: Range<u64>) -> u64 {
    match range.end - range.start {
        WORD => u64::MAX,
        len => ((1 << len) - 1) << (range.start % WORD),
    }
}

/// Splits a range into parts within multiples of `size`.
fn parts(range: Range<u64>, size: u64) -> impl Iterator<Item = Range<u64>> {
    let mut at = range.start;
    std::iter::from_fn(move || {
        let start = at;
        at = (start - start % size + size).min(range.end);
        (start < range.end).then_some(start..at)
    })
}

impl Unwritten {
    /// An object without unwritten bytes.
    pub const NONE: Unwritten = Unwritten { count: 0, mask: Mask::Small(0) };

    /// An object of `size` bytes, none of them written.
    pub fn all(size: u64) -> Unwritten {
        let mask = match size {
            0 => Mask::Small(0),
            1..=WORD => Mask::Small(bits(0..size)),
            _ => Mask::Large(LargeMask::filled(u64::MAX)),
        };
        Unwritten { count: size, mask }
    }

    /// Whether every byte was written.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The number of unwritten bytes.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Whether a byte is unwritten.
    pub fn contains(&self, at: u64) -> bool {
        self.any(at..at + 1)
    }

    /// Whether a byte of a range in bounds is unwritten.
    #[inline(always)]
    pub fn any(&self, range: Range<u64>) -> bool {
        if self.count == 0 {
            return false;
        }
        match &self.mask {
            Mask::Small(mask) => range.start < range.end && mask & bits(range) != 0,
            Mask::Large(mask) => mask.any(range),
        }
    }

    /// The first unwritten byte of a range.
    pub fn first(&self, mut range: Range<u64>) -> Option<u64> {
        if !self.any(range.clone()) {
            return None;
        }
        range.find(|&at| self.contains(at))
    }

    /// Marks a range in bounds as written.
    #[inline(always)]
    pub fn write(&mut self, range: Range<u64>) {
        if self.count == 0 {
            return;
        }
        match &mut self.mask {
            Mask::Small(mask) => {
                if range.start < range.end {
                    *mask &= !bits(range);
                    self.count = u64::from(mask.count_ones());
                }
            }
            Mask::Large(_) => self.write_large(range),
        }
    }

    fn write_large(&mut self, range: Range<u64>) {
        let Mask::Large(mask) = &mut self.mask else { return };
        // A whole object that was never written needs no blocks.
        let whole = range.start == 0 && mask.changed_blocks == 0 && range.end == self.count;
        self.count -= if whole { self.count } else { mask.set(range, false) };
        if self.count == 0 {
            self.mask = Mask::Small(0);
        }
    }

    /// Marks a range in bounds of an object of `size` bytes as unwritten.
    pub fn unset(&mut self, range: Range<u64>, size: u64) {
        if range.is_empty() {
            return;
        }
        if self.count == 0 && size > WORD {
            self.mask = Mask::Large(LargeMask::filled(0));
        }
        match &mut self.mask {
            Mask::Small(mask) => {
                *mask |= bits(range);
                self.count = u64::from(mask.count_ones());
            }
            Mask::Large(mask) => self.count += mask.set(range, true),
        }
    }

    /// The maximal unwritten ranges within a range in bounds.
    pub fn ranges(&self, range: Range<u64>) -> Vec<Range<u64>> {
        let mut found: Vec<Range<u64>> = Vec::new();
        let mut add = |part: Range<u64>| match found.last_mut() {
            Some(last) if last.end == part.start => last.end = part.end,
            _ => found.push(part),
        };
        for block in parts(range, BLOCK) {
            if self.is_all(&block) {
                add(block);
                continue;
            }
            for word in parts(block, WORD).filter(|word| self.any(word.clone())) {
                word.filter(|&at| self.contains(at)).for_each(|at| add(at..at + 1));
            }
        }
        found
    }

    /// Whether every byte of a range within a block is unwritten.
    fn is_all(&self, range: &Range<u64>) -> bool {
        match &self.mask {
            Mask::Small(_) => false,
            Mask::Large(mask) => {
                let block = mask.block(range.start / BLOCK);
                parts(range.clone(), WORD).all(|part| {
                    let bits = bits(part.clone());
                    block[(part.start % BLOCK / WORD) as usize] & bits == bits
                })
            }
        }
    }

    /// About the bytes that it takes on the heap.
    pub fn heap_bytes(&self) -> u64 {
        match &self.mask {
            Mask::Small(_) => 0,
            Mask::Large(mask) => {
                size_of::<LargeMask>() as u64
                    + 2 * size_of::<MaskBlock>() as u64
                    + mask.changed_blocks * BLOCK_COST
            }
        }
    }
}

impl LargeMask {
    fn filled(word: u64) -> Box<LargeMask> {
        Box::new(LargeMask {
            blocks: PersistentArray::new(),
            rest: Rc::new([word; (BLOCK / WORD) as usize]),
            written: Rc::new([0; (BLOCK / WORD) as usize]),
            changed_blocks: 0,
        })
    }

    fn block(&self, number: u64) -> &Rc<MaskBlock> {
        self.blocks.get(number).and_then(Option::as_ref).unwrap_or(&self.rest)
    }

    fn any(&self, range: Range<u64>) -> bool {
        parts(range, WORD).any(|part| {
            let word = self.block(part.start / BLOCK)[(part.start % BLOCK / WORD) as usize];
            word & bits(part) != 0
        })
    }

    /// Sets or clears the bits of a range; returns how many changed.
    fn set(&mut self, range: Range<u64>, value: bool) -> u64 {
        parts(range, BLOCK).map(|part| self.set_in_block(part, value)).sum()
    }

    fn set_in_block(&mut self, range: Range<u64>, value: bool) -> u64 {
        let number = range.start / BLOCK;
        let ones = |block: &MaskBlock| block.iter().map(|w| u64::from(w.count_ones())).sum::<u64>();
        let old = self.block(number);
        if !value && range.end - range.start == BLOCK {
            let changed = ones(old);
            if changed != 0 {
                self.replace(number, self.written.clone());
            }
            return changed;
        }
        let mut block = match self.blocks.get_mut(number).and_then(Option::take) {
            Some(own) => own,
            None => self.rest.clone(),
        };
        let words = Rc::make_mut(&mut block);
        let mut changed = 0;
        for part in parts(range, WORD) {
            let (word, bits) = (&mut words[(part.start % BLOCK / WORD) as usize], bits(part));
            let new = if value { *word | bits } else { *word & !bits };
            changed += u64::from((*word ^ new).count_ones());
            *word = new;
        }
        self.replace(number, block);
        changed
    }

    fn replace(&mut self, number: u64, block: Rc<MaskBlock>) {
        self.changed_blocks = self.changed_blocks.max(number + 1);
        self.blocks.set(number as u32, Some(block));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use byway_base::Rng;

    #[test]
    fn masks_agree_with_flags() {
        for size in [1, 5, 63, 64, 65, 200, 1024, 5000] {
            let mut rng = Rng::new(size);
            let mut unwritten = Unwritten::all(size);
            let mut flags = vec![true; size as usize];
            let mut before = None;
            for step in 0..500 {
                let start = rng.below(size);
                let len = rng.below((size - start).min(if step % 7 == 0 { 3000 } else { 20 }) + 1);
                let range = start..start + len;
                let value = rng.below(3) == 0;
                flags[start as usize..(start + len) as usize].fill(value);
                match value {
                    true => unwritten.unset(range.clone(), size),
                    false => unwritten.write(range.clone()),
                }
                let expected: Vec<u64> = (0..size).filter(|&at| flags[at as usize]).collect();
                let ranges = unwritten.ranges(0..size);
                assert_eq!(ranges.into_iter().flatten().collect::<Vec<u64>>(), expected);
                assert_eq!(unwritten.is_empty(), expected.is_empty());
                let (from, to) = (rng.below(size), rng.below(size + 1));
                let any = expected.iter().find(|&&at| (from..to).contains(&at));
                assert_eq!(unwritten.first(from..to.max(from)), any.copied());
                if step == 250 {
                    before = Some((unwritten.clone(), expected));
                }
            }
            let (unwritten, expected) = before.expect("step 250 was run");
            let ranges = unwritten.ranges(0..size);
            assert_eq!(ranges.into_iter().flatten().collect::<Vec<u64>>(), expected);
        }
    }

    #[test]
    fn a_large_object_costs_little_until_it_is_written_in_parts() {
        let mut unwritten = Unwritten::all(1 << 30);
        assert!(unwritten.heap_bytes() < 1024);
        unwritten.write(0..1 << 30);
        assert!(unwritten.is_empty());
        assert_eq!(unwritten.heap_bytes(), 0);
    }
}

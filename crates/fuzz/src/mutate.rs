//! Mutations of inputs: of bits and bytes, of ranges, of numbers and words in text.

use byway_base::Rng;

/// Bytes at which parsers often decide something.
const BYTES: [u8; 17] = *b"\0\x01\x7f\x80\xff\n \"'\\(){},09";

/// Numbers at the ends of ranges.
const NUMBERS: [&[u8]; 6] = [
    b"0",
    b"-1",
    b"4294967295",
    b"18446744073709551615",
    b"340282366920938463463374607431768211456",
    b"1e999",
];

/// An input of the corpus with one to eight mutations.
pub fn mutated(corpus: &[Vec<u8>], max_bytes: usize, rng: &mut Rng) -> Vec<u8> {
    let mut input = rng.pick(corpus).cloned().unwrap_or_default();
    for _ in 0..=below(rng, 8) {
        mutate(&mut input, corpus, rng);
    }
    input.truncate(max_bytes);
    input
}

fn mutate(input: &mut Vec<u8>, corpus: &[Vec<u8>], rng: &mut Rng) {
    let at = below(rng, input.len() + 1);
    match below(rng, 9) {
        0 if at < input.len() => input[at] ^= 1 << below(rng, 8),
        1 if at < input.len() => input[at] = BYTES[below(rng, BYTES.len())],
        2 => input.insert(at, BYTES[below(rng, BYTES.len())]),
        3 => drop(input.drain(range(input.len(), rng))),
        4 => {
            let copy = input[range(input.len(), rng)].to_vec();
            input.splice(at..at, copy);
        }
        5 => {
            let other = rng.pick(corpus).map_or(&[][..], Vec::as_slice);
            let part = other[range(other.len(), rng)].to_vec();
            input.splice(range(input.len(), rng), part);
        }
        6 => {
            let end = at + input[at..].iter().take_while(|b| b.is_ascii_digit()).count();
            input.splice(at..end, NUMBERS[below(rng, NUMBERS.len())].iter().copied());
        }
        7 => {
            let word = rng.pick(corpus).and_then(|other| word(other, rng)).unwrap_or_default();
            let end = at + input[at..].iter().take_while(|b| b.is_ascii_alphanumeric()).count();
            input.splice(at..end, word);
        }
        _ => input.truncate(at),
    }
}

/// A word of a text, by a random position in it.
fn word(text: &[u8], rng: &mut Rng) -> Option<Vec<u8>> {
    let words: Vec<&[u8]> = text
        .split(|b| !b.is_ascii_alphanumeric() && *b != b'_')
        .filter(|w| !w.is_empty())
        .collect();
    rng.pick(&words).map(|word| word.to_vec())
}

/// A range within a length, mostly short.
fn range(length: usize, rng: &mut Rng) -> std::ops::Range<usize> {
    let start = below(rng, length + 1);
    let longest = if below(rng, 4) == 0 { length } else { 8 };
    start..(start + below(rng, longest + 1)).min(length)
}

fn below(rng: &mut Rng, limit: usize) -> usize {
    rng.below(limit as u64) as usize
}

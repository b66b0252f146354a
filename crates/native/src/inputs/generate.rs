//! Makes inputs at random: uniform bytes, words of the program, mutations of a corpus.
//!
//! Mutations are those of AFL's havoc and splice stages. All inputs have one length, because a
//! program's arguments and files have fixed places in its input: what an insertion pushes past
//! the end is lost, and a deletion is filled up with zeros.

use byway_base::Rng;

use super::dictionary::InputDictionary;

/// Where an input comes from.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum InputSource {
    /// Independent bytes, each value equally likely.
    Uniform,
    /// Uniform bytes, overwritten by words of the program's dictionary.
    Words,
    /// An input of the corpus with some of AFL's mutations.
    Mutation,
}

impl InputSource {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            InputSource::Uniform => "uniform",
            InputSource::Words => "words",
            InputSource::Mutation => "mutations",
        }
    }
}

/// Bytes and numbers at which programs often decide something.
const BYTES: [u8; 9] = [0, 1, 16, 32, 64, 100, 127, 128, 255];
const NUMBERS: [u32; 8] = [0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0xffff_ffff];
/// The most that a mutation adds to a number or subtracts from it.
const MOST_ADDED: u64 = 35;

/// A deterministic sequence of inputs.
#[derive(Clone, Debug)]
pub struct InputGenerator {
    length: usize,
    dictionary: InputDictionary,
    corpus: Vec<Vec<u8>>,
    rng: Rng,
}

impl InputGenerator {
    /// A generator of inputs of `length` bytes. Equal seeds give equal inputs.
    pub fn new(length: usize, dictionary: InputDictionary, seed: u64) -> InputGenerator {
        InputGenerator { length, dictionary, corpus: Vec::new(), rng: Rng::new(seed) }
    }

    /// The length of the inputs.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Changes the length of the inputs, also of those that are mutated.
    pub fn resize(&mut self, length: usize) {
        self.length = length;
        self.corpus.iter_mut().for_each(|input| input.resize(length, 0));
    }

    /// Adds an input to mutate; it is cut or filled up with zeros to the length.
    pub fn add(&mut self, input: &[u8]) {
        let mut input = input.to_vec();
        input.resize(self.length, 0);
        self.corpus.push(input);
    }

    /// The inputs that are mutated.
    pub fn corpus(&self) -> &[Vec<u8>] {
        &self.corpus
    }

    /// Writes the next input. `input` has the generator's length; a shorter or longer one is filled
    /// all the same.
    pub fn fill(&mut self, source: InputSource, input: &mut [u8]) {
        match source {
            InputSource::Uniform => self.uniform(input),
            InputSource::Words => {
                self.uniform(input);
                for _ in 0..=below(&mut self.rng, 4) {
                    self.write_word(input);
                }
            }
            InputSource::Mutation => self.mutation(input),
        }
    }

    fn uniform(&mut self, input: &mut [u8]) {
        for piece in input.chunks_mut(8) {
            let bytes = self.rng.next_u64().to_le_bytes();
            piece.copy_from_slice(&bytes[..piece.len()]);
        }
    }

    fn mutation(&mut self, input: &mut [u8]) {
        let Some(origin) = self.rng.pick(&self.corpus) else { return self.uniform(input) };
        let common = origin.len().min(input.len());
        input[..common].copy_from_slice(&origin[..common]);
        input[common..].fill(0);
        if input.is_empty() {
            return;
        }
        if self.corpus.len() > 1 && below(&mut self.rng, 8) == 0 {
            self.splice(input);
        }
        if self.rng.chance(0.5) {
            return self.redraw(input);
        }
        // As AFL: a power of two of mutations, up to 16.
        for _ in 0..1 << below(&mut self.rng, 5) {
            self.mutate(input);
        }
    }

    /// Draws a small number among the bytes anew and leaves all others: they may have been solved.
    fn redraw(&mut self, input: &mut [u8]) {
        let size = (1usize << below(&mut self.rng, 5)).min(input.len());
        let at = below(&mut self.rng, input.len().div_ceil(size)) * size;
        let end = (at + size).min(input.len());
        self.uniform(&mut input[at..end]);
    }

    /// Replaces the end by that of another input.
    fn splice(&mut self, input: &mut [u8]) {
        let at = below(&mut self.rng, input.len());
        let Some(other) = self.rng.pick(&self.corpus) else { return };
        let end = other.len().min(input.len());
        if at < end {
            input[at..end].copy_from_slice(&other[at..end]);
        }
    }

    fn mutate(&mut self, input: &mut [u8]) {
        let kind = below(&mut self.rng, 12);
        let rng = &mut self.rng;
        let at = below(rng, input.len());
        match kind {
            0 | 1 => input[at] ^= 1 << below(rng, 8),
            2 => input[at] = BYTES[below(rng, BYTES.len())],
            3 => write_number(input, rng, |rng, _| NUMBERS[below(rng, NUMBERS.len())]),
            4 | 5 => write_number(input, rng, |rng, old| {
                let by = rng.below(2 * MOST_ADDED + 1) as u32;
                old.wrapping_add(by).wrapping_sub(MOST_ADDED as u32)
            }),
            6 => input[at] ^= 1 + below(rng, 255) as u8,
            7 => delete(input, rng),
            8 => insert(input, rng),
            9 => copy_part(input, rng),
            _ => self.write_word(input),
        }
    }

    /// Overwrites a part by a word of the dictionary, or by a random byte if it has none.
    fn write_word(&mut self, input: &mut [u8]) {
        if input.is_empty() {
            return;
        }
        let mut at = below(&mut self.rng, input.len());
        match self.rng.pick(&self.dictionary.words) {
            Some(word) => {
                // Numbers among the inputs are usually aligned, text is not.
                if self.rng.chance(0.5) {
                    at -= at % word.len().max(1);
                }
                let count = word.len().min(input.len() - at);
                input[at..at + count].copy_from_slice(&word[..count]);
            }
            None => input[at] = self.rng.next_u64() as u8,
        }
    }
}

/// Changes a number of one, two or four bytes, in either order of bytes.
fn write_number(input: &mut [u8], rng: &mut Rng, change: impl FnOnce(&mut Rng, u32) -> u32) {
    let size = (1usize << below(rng, 3)).min(input.len());
    let at = below(rng, input.len() - size + 1);
    let place = &mut input[at..at + size];
    let reversed = below(rng, 2) == 0;
    let mut bytes = [0; 4];
    bytes[..size].copy_from_slice(place);
    if reversed {
        bytes[..size].reverse();
    }
    bytes = change(rng, u32::from_le_bytes(bytes)).to_le_bytes();
    if reversed {
        bytes[..size].reverse();
    }
    place.copy_from_slice(&bytes[..size]);
}

fn delete(input: &mut [u8], rng: &mut Rng) {
    let part = part(input.len(), rng);
    let count = part.len();
    input.copy_within(part.end.., part.start);
    let end = input.len();
    input[end - count..].fill(0);
}

/// Inserts a copy of a part, or a repeated byte.
fn insert(input: &mut [u8], rng: &mut Rng) {
    let copied = part(input.len(), rng);
    let count = copied.len();
    let bytes = match below(rng, 4) {
        0 => vec![rng.next_u64() as u8; count],
        _ => input[copied].to_vec(),
    };
    let at = below(rng, input.len() - count + 1);
    input.copy_within(at..input.len() - count, at + count);
    input[at..at + count].copy_from_slice(&bytes);
}

fn copy_part(input: &mut [u8], rng: &mut Rng) {
    let part = part(input.len(), rng);
    let to = below(rng, input.len() - part.len() + 1);
    input.copy_within(part, to);
}

/// A part of at least one byte, mostly short.
fn part(length: usize, rng: &mut Rng) -> std::ops::Range<usize> {
    let longest = if below(rng, 4) == 0 { length } else { length.min(8) };
    let count = 1 + below(rng, longest);
    let start = below(rng, length - count + 1);
    start..start + count
}

fn below(rng: &mut Rng, limit: usize) -> usize {
    rng.below(limit.max(1) as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCES: [InputSource; 3] =
        [InputSource::Uniform, InputSource::Words, InputSource::Mutation];

    fn inputs(source: InputSource, length: usize, seed: u64) -> Vec<Vec<u8>> {
        let mut generator = InputGenerator::new(length, InputDictionary::default(), seed);
        generator.add(b"GET / HTTP/1.1");
        generator.add(b"xyz");
        let mut next = || {
            let mut input = vec![0; length];
            generator.fill(source, &mut input);
            input
        };
        (0..500).map(|_| next()).collect()
    }

    #[test]
    fn a_seed_determines_the_inputs_of_every_length() {
        for source in SOURCES {
            for length in [0, 1, 2, 3, 7, 20] {
                let first = inputs(source, length, 5);
                assert_eq!(first, inputs(source, length, 5));
                assert!(length < 3 || first != inputs(source, length, 6));
            }
        }
    }

    #[test]
    fn uniform_bytes_have_every_value() {
        let mut seen = [false; 256];
        for input in inputs(InputSource::Uniform, 20, 1) {
            input.iter().for_each(|&byte| seen[usize::from(byte)] = true);
        }
        assert_eq!(seen, [true; 256]);
    }

    #[test]
    fn mutations_stay_near_the_corpus_and_cross_it() {
        let near =
            |input: &Vec<u8>| input.iter().zip(b"GET / HTTP/1.1").filter(|(a, b)| a == b).count();
        let all = inputs(InputSource::Mutation, 14, 2);
        assert!(all.iter().filter(|input| near(input) >= 7).count() > 100);
        assert!(all.iter().any(|input| input.starts_with(b"xyz") && near(input) >= 5));
    }
}

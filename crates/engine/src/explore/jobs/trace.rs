//! A state as it moves from one worker to another: not its memory and terms, which
//! belong to one worker's pool, but how to come to it again. That is an input that takes
//! its path, how far to follow it, and the side of the branch it stands before.
//!
//! It has one form in bytes, so that what moves within a process can as well move
//! between processes, or be kept:
//!
//! ```text
//! 1                        the version, one byte
//! instructions  place      numbers in base 128, low digits first, the high bit set in
//! digest  depth            all but the last
//! preferences_applied  effort
//! way                      0: none; otherwise twice the number of the way, plus 2, plus 1
//!                          if nobody knows whether it is possible
//! number of inputs, and for each: length, name, length, bytes
//! ```

use byway_base::Input;

/// The version of the form in bytes.
const VERSION: u8 = 1;

/// How to come to a state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trace {
    /// How many instructions to follow the input.
    pub instructions: u64,
    /// Where the program then is: function and operation, as one number.
    pub place: u64,
    /// The digest of the decisions until then.
    pub digest: u64,
    /// Forks behind the state.
    pub depth: u32,
    /// How many wishes its witness was made to fulfil.
    pub preferences_applied: u32,
    /// What the solver spent on its path.
    pub effort: u64,
    /// The way it goes from there, if it stands before a branch.
    pub way: Option<TraceBranch>,
    /// The input, in the order its objects are made.
    pub inputs: Vec<Input>,
}

/// A way from a branch.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct TraceBranch {
    /// Its place among the ways.
    pub number: u32,
    /// Whether it is not known to be possible; then the input goes another.
    pub pending: bool,
}

impl Trace {
    /// In bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = vec![VERSION];
        let way = self.way.map_or(0, |way| u64::from(way.number) * 2 + 2 + u64::from(way.pending));
        let counts = [self.depth.into(), self.preferences_applied.into(), self.effort, way];
        for number in [self.instructions, self.place, self.digest].into_iter().chain(counts) {
            put(&mut out, number);
        }
        put(&mut out, self.inputs.len() as u64);
        for input in &self.inputs {
            for bytes in [input.name.as_bytes(), &input.bytes] {
                put(&mut out, bytes.len() as u64);
                out.extend(bytes);
            }
        }
        out
    }

    /// From bytes; `None` if they are no trace of this version.
    pub fn decode(bytes: &[u8]) -> Option<Trace> {
        let (&VERSION, mut rest) = bytes.split_first()? else { return None };
        let rest = &mut rest;
        let (instructions, place, digest) = (get(rest)?, get(rest)?, get(rest)?);
        let depth = u32::try_from(get(rest)?).ok()?;
        let preferences_applied = u32::try_from(get(rest)?).ok()?;
        let effort = get(rest)?;
        let way = match get(rest)? {
            0 => None,
            1 => return None,
            way => Some(TraceBranch {
                number: u32::try_from(way / 2 - 1).ok()?,
                pending: way % 2 == 1,
            }),
        };
        let mut inputs = Vec::new();
        for _ in 0..get(rest)? {
            let name = String::from_utf8(take(rest)?.to_vec()).ok()?;
            inputs.push(Input { name, bytes: take(rest)?.to_vec() });
        }
        let trace =
            Trace { instructions, place, digest, depth, preferences_applied, effort, way, inputs };
        rest.is_empty().then_some(trace)
    }
}

fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn get(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let (&byte, behind) = rest.split_first()?;
        *rest = behind;
        let digit = u64::from(byte & 0x7f);
        if digit << shift >> shift != digit {
            return None;
        }
        number |= digit << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

fn take<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(get(rest)?).ok()?;
    let (bytes, behind) = rest.split_at_checked(length)?;
    *rest = behind;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn examples() -> Vec<Trace> {
        let input = |name: &str, bytes: &[u8]| Input { name: name.into(), bytes: bytes.to_vec() };
        let ways = [None, Some((0, false)), Some((1, true)), Some((u32::MAX, true))];
        let trace = |way: Option<(u32, bool)>| Trace {
            instructions: 300,
            place: 7 << 32 | 12,
            digest: u64::MAX,
            depth: 127,
            preferences_applied: 128,
            effort: 0,
            way: way.map(|(number, pending)| TraceBranch { number, pending }),
            inputs: vec![input("x", b"\x00\xff"), input("", b""), input("long", &[7; 300])],
        };
        ways.map(trace).into_iter().chain([Trace::default()]).collect()
    }

    #[test]
    fn what_is_written_is_read_again() {
        for trace in examples() {
            assert_eq!(Trace::decode(&trace.encode()), Some(trace));
        }
    }

    #[test]
    fn damage_is_noticed_or_harmless() {
        for trace in examples() {
            let whole = trace.encode();
            for length in 0..whole.len() {
                assert_eq!(Trace::decode(&whole[..length]), None, "cut to {length}");
            }
            for at in 0..whole.len() {
                for byte in [0, 1, 0x7f, 0x80, 0xff] {
                    let mut other = whole.clone();
                    other[at] = byte;
                    // It may be another trace, but nothing worse.
                    let _ = Trace::decode(&other);
                }
            }
            assert_eq!(Trace::decode(&[&whole[..], &[0]].concat()), None);
            assert_eq!(Trace::decode(&[&[VERSION + 1], &whole[1..]].concat()), None);
        }
    }
}

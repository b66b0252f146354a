//! A state as it moves from one worker to another: not its memory and terms, which belong to
//! one worker's pool, but how to reach it again: an input that takes its path, how far to
//! follow the input, and the case of the branch that the state is suspended at.
//!
//! Traces have one encoding, so that states can move between threads and processes alike, or
//! be stored:
//!
//! ```text
//! 1                        the version, one byte
//! instructions  place      numbers in base 128, low digits first, the high bit set in
//! digest  depth            all but the last
//! preferences_applied
//! effort
//! branch                   0: none; otherwise twice the case index, plus 2, plus 1 if the
//!                          case is pending
//! number of inputs, and for each: length, name, length, bytes
//! ```

use byway_base::Input;

/// The version of the encoding.
const VERSION: u8 = 1;

/// How to reach a state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trace {
    /// Instructions to follow the input.
    pub instructions: u64,
    /// The operation reached then: function and operation, as one number.
    pub place: u64,
    /// The digest of the decisions so far.
    pub digest: u64,
    /// The number of forks on the path.
    pub depth: u32,
    /// How many preferences the witness was adapted to.
    pub preferences_applied: u32,
    /// The solver effort of the path.
    pub effort: u64,
    /// The case it takes, if it is suspended at a branch.
    pub branch: Option<TraceBranch>,
    /// The input, in the order its objects are created.
    pub inputs: Vec<Input>,
}

/// The case that a state takes at a branch.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct TraceBranch {
    /// The case index in the fork request.
    pub case: u32,
    /// Whether its feasibility is undecided; then the input takes another case.
    pub pending: bool,
}

impl Trace {
    pub fn encode(&self) -> Vec<u8> {
        let mut out = vec![VERSION];
        let branch = self.branch.map_or(0, |b| u64::from(b.case) * 2 + 2 + u64::from(b.pending));
        let counts = [self.depth.into(), self.preferences_applied.into(), self.effort, branch];
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

    /// Decodes a trace; `None` if the bytes are no trace of this version.
    pub fn decode(bytes: &[u8]) -> Option<Trace> {
        let (&VERSION, mut rest) = bytes.split_first()? else { return None };
        let rest = &mut rest;
        let (instructions, place, digest) = (get(rest)?, get(rest)?, get(rest)?);
        let depth = u32::try_from(get(rest)?).ok()?;
        let preferences_applied = u32::try_from(get(rest)?).ok()?;
        let effort = get(rest)?;
        let branch = match get(rest)? {
            0 => None,
            1 => return None,
            number => Some(TraceBranch {
                case: u32::try_from(number / 2 - 1).ok()?,
                pending: number % 2 == 1,
            }),
        };
        let mut inputs = Vec::new();
        for _ in 0..get(rest)? {
            let name = String::from_utf8(take(rest)?.to_vec()).ok()?;
            inputs.push(Input { name, bytes: take(rest)?.to_vec() });
        }
        let trace = Trace {
            instructions,
            place,
            digest,
            depth,
            preferences_applied,
            effort,
            branch,
            inputs,
        };
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
        let branches = [None, Some((0, false)), Some((1, true)), Some((u32::MAX, true))];
        let trace = |branch: Option<(u32, bool)>| Trace {
            instructions: 300,
            place: 7 << 32 | 12,
            digest: u64::MAX,
            depth: 127,
            preferences_applied: 128,
            effort: 0,
            branch: branch.map(|(case, pending)| TraceBranch { case, pending }),
            inputs: vec![input("x", b"\x00\xff"), input("", b""), input("long", &[7; 300])],
        };
        branches.map(trace).into_iter().chain([Trace::default()]).collect()
    }

    #[test]
    fn an_encoded_trace_is_decoded_unchanged() {
        for trace in examples() {
            assert_eq!(Trace::decode(&trace.encode()), Some(trace));
        }
    }

    #[test]
    fn a_damaged_trace_is_refused_or_another_trace() {
        for trace in examples() {
            let whole = trace.encode();
            for length in 0..whole.len() {
                assert_eq!(Trace::decode(&whole[..length]), None, "cut to {length}");
            }
            for at in 0..whole.len() {
                for byte in [0, 1, 0x7f, 0x80, 0xff] {
                    let mut other = whole.clone();
                    other[at] = byte;
                    // It may decode to another trace, but must not panic.
                    let _ = Trace::decode(&other);
                }
            }
            assert_eq!(Trace::decode(&[&whole[..], &[0]].concat()), None);
            assert_eq!(Trace::decode(&[&[VERSION + 1], &whole[1..]].concat()), None);
        }
    }
}

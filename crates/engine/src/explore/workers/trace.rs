//! A state as it moves from one worker to another: not its memory and terms, which belong to
//! one worker's pool, but how to reach it again: an input that takes its path, how far to
//! follow the input, and the case of the branch that the state is suspended at.
//!
//! Traces have one encoding, so that states can move between threads and processes alike, or
//! be stored:
//!
//! ```text
//! 2                        the version, one byte
//! instructions  place      numbers in base 128, low digits first, the high bit set in
//! digest  depth            all but the last
//! preferences_applied
//! effort
//! end                      0: between two instructions, 1: an open fork request, 2: a case,
//!                          4: a group of cases; plus 1 if the case or group is pending. Then
//!                          the index of the case, or the number of cases and their indices
//! number of inputs, and for each: length, name, length, bytes
//! ```
//!
//! [Checkpoints](super::super::checkpoint) have an encoding of their own, which takes less.

use byway_base::Input;

/// The version of the encoding.
const VERSION: u8 = 2;

/// How to reach a state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trace {
    /// Instructions to follow the input.
    pub instructions: u64,
    /// The operation reached then: function and operation, as one number, or
    /// [`ANY_PLACE`](super::super::follow::ANY_PLACE).
    pub place: u64,
    /// The digest of the decisions so far.
    pub digest: u64,
    /// The number of forks on the path.
    pub depth: u32,
    /// How many preferences the witness was adapted to.
    pub preferences_applied: u32,
    /// The solver effort of the path.
    pub effort: u64,
    /// What the state waits for there.
    pub end: TraceEnd,
    /// The input, in the order its objects are created.
    pub inputs: Vec<Input>,
}

/// What a state waits for at the end of its trace.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum TraceEnd {
    /// It is between two instructions.
    #[default]
    Between,
    /// It requests a fork, and any case is open.
    Request,
    /// It takes one case of a fork.
    Case {
        /// The case index in the fork request.
        case: u32,
        /// Whether its feasibility is undecided; then the input takes another case.
        pending: bool,
    },
    /// It stands for several cases of a switch.
    Group {
        /// Their indices in the fork request.
        cases: Vec<u32>,
        /// Whether the feasibility of all together is undecided.
        pending: bool,
    },
}

impl TraceEnd {
    /// Whether the state's own input does not take its case.
    pub fn is_pending(&self) -> bool {
        matches!(self, TraceEnd::Case { pending: true, .. } | TraceEnd::Group { pending: true, .. })
    }

    pub fn encode(&self, out: &mut Vec<u8>) {
        match self {
            TraceEnd::Between => put(out, 0),
            TraceEnd::Request => put(out, 1),
            TraceEnd::Case { case, pending } => {
                put(out, 2 + u64::from(*pending));
                put(out, (*case).into());
            }
            TraceEnd::Group { cases, pending } => {
                put(out, 4 + u64::from(*pending));
                put(out, cases.len() as u64);
                cases.iter().for_each(|&case| put(out, case.into()));
            }
        }
    }
}

impl Trace {
    pub fn encode(&self) -> Vec<u8> {
        let mut out = vec![VERSION];
        let counts = [self.depth.into(), self.preferences_applied.into(), self.effort];
        for number in [self.instructions, self.place, self.digest].into_iter().chain(counts) {
            put(&mut out, number);
        }
        self.end.encode(&mut out);
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
        let (&VERSION, rest) = bytes.split_first()? else { return None };
        let mut reader = TraceReader::new(rest);
        let trace = Trace {
            instructions: reader.number()?,
            place: reader.number()?,
            digest: reader.number()?,
            depth: reader.small()?,
            preferences_applied: reader.small()?,
            effort: reader.number()?,
            end: reader.end()?,
            inputs: reader.inputs()?,
        };
        reader.is_at_end().then_some(trace)
    }
}

/// Appends a number in base 128.
pub fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Reads the parts of an encoded trace; `None` where the bytes are none.
pub struct TraceReader<'a> {
    rest: &'a [u8],
}

impl<'a> TraceReader<'a> {
    pub fn new(bytes: &'a [u8]) -> TraceReader<'a> {
        TraceReader { rest: bytes }
    }

    pub fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// A number in base 128.
    pub fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let (&byte, behind) = self.rest.split_first()?;
            self.rest = behind;
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

    /// A number of at most 32 bits, in base 128.
    pub fn small(&mut self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }

    /// A number of eight bytes.
    pub fn word(&mut self) -> Option<u64> {
        let (bytes, behind) = self.rest.split_first_chunk()?;
        self.rest = behind;
        Some(u64::from_le_bytes(*bytes))
    }

    /// A length, and so many bytes.
    pub fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (bytes, behind) = self.rest.split_at_checked(length)?;
        self.rest = behind;
        Some(bytes)
    }

    pub fn end(&mut self) -> Option<TraceEnd> {
        let kind = self.number()?;
        let pending = kind % 2 == 1;
        Some(match kind {
            0 => TraceEnd::Between,
            1 => TraceEnd::Request,
            2 | 3 => TraceEnd::Case { case: self.small()?, pending },
            4 | 5 => {
                let mut cases = Vec::new();
                for _ in 0..self.number()? {
                    cases.push(self.small()?);
                }
                TraceEnd::Group { cases, pending }
            }
            _ => return None,
        })
    }

    fn inputs(&mut self) -> Option<Vec<Input>> {
        let mut inputs = Vec::new();
        for _ in 0..self.number()? {
            let name = String::from_utf8(self.bytes()?.to_vec()).ok()?;
            inputs.push(Input { name, bytes: self.bytes()?.to_vec() });
        }
        Some(inputs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn examples() -> Vec<Trace> {
        let input = |name: &str, bytes: &[u8]| Input { name: name.into(), bytes: bytes.to_vec() };
        let ends = [
            TraceEnd::Between,
            TraceEnd::Request,
            TraceEnd::Case { case: 0, pending: false },
            TraceEnd::Case { case: u32::MAX, pending: true },
            TraceEnd::Group { cases: vec![1, 300], pending: true },
            TraceEnd::Group { cases: Vec::new(), pending: false },
        ];
        let trace = |end: TraceEnd| Trace {
            instructions: 300,
            place: 7 << 32 | 12,
            digest: u64::MAX,
            depth: 127,
            preferences_applied: 128,
            effort: 0,
            end,
            inputs: vec![input("x", b"\x00\xff"), input("", b""), input("long", &[7; 300])],
        };
        ends.map(trace).into_iter().chain([Trace::default()]).collect()
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

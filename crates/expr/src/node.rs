//! The compact node of 16 bytes, which keeps a million terms small.
//!
//! The first [`Op::arity`] words of `args` are terms; the others depend on the operator:
//!
//! | operator | words after the operands |
//! |---|---|
//! | `Const` up to 64 bits | the value, low word first |
//! | `Const` above | its index in the table of wide constants |
//! | `Input` | object, byte |
//! | `Read` | version |
//! | `Extract` | lowest bit |
//! | `FRound` | [`RoundTo`] |

use std::num::NonZeroU32;

use byway_base::ExprId;
use byway_base::float::Format;

use crate::op::{Op, RoundTo};

/// A node of a term.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Node {
    pub(crate) op: Op,
    /// The format of a float operator's operands, or of its result if the operand is an
    /// integer.
    pub(crate) format: FormatTag,
    pub(crate) width: u16,
    pub(crate) args: [u32; 3],
}

/// The float formats that terms can have.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum FormatTag {
    None,
    Single,
    Double,
    Extended,
}

impl FormatTag {
    /// `None` for a format without terms.
    pub fn new(format: Format) -> Option<FormatTag> {
        match format {
            Format::F32 => Some(FormatTag::Single),
            Format::F64 => Some(FormatTag::Double),
            Format::F80 => Some(FormatTag::Extended),
            Format::Half | Format::Bf16 | Format::F128 => None,
        }
    }

    pub fn format(self) -> Format {
        match self {
            FormatTag::Single => Format::F32,
            FormatTag::None | FormatTag::Double => Format::F64,
            FormatTag::Extended => Format::F80,
        }
    }
}

/// The id of a slot in the pool.
#[inline(always)]
pub(crate) fn id(index: u32) -> ExprId {
    ExprId(NonZeroU32::new(index).expect("slot 0 is never used"))
}

/// The slot of an id in the pool.
#[inline(always)]
pub(crate) fn index(e: ExprId) -> usize {
    e.0.get() as usize
}

impl Node {
    #[inline]
    pub(crate) fn new(op: Op, width: u32, args: &[ExprId]) -> Node {
        debug_assert_eq!(op.arity(), args.len());
        let mut words = [0; 3];
        for (word, arg) in words.iter_mut().zip(args) {
            *word = arg.0.get();
        }
        Node { op, format: FormatTag::None, width: narrow(width), args: words }
    }

    /// A node with one operand and an extra word.
    pub(crate) fn with_extra(op: Op, width: u32, arg: ExprId, extra: u32) -> Node {
        Node { op, format: FormatTag::None, width: narrow(width), args: [arg.0.get(), extra, 0] }
    }

    pub(crate) fn with_format(self, format: FormatTag) -> Node {
        Node { format, ..self }
    }

    /// The operator.
    #[inline(always)]
    pub fn op(&self) -> Op {
        self.op
    }

    /// The width in bits.
    #[inline(always)]
    pub fn width(&self) -> u32 {
        u32::from(self.width)
    }

    /// The format of a float operator's operands, or of its result if the operand is an
    /// integer.
    pub fn format(&self) -> Format {
        debug_assert!(self.op.is_float());
        self.format.format()
    }

    /// The operands.
    #[inline]
    pub fn operands(&self) -> impl DoubleEndedIterator<Item = ExprId> + ExactSizeIterator + use<> {
        let args = self.args;
        (0..self.op.arity()).map(move |i| id(args[i]))
    }

    #[inline(always)]
    pub(crate) fn a(&self) -> ExprId {
        id(self.args[0])
    }

    #[inline(always)]
    pub(crate) fn b(&self) -> ExprId {
        id(self.args[1])
    }

    #[inline(always)]
    pub(crate) fn c(&self) -> ExprId {
        id(self.args[2])
    }

    /// The word after a single operand: an extract's lowest bit, a version, ...
    #[inline(always)]
    pub(crate) fn extra(&self) -> u32 {
        self.args[1]
    }

    /// The lowest bit of an extract.
    pub fn low(&self) -> u32 {
        debug_assert_eq!(self.op, Op::Extract);
        self.extra()
    }

    /// The rounding mode of an `FRound`.
    pub fn round_to(&self) -> RoundTo {
        debug_assert_eq!(self.op, Op::FRound);
        RoundTo::from_code(self.extra())
    }
}

/// The largest width. The IR's integers have at most 128 bits.
pub const MAX_WIDTH: u32 = u16::MAX as u32;

fn narrow(width: u32) -> u16 {
    assert!((1..=MAX_WIDTH).contains(&width), "no term has {width} bits");
    width as u16
}

//! Builds the examples on which rules are proved.
//!
//! An example is a function of an [`ExampleShape`]: two widths and two constants, for which a
//! test tries all small and many large values. Its variables are built from input bytes, hidden
//! behind a division by one that no rule simplifies, so that a rule cannot see how they are
//! made.

use std::cell::RefCell;

use byway_base::ExprId;
use byway_base::float::{self as fp, Format};
use byway_base::int;

use crate::memory::{INDEX_BITS, VersionId};
use crate::op::{Op, RoundTo};
use crate::pool::Pool;

/// The parameters of an example.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ExampleShape {
    /// The main width.
    pub width: u32,
    /// A second width.
    pub other: u32,
    /// Two constants; examples truncate them to the widths they need.
    pub numbers: [u128; 2],
}

/// The name of the input object behind the variables.
pub(crate) const VARIABLES: &str = "x";

/// The number of bytes of each variable.
const VARIABLE_BYTES: u32 = 64;

/// Builds an example.
pub struct ExampleBuilder<'p> {
    pool: RefCell<&'p mut Pool>,
    shape: ExampleShape,
}

impl<'p> ExampleBuilder<'p> {
    /// Builds in a raw pool.
    pub(super) fn new(pool: &'p mut Pool, shape: ExampleShape) -> ExampleBuilder<'p> {
        debug_assert!(pool.is_raw());
        ExampleBuilder { pool: RefCell::new(pool), shape }
    }

    fn with<R>(&self, f: impl FnOnce(&mut Pool) -> R) -> R {
        f(&mut self.pool.borrow_mut())
    }

    /// The main width.
    pub(super) fn w(&self) -> u32 {
        self.shape.width
    }

    /// The second width.
    pub(super) fn v(&self) -> u32 {
        self.shape.other
    }

    /// One of the two constants, as it is.
    pub(super) fn number(&self, which: usize) -> u128 {
        self.shape.numbers[which]
    }

    /// One of the two constants, of the main width.
    pub(super) fn c(&self, which: usize) -> ExprId {
        self.num(self.w(), self.number(which))
    }

    /// One of the two constants, of the sum of both widths.
    pub(super) fn both(&self, which: usize) -> ExprId {
        self.num(self.w() + self.v(), self.number(which))
    }

    /// One of several forms of the example, chosen by the second constant.
    pub(super) fn pick<const N: usize>(&self, forms: [ExprId; N]) -> ExprId {
        forms[(self.number(1) % N as u128) as usize]
    }

    /// Any constant.
    pub(super) fn num(&self, width: u32, value: u128) -> ExprId {
        self.with(|p| p.constant(width, value))
    }

    /// Zero, of the main width.
    pub(super) fn zero(&self) -> ExprId {
        self.num(self.w(), 0)
    }

    /// One, of the main width.
    pub(super) fn one(&self) -> ExprId {
        self.num(self.w(), 1)
    }

    /// A variable of any width.
    pub(super) fn variable(&self, which: u32, width: u32) -> ExprId {
        self.with(|p| {
            let input = p.input(VARIABLES, 8 * VARIABLE_BYTES);
            let first = which * VARIABLE_BYTES;
            let mut word = p.input_byte(input, first);
            for byte in 1..width.div_ceil(8) {
                let next = p.input_byte(input, first + byte);
                word = p.concat(next, word);
            }
            let word = if p.width(word) > width { p.extract(word, 0, width) } else { word };
            let one = p.constant(width, 1);
            p.udiv(word, one)
        })
    }

    /// A variable of the main width.
    pub(super) fn x(&self) -> ExprId {
        self.variable(0, self.w())
    }

    /// A second variable of the main width.
    pub(super) fn y(&self) -> ExprId {
        self.variable(1, self.w())
    }

    /// A third variable of the main width.
    pub(super) fn z(&self) -> ExprId {
        self.variable(2, self.w())
    }

    /// A variable of the second width.
    pub(super) fn s(&self) -> ExprId {
        self.variable(3, self.v())
    }

    /// A second variable of the second width.
    pub(super) fn t(&self) -> ExprId {
        self.variable(4, self.v())
    }

    /// A variable of one bit.
    pub(super) fn p(&self) -> ExprId {
        self.variable(5, 1)
    }

    /// A second variable of one bit.
    pub(super) fn q(&self) -> ExprId {
        self.variable(6, 1)
    }

    /// Any binary operator.
    pub(super) fn bin(&self, op: Op, a: ExprId, b: ExprId) -> ExprId {
        self.with(|p| p.binary(op, a, b))
    }

    pub(super) fn add(&self, a: ExprId, b: ExprId) -> ExprId {
        self.bin(Op::Add, a, b)
    }

    pub(super) fn sub(&self, a: ExprId, b: ExprId) -> ExprId {
        self.bin(Op::Sub, a, b)
    }

    pub(super) fn mul(&self, a: ExprId, b: ExprId) -> ExprId {
        self.bin(Op::Mul, a, b)
    }

    pub(super) fn and(&self, a: ExprId, b: ExprId) -> ExprId {
        self.bin(Op::And, a, b)
    }

    pub(super) fn or(&self, a: ExprId, b: ExprId) -> ExprId {
        self.bin(Op::Or, a, b)
    }

    pub(super) fn xor(&self, a: ExprId, b: ExprId) -> ExprId {
        self.bin(Op::Xor, a, b)
    }

    pub(super) fn eq(&self, a: ExprId, b: ExprId) -> ExprId {
        self.bin(Op::Eq, a, b)
    }

    pub(super) fn ult(&self, a: ExprId, b: ExprId) -> ExprId {
        self.bin(Op::Ult, a, b)
    }

    pub(super) fn not(&self, a: ExprId) -> ExprId {
        self.with(|p| p.not(a))
    }

    pub(super) fn neg(&self, a: ExprId) -> ExprId {
        self.with(|p| p.neg(a))
    }

    pub(super) fn concat(&self, high: ExprId, low: ExprId) -> ExprId {
        self.with(|p| p.concat(high, low))
    }

    pub(super) fn extract(&self, a: ExprId, low: u32, width: u32) -> ExprId {
        self.with(|p| p.extract(a, low, width))
    }

    /// Zero extension to a width.
    pub(super) fn zext_to(&self, a: ExprId, width: u32) -> ExprId {
        self.with(|p| p.zext(a, width))
    }

    /// Sign extension to a width.
    pub(super) fn sext_to(&self, a: ExprId, width: u32) -> ExprId {
        self.with(|p| p.sext(a, width))
    }

    /// Zero extension by the second width.
    pub(super) fn zext(&self, a: ExprId) -> ExprId {
        self.with(|p| p.zext(a, p.width(a) + self.v()))
    }

    /// Sign extension by the second width.
    pub(super) fn sext(&self, a: ExprId) -> ExprId {
        self.with(|p| p.sext(a, p.width(a) + self.v()))
    }

    pub(super) fn ite(&self, cond: ExprId, a: ExprId, b: ExprId) -> ExprId {
        self.with(|p| p.ite(cond, a, b))
    }

    /// The float format of the main width, or single precision.
    pub(super) fn format(&self) -> Format {
        match self.w() {
            64 => Format::F64,
            80 => Format::F80,
            _ => Format::F32,
        }
    }

    /// A different float format.
    pub(super) fn other_format(&self) -> Format {
        if self.format() == Format::F64 { Format::F32 } else { Format::F64 }
    }

    /// A float variable.
    pub(super) fn f(&self) -> ExprId {
        self.variable(0, self.format().bits())
    }

    /// A second float variable.
    pub(super) fn g(&self) -> ExprId {
        self.variable(1, self.format().bits())
    }

    /// A float operator in the example's format, with a result of `width` bits.
    pub(super) fn float(&self, op: Op, width: u32, operands: &[ExprId]) -> ExprId {
        self.with(|p| p.make_float(op, self.format(), width, operands))
    }

    /// A float converted from the other format.
    pub(super) fn converted(&self) -> ExprId {
        let (other, format) = (self.other_format(), self.format());
        let variable = self.variable(0, other.bits());
        self.with(|p| p.make_float(Op::FConvert, other, format.bits(), &[variable]))
    }

    /// A float operator on a float of the other format.
    pub(super) fn float_of(&self, other: ExprId, op: Op, width: u32) -> ExprId {
        self.with(|p| p.make_float(op, self.other_format(), width, &[other]))
    }

    /// A float rounded to an integral value, in one of the rounding modes.
    pub(super) fn rounded(&self, a: ExprId) -> ExprId {
        let to = RoundTo::ALL[(self.number(0) % 5) as usize];
        self.with(|p| p.fround(self.format(), to, a)).expect("a format that has terms")
    }

    /// A float variable with its sign flipped.
    pub(super) fn negated(&self) -> ExprId {
        self.negative(self.f())
    }

    /// A float with its sign flipped.
    pub(super) fn negative(&self, a: ExprId) -> ExprId {
        self.with(|p| p.fneg(self.format(), a))
    }

    /// A format wider than single precision and a narrower one, chosen by the first constant.
    fn wider_and_narrower(&self) -> (Format, Format) {
        match self.number(0) % 3 {
            0 => (Format::F64, Format::F32),
            1 => (Format::F80, Format::F32),
            _ => (Format::F80, Format::F64),
        }
    }

    fn made_wider(&self, which: u32, narrow: Format, wide: Format) -> ExprId {
        let variable = self.variable(which, narrow.bits());
        self.with(|p| p.make_float(Op::FConvert, narrow, wide.bits(), &[variable]))
    }

    /// A small float of either sign, often an integer.
    pub(super) fn small_float(&self) -> ExprId {
        let format = self.format();
        let small = fp::from_si(format, int::cut(self.number(0), 10), 10);
        let signed = small | if self.number(1) & 2 != 0 { format.sign_bit() } else { 0 };
        let half = fp::div(format, signed, fp::from_ui(format, 2));
        self.num(format.bits(), if self.number(1) & 1 == 0 { signed } else { half })
    }

    /// A shorter float, converted to a long double.
    pub(super) fn converted_long_double(&self) -> ExprId {
        let narrow = if self.number(0) & 1 == 0 { Format::F32 } else { Format::F64 };
        self.made_wider(0, narrow, Format::F80)
    }

    /// An integer, converted to a long double.
    pub(super) fn long_double(&self, from: Op) -> ExprId {
        let integer = self.s();
        self.with(|p| p.make_float(from, Format::F80, 80, &[integer]))
    }

    /// An equality of a constant, which may not be representable, and a widened float.
    pub(super) fn equals_widened(&self) -> ExprId {
        let (wide, narrow) = self.wider_and_narrower();
        let value = fp::convert(Format::F32, wide, self.number(0) & 0xffff_ffff);
        let number = self.num(wide.bits(), value ^ (self.number(1) & 4));
        self.eq(number, self.made_wider(0, narrow, wide))
    }

    /// A comparison of two widened floats, from one format or from two.
    pub(super) fn widened(&self, op: Op) -> ExprId {
        let (wide, narrow) = self.wider_and_narrower();
        let (a, b) = (self.made_wider(0, narrow, wide), self.made_wider(1, Format::F32, wide));
        self.with(|p| p.make_float(op, wide, 1, &[a, b]))
    }

    /// A widened float, converted to another format.
    pub(super) fn converted_twice(&self) -> ExprId {
        let (wide, narrow) = self.wider_and_narrower();
        let all = [Format::F32, Format::F64, Format::F80];
        let others: Vec<Format> = all.into_iter().filter(|&to| to != wide).collect();
        let to = others[(self.number(1) % 2) as usize];
        let a = self.made_wider(0, narrow, wide);
        self.with(|p| p.make_float(Op::FConvert, wide, to.bits(), &[a]))
    }

    /// A memory version: four bytes, the third symbolic.
    pub(super) fn base(&self) -> VersionId {
        let byte = self.variable(3, 8);
        let [a, b] = self.shape.numbers.map(|n| n as u8);
        self.with(|p| p.base([a, b, 0, a.wrapping_add(1)], [(2, byte)]))
    }

    /// A memory version whose bytes are all equal.
    pub(super) fn uniform(&self) -> VersionId {
        self.with(|p| p.base([self.number(0) as u8; 4], []))
    }

    /// The version after writing a symbolic byte at an offset.
    pub(super) fn write(&self, version: VersionId, index: ExprId) -> VersionId {
        let byte = self.variable(4, 8);
        self.with(|p| p.write(version, index, byte))
    }

    /// The byte at an offset.
    pub(super) fn read(&self, version: VersionId, index: ExprId) -> ExprId {
        self.with(|p| p.read(version, index))
    }

    /// A symbolic offset.
    pub(super) fn index(&self) -> ExprId {
        self.variable(0, INDEX_BITS)
    }

    /// A constant offset.
    pub(super) fn at(&self, offset: u128) -> ExprId {
        self.num(INDEX_BITS, offset)
    }
}

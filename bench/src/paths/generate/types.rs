//! The arithmetic types of random programs, and constants that tend to matter.

use byway_base::Rng;

/// An integer type.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Int {
    /// Its name in C.
    pub name: &'static str,
    /// Its width.
    pub bits: u32,
    /// Whether it has a sign.
    pub signed: bool,
}

const fn int(name: &'static str, bits: u32, signed: bool) -> Int {
    Int { name, bits, signed }
}

/// A byte, as input comes.
pub const U8: Int = int("u8", 8, false);
/// The type of most computations.
pub const I32: Int = int("i32", 32, true);
/// Without a sign.
pub const U32: Int = int("u32", 32, false);
/// The widest with a sign.
pub const I64: Int = int("i64", 64, true);
/// The widest.
pub const U64: Int = int("u64", 64, false);

/// All of them.
pub const INTS: [Int; 8] =
    [int("i8", 8, true), U8, int("i16", 16, true), int("u16", 16, false), I32, U32, I64, U64];

/// The types arithmetic is done in, those without a sign first.
pub const WIDE: [Int; 4] = [U32, U64, I32, I64];

/// A floating-point type.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Float {
    /// Its name in C.
    pub name: &'static str,
    /// The suffix of its constants.
    pub suffix: &'static str,
    /// The integer type of the same size.
    pub same_size: Int,
}

/// Both of them.
pub const FLOATS: [Float; 2] = [
    Float { name: "f32", suffix: "f", same_size: U32 },
    Float { name: "f64", suffix: "", same_size: U64 },
];

/// Values at which something changes.
const EDGES: [u64; 26] = [
    0,
    1,
    2,
    3,
    4,
    5,
    7,
    8,
    10,
    15,
    16,
    31,
    32,
    63,
    64,
    100,
    127,
    128,
    255,
    256,
    1000,
    0x7fff,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0x7fff_ffff_ffff_ffff,
];

/// A constant of a type, as C.
pub fn constant(rng: &mut Rng, of: Int) -> String {
    let raw = match rng.below(8) {
        0..4 => EDGES[rng.below(EDGES.len() as u64) as usize],
        4 => EDGES[rng.below(EDGES.len() as u64) as usize].wrapping_neg(),
        5 | 6 => rng.below(256),
        _ => rng.next_u64(),
    };
    let value = if of.bits == 64 { raw } else { raw & ((1 << of.bits) - 1) };
    if value < 10_000 {
        format!("(({}){value})", of.name)
    } else {
        format!("(({}){value:#x}u)", of.name)
    }
}

/// A constant of a floating-point type, as C: most are exact and small.
pub fn float_constant(rng: &mut Rng, of: Float) -> String {
    let value = match rng.below(10) {
        0 => "0.1",
        1 => "1e10",
        2 => "3.4028234e38",
        3 => "1e-40",
        4 => "1.5",
        5 => "-2.25",
        6 => "16777216.0",
        _ => return format!("{}.{}{}", rng.below(130), rng.below(4) * 25, of.suffix),
    };
    format!("{value}{}", of.suffix)
}

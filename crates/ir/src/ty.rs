//! The types a value can have.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The type of a scalar value.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Ty {
    /// An integer of 1 to 128 bits, without sign.
    Int(u8),
    /// A 64-bit address.
    Ptr,
    /// IEEE half precision.
    F16,
    /// Brain float.
    Bf16,
    /// IEEE single precision.
    F32,
    /// IEEE double precision.
    F64,
    /// The x87 80-bit extended format.
    F80,
    /// IEEE quadruple precision.
    F128,
}

impl Ty {
    /// A single bit: the result of comparisons and the condition of branches.
    pub const BOOL: Ty = Ty::Int(1);
    /// The widest integer the IR has.
    pub const MAX_INT_BITS: u32 = 128;

    /// The width in bits.
    #[inline]
    pub fn bits(self) -> u32 {
        match self {
            Ty::Int(bits) => u32::from(bits),
            Ty::Ptr | Ty::F64 => 64,
            Ty::F16 | Ty::Bf16 => 16,
            Ty::F32 => 32,
            Ty::F80 => 80,
            Ty::F128 => 128,
        }
    }

    /// The number of bytes that a load or store of this type accesses.
    pub fn store_bytes(self) -> u64 {
        u64::from(self.bits().div_ceil(8))
    }

    /// Whether a value needs two 64-bit words.
    #[inline]
    pub fn is_wide(self) -> bool {
        self.bits() > 64
    }

    /// Whether it is an integer.
    pub fn is_int(self) -> bool {
        matches!(self, Ty::Int(_))
    }

    /// Whether it is a float of any format.
    pub fn is_float(self) -> bool {
        !matches!(self, Ty::Int(_) | Ty::Ptr)
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Int(bits) => write!(f, "i{bits}"),
            Ty::Ptr => f.write_str("ptr"),
            Ty::F16 => f.write_str("f16"),
            Ty::Bf16 => f.write_str("bf16"),
            Ty::F32 => f.write_str("f32"),
            Ty::F64 => f.write_str("f64"),
            Ty::F80 => f.write_str("f80"),
            Ty::F128 => f.write_str("f128"),
        }
    }
}

//! What code refers to: the ids of functions, globals, blocks, instructions and values; and
//! operands, constants and symbols.

use std::fmt;

use byway_base::entity::entity_impl;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Ty;

/// A function of the module.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FuncId(u32);
entity_impl!(FuncId, "func");

/// A global of the module.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GlobalId(u32);
entity_impl!(GlobalId, "global");

/// A value: a function parameter, a block parameter or an instruction's result.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Val(u32);
entity_impl!(Val, "v");

/// A constant of a function.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ConstId(u32);
entity_impl!(ConstId, "const");

/// A basic block.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BlockId(u32);
entity_impl!(BlockId, "b");

/// An instruction, numbered in layout order; terminators are not instructions.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct InstId(u32);
entity_impl!(InstId, "inst");

/// The origin of a function or global. Only user code counts for coverage and is
/// reported as the cause of faults.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Origin {
    /// The program under test.
    User,
    /// The C library.
    Libc,
    /// Byway's own runtime.
    Runtime,
}

/// An entity with an address at link time.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Symbol {
    /// A global's first byte.
    Global(GlobalId),
    /// A function's entry.
    Func(FuncId),
    /// A label whose address is taken.
    Block(FuncId, BlockId),
}

/// A value or a constant, packed into one word.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Operand(u32);

// Serialised with the tag in the lowest bit, so that small numbers stay short.
impl Serialize for Operand {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.rotate_left(1).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Operand {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Operand(u32::deserialize(deserializer)?.rotate_right(1)))
    }
}

/// The two kinds of an [`Operand`].
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum OperandKind {
    /// A value.
    Val(Val),
    /// A constant.
    Const(ConstId),
}

impl Operand {
    const CONST: u32 = 1 << 31;

    /// Unpacks the operand.
    pub fn kind(self) -> OperandKind {
        if self.0 & Self::CONST == 0 {
            OperandKind::Val(Val(self.0))
        } else {
            OperandKind::Const(ConstId(self.0 & !Self::CONST))
        }
    }

    /// The value, if it is one.
    pub fn as_val(self) -> Option<Val> {
        match self.kind() {
            OperandKind::Val(v) => Some(v),
            OperandKind::Const(_) => None,
        }
    }
}

impl From<Val> for Operand {
    fn from(v: Val) -> Self {
        assert!(v.0 & Self::CONST == 0, "too many values in one function");
        Operand(v.0)
    }
}

impl From<ConstId> for Operand {
    fn from(c: ConstId) -> Self {
        assert!(c.0 & Self::CONST == 0, "too many constants in one function");
        Operand(c.0 | Self::CONST)
    }
}

impl fmt::Debug for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            OperandKind::Val(v) => v.fmt(f),
            OperandKind::Const(c) => c.fmt(f),
        }
    }
}

/// A constant.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Const {
    /// An integer, a float (its bit pattern) or an absolute address. Bits above
    /// the type's width are zero.
    Bits {
        /// Its type.
        ty: Ty,
        /// Its bits.
        bits: u128,
    },
    /// The address of a symbol plus a constant; of type `ptr`.
    Address {
        /// The symbol.
        symbol: Symbol,
        /// Added to its address.
        offset: i64,
    },
}

impl Const {
    /// The constant's type.
    pub fn ty(&self) -> Ty {
        match self {
            Const::Bits { ty, .. } => *ty,
            Const::Address { .. } => Ty::Ptr,
        }
    }
}

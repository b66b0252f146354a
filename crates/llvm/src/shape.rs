//! The decomposition of first-class LLVM types into scalars: a vector has one scalar per
//! lane, an aggregate one per leaf, in memory order.

use byway_ir::{Operand, Ty};

/// The width in bits of the limbs of a wide integer.
pub const LIMB_BITS: u32 = 64;

/// The scalars of an integer: the integer itself, or if it is too wide, limbs of 64 bits,
/// lowest first; the last limb has the remaining bits.
pub fn integer(bits: u32) -> Vec<Ty> {
    if bits <= Ty::MAX_INT_BITS {
        return vec![Ty::Int(bits as u8)];
    }
    (0..bits)
        .step_by(LIMB_BITS as usize)
        .map(|at| Ty::Int((bits - at).min(LIMB_BITS) as u8))
        .collect()
}

/// The shape of an LLVM value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// `void`, or an empty aggregate: no scalars.
    Void,
    /// One scalar.
    Scalar(Ty),
    /// An integer wider than a scalar, decomposed into limbs by [`integer`].
    Wide(u32),
    /// Lanes of one type.
    Vector(Ty, u32),
    /// The members of a struct, in order.
    Struct(Vec<Shape>),
    /// The elements of an array, or of a vector whose lanes are [`Shape::Wide`].
    Array(Box<Shape>, u32),
}

impl Shape {
    /// The scalar types in order.
    pub fn leaves(&self) -> Vec<Ty> {
        let mut out = Vec::new();
        self.push_leaves(&mut out);
        out
    }

    fn push_leaves(&self, out: &mut Vec<Ty>) {
        match self {
            Shape::Void => {}
            Shape::Scalar(ty) => out.push(*ty),
            Shape::Wide(bits) => out.extend(integer(*bits)),
            Shape::Vector(ty, n) => out.extend((0..*n).map(|_| *ty)),
            Shape::Struct(members) => members.iter().for_each(|m| m.push_leaves(out)),
            Shape::Array(element, n) => (0..*n).for_each(|_| element.push_leaves(out)),
        }
    }

    /// The number of scalars.
    pub fn leaf_count(&self) -> usize {
        match self {
            Shape::Void => 0,
            Shape::Scalar(_) => 1,
            Shape::Wide(bits) => bits.div_ceil(LIMB_BITS) as usize,
            Shape::Vector(_, n) => *n as usize,
            Shape::Struct(members) => members.iter().map(Shape::leaf_count).sum(),
            Shape::Array(element, n) => element.leaf_count() * *n as usize,
        }
    }

    /// Whether it is a wide integer, or a vector of them.
    pub fn is_wide(&self) -> bool {
        match self {
            Shape::Wide(_) => true,
            Shape::Array(element, _) => matches!(**element, Shape::Wide(_)),
            _ => false,
        }
    }

    /// The part that `extractvalue` indices select: the index of its first scalar, and its
    /// shape.
    pub fn part(&self, indices: &[u32]) -> Option<(usize, &Shape)> {
        let Some((&first, rest)) = indices.split_first() else { return Some((0, self)) };
        let n = first as usize;
        let (start, member) = match self {
            Shape::Struct(members) => {
                let start = members.get(..n)?.iter().map(Shape::leaf_count).sum();
                (start, members.get(n)?)
            }
            Shape::Array(element, len) if first < *len => (element.leaf_count() * n, &**element),
            _ => return None,
        };
        let (offset, part) = member.part(rest)?;
        Some((start + offset, part))
    }
}

/// A value with its shape.
#[derive(Clone, Debug)]
pub struct FlatValue {
    /// Defines the number and types of the leaves.
    pub shape: Shape,
    /// The scalars, `shape.leaf_count()` of them.
    pub leaves: Vec<Operand>,
}

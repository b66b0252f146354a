//! How a first-class LLVM type is spread over scalar values: a vector has one
//! per lane, an aggregate one per leaf, in memory order.

use byway_ir::{Operand, Ty};

/// The shape of an LLVM value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// `void`, or an empty aggregate: no scalars.
    Void,
    /// One scalar.
    Scalar(Ty),
    /// Lanes of one type.
    Vector(Ty, u32),
    /// The members of a struct, one after the other.
    Struct(Vec<Shape>),
    /// The elements of an array.
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
            Shape::Vector(ty, n) => out.extend((0..*n).map(|_| *ty)),
            Shape::Struct(members) => members.iter().for_each(|m| m.push_leaves(out)),
            Shape::Array(element, n) => (0..*n).for_each(|_| element.push_leaves(out)),
        }
    }

    /// How many scalars.
    pub fn leaf_count(&self) -> usize {
        match self {
            Shape::Void => 0,
            Shape::Scalar(_) => 1,
            Shape::Vector(_, n) => *n as usize,
            Shape::Struct(members) => members.iter().map(Shape::leaf_count).sum(),
            Shape::Array(element, n) => element.leaf_count() * *n as usize,
        }
    }

    /// The part that LLVM's indices lead to: where its scalars begin, and its shape.
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
pub struct Flat {
    /// Its shape.
    pub shape: Shape,
    /// Its scalars, `shape.leaf_count()` of them.
    pub leaves: Vec<Operand>,
}

//! Helpers for the tests of this module.

use std::ops::Range;

use byway_ir::{Function, FunctionBuilder, Inst, Operand, Origin, Ty};

use super::lower;
use crate::shape::{FlatValue, Shape};

/// A builder for a function with these parameters, in its entry block.
pub fn block(params: &[Ty]) -> FunctionBuilder {
    let f = Function::declare("f".into(), Origin::User, params, &[], false);
    let mut b = FunctionBuilder::new(f);
    let entry = b.create_block();
    b.switch_to(entry);
    b
}

/// A range of the parameters as lanes.
pub fn lanes(b: &FunctionBuilder, range: Range<usize>) -> Vec<Operand> {
    range.map(|i| b.param(i)).collect()
}

/// The number of instructions that satisfy a predicate.
pub fn count(insts: &[Inst], kind: impl Fn(&Inst) -> bool) -> usize {
    insts.iter().filter(|i| kind(i)).count()
}

/// An argument of a test: a variable of a shape, or a constant.
pub enum Arg {
    /// A parameter of the function.
    Var(Shape),
    /// A constant of a type.
    Imm(Ty, u128),
}

/// The instructions that an intrinsic is lowered to.
pub fn lowered(name: &str, args: &[Arg], ret: &Shape) -> Result<Vec<Inst>, String> {
    let params: Vec<Ty> = args
        .iter()
        .flat_map(|a| match a {
            Arg::Var(shape) => shape.leaves(),
            Arg::Imm(..) => Vec::new(),
        })
        .collect();
    let mut b = block(&params);
    let mut next = 0;
    let flats: Vec<FlatValue> = args
        .iter()
        .map(|a| match a {
            Arg::Var(shape) => {
                let start = next;
                next += shape.leaf_count();
                FlatValue { shape: shape.clone(), leaves: lanes(&b, start..next) }
            }
            Arg::Imm(ty, bits) => {
                FlatValue { shape: Shape::Scalar(*ty), leaves: vec![b.bits(*ty, *bits)] }
            }
        })
        .collect();
    lower(&mut b, name, &flats, ret)?;
    b.ret(&[]);
    Ok(b.finish().insts.values().cloned().collect())
}

//! Whether a call through a pointer suits the function that it points to.
//!
//! What counts is the x86-64 ABI, not the type in the source: pointers and integers share
//! registers, an integer may be narrower than what was passed, and arguments that the callee
//! does not take do no harm. So a callee must take each argument in the class of registers that
//! the caller passed it in, must not take more bits than were passed, and must return what the
//! caller uses. An argument or a result that is never used may be missing.
//!
//! The interpreter reports a call that does not suit as a fault, so a path never continues in a
//! function that a call does not suit. Distances rely on that.

use byway_base::entity::EntitySet;

use crate::{Function, Inst, Ty, Val};

/// The types of a call.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CallShape {
    /// The arguments, variadic ones included.
    pub args: Vec<Ty>,
    /// The results that the caller expects.
    pub results: Vec<Ty>,
    /// Whether the caller uses a result.
    pub uses_results: bool,
}

/// Why a call does not suit a function.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum SignatureMismatch {
    /// An argument has another class of registers than the parameter, or fewer bits.
    Argument {
        /// Its position, from zero.
        index: usize,
        /// What the caller passes.
        passed: Ty,
        /// What the callee takes.
        taken: Ty,
    },
    /// The callee uses more arguments than are passed.
    TooFew {
        /// The number of arguments passed.
        passed: usize,
        /// The number of parameters.
        taken: usize,
    },
    /// The callee returns nothing where the caller uses a result.
    NoResult,
    /// The callee returns another type than the caller uses.
    Result {
        /// What the caller uses.
        wanted: Ty,
        /// What the callee returns.
        returned: Ty,
    },
}

impl CallShape {
    /// The shape of a call of a function; `None` for any other instruction.
    pub fn of(caller: &Function, inst: &Inst) -> Option<CallShape> {
        let Inst::Call { args, dsts, tail, .. } = inst else { return None };
        Some(CallShape {
            args: args.iter().map(|&arg| caller.operand_ty(arg)).collect(),
            results: dsts.iter().map(|&dst| caller.vals[dst]).collect(),
            uses_results: *tail || dsts.iter().any(|&dst| is_used(caller, dst)),
        })
    }

    /// Why the call does not suit a function, if it does not.
    pub fn mismatch(&self, callee: &Function) -> Option<SignatureMismatch> {
        self.mismatch_given(callee, |param| is_used(callee, param))
    }

    /// As [`CallShape::mismatch`], for a caller that knows which parameters are used: finding
    /// that out takes a pass over the callee.
    pub fn mismatch_given(
        &self,
        callee: &Function,
        is_used: impl Fn(Val) -> bool,
    ) -> Option<SignatureMismatch> {
        let mut params = callee.params.iter().enumerate();
        let param = params.find_map(|(index, &param)| {
            let taken = callee.vals[param];
            let mismatch = match self.args.get(index) {
                Some(&passed) if suits(passed, taken) => return None,
                Some(&passed) => SignatureMismatch::Argument { index, passed, taken },
                None => {
                    let (passed, taken) = (self.args.len(), callee.params.len());
                    SignatureMismatch::TooFew { passed, taken }
                }
            };
            is_used(param).then_some(mismatch)
        });
        param.or_else(|| if self.uses_results { self.result_mismatch(callee) } else { None })
    }

    fn result_mismatch(&self, callee: &Function) -> Option<SignatureMismatch> {
        self.results.iter().enumerate().find_map(|(index, &wanted)| match callee.rets.get(index) {
            None => Some(SignatureMismatch::NoResult),
            Some(&returned) if !suits(returned, wanted) => {
                Some(SignatureMismatch::Result { wanted, returned })
            }
            Some(_) => None,
        })
    }
}

/// Whether a value of one type can be received as the other.
pub fn suits(passed: Ty, received: Ty) -> bool {
    let is_general = |ty: Ty| matches!(ty, Ty::Int(_) | Ty::Ptr) && !ty.is_wide();
    // Arguments and results narrower than 32 bits are extended to that.
    let holds =
        is_general(passed) && is_general(received) && (received.bits() <= 32 || passed.bits() > 32);
    passed == received || holds
}

/// The values that some instruction uses.
pub fn used_values(function: &Function) -> EntitySet<Val> {
    let mut used = EntitySet::new();
    let mut see = |op: crate::Operand| used.extend(op.as_val());
    function.insts.values().for_each(|inst| inst.for_each_use(&mut see));
    function.blocks.values().for_each(|block| block.term.for_each_use(&mut see));
    used
}

/// Whether some instruction uses a value.
fn is_used(function: &Function, val: Val) -> bool {
    let mut used = false;
    let mut see = |op: crate::Operand| used |= op.as_val() == Some(val);
    function.insts.values().for_each(|inst| inst.for_each_use(&mut see));
    function.blocks.values().for_each(|block| block.term.for_each_use(&mut see));
    used
}

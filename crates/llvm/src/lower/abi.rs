//! Argument locations of the x86-64 ABI, as far as variadic functions observe them: the
//! code clang emits for `va_arg` finds each argument in the register save area or on the
//! stack by these rules.

use byway_ir::{Ty, VarArg};

use crate::shape::Shape;

const GENERAL: u32 = 6;
const VECTOR: u32 = 8;

/// Assigns registers and stack slots to the arguments of a call, in order.
#[derive(Default)]
pub struct ArgumentAllocator {
    general: u32,
    vector: u32,
    /// Bytes of stack used.
    stack: u32,
}

impl ArgumentAllocator {
    /// Used so far: general registers, vector registers, bytes of stack.
    pub fn used(&self) -> (u8, u8, u32) {
        (self.general as u8, self.vector as u8, self.stack)
    }

    /// Allocates an argument; returns its offset in the area that [`VarArg`] describes.
    pub fn allocate(&mut self, shape: &Shape) -> u32 {
        let (ty, bits) = match shape {
            Shape::Scalar(ty) => (*ty, ty.bits()),
            Shape::Vector(ty, n) => (*ty, ty.bits() * n),
            // Clang never passes an aggregate; other front ends may.
            other => return self.on_stack(other.leaf_count() as u32 * 8, 8),
        };
        let is_vector = matches!(shape, Shape::Vector(..));
        match ty {
            Ty::Int(_) | Ty::Ptr if !is_vector => {
                let words = bits.div_ceil(64);
                if self.general + words > GENERAL {
                    return self.on_stack(words * 8, words * 8);
                }
                self.general += words;
                (self.general - words) * 8
            }
            Ty::F80 => self.on_stack(16, 16),
            _ if bits <= 128 && self.vector < VECTOR => {
                self.vector += 1;
                VarArg::VECTORS + (self.vector - 1) * 16
            }
            _ => self.on_stack(bits.div_ceil(8), (bits.div_ceil(8)).next_power_of_two()),
        }
    }

    /// Allocates an argument that is copied to the stack.
    pub fn allocate_by_value(&mut self, size: u64, align: u32) -> u32 {
        self.on_stack(u32::try_from(size).unwrap_or(u32::MAX / 2), align)
    }

    fn on_stack(&mut self, size: u32, align: u32) -> u32 {
        let start = self.stack.next_multiple_of(align.clamp(8, VarArg::MAX_ALIGN));
        self.stack = start.saturating_add(size.next_multiple_of(8));
        VarArg::STACK.saturating_add(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_follow_the_abi() {
        let int = Shape::Scalar(Ty::Int(32));
        let wide = Shape::Scalar(Ty::Int(128));
        let double = Shape::Scalar(Ty::F64);
        let extended = Shape::Scalar(Ty::F80);
        let mut args = ArgumentAllocator::default();
        assert_eq!(args.allocate(&int), 0);
        assert_eq!(args.allocate(&double), 48);
        assert_eq!(args.allocate(&wide), 8);
        assert_eq!(args.used(), (3, 1, 0));
        assert_eq!(args.allocate(&Shape::Vector(Ty::F32, 2)), 64);
        assert_eq!(args.allocate(&extended), 192);
        assert_eq!(args.allocate(&int), 24);
        assert_eq!(args.allocate(&int), 32);
        // One register is left: too few for a wide integer, enough for a later int.
        assert_eq!(args.allocate(&wide), 208);
        assert_eq!(args.allocate(&int), 40);
        assert_eq!(args.allocate(&int), 224);
        assert_eq!(args.allocate_by_value(24, 16), 240);
        assert_eq!(args.allocate(&int), 264);
        for n in 2..8 {
            assert_eq!(args.allocate(&double), 48 + n * 16);
        }
        assert_eq!(args.allocate(&double), 272);
        assert_eq!(args.used(), (6, 8, 88));
    }
}

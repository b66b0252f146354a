//! The offset of an address in the object that it refers to on this path.

use byway_base::ExprId;
use byway_expr::{INDEX_BITS, Op, Pool};

/// The offset of `address` in the `size` bytes at `base`, without the addresses of other objects:
/// a choice between pointers becomes a choice between those that refer to this object. `None` if
/// none does.
///
/// Recorded values need it: an address depends on earlier allocations, and how far another
/// object is away says nothing about the program. Without recording, the path condition usually
/// decides the choice.
pub fn offset_in(pool: &mut Pool, address: ExprId, base: u64, size: u64) -> Option<ExprId> {
    AddressedBytes { base, size }.offset(pool, address, 0)
}

struct AddressedBytes {
    base: u64,
    size: u64,
}

impl AddressedBytes {
    /// The offset of `address + added`.
    fn offset(&self, pool: &mut Pool, address: ExprId, added: u64) -> Option<ExprId> {
        if let Some(value) = pool.value(address) {
            let offset = (value as u64).wrapping_add(added).wrapping_sub(self.base);
            // The end of an object still refers to it.
            let is_inside = offset <= self.size;
            return is_inside.then(|| pool.constant(INDEX_BITS, u128::from(offset)));
        }
        let node = pool.node(address);
        let operands: Vec<ExprId> = node.operands().collect();
        match (node.op(), operands.as_slice()) {
            (Op::Zext, &[inner]) => self.offset(pool, inner, added),
            (Op::Ite, &[condition, then, otherwise]) => {
                let then = self.offset(pool, then, added);
                let otherwise = self.offset(pool, otherwise, added);
                match (then, otherwise) {
                    (Some(then), Some(otherwise)) => Some(pool.ite(condition, then, otherwise)),
                    (one, other) => one.or(other),
                }
            }
            // A narrower sum would wrap elsewhere.
            (Op::Add, &[a, b]) if node.width() == INDEX_BITS => {
                match (pool.value(a), pool.value(b)) {
                    (Some(a), _) => self.offset(pool, b, added.wrapping_add(a as u64)),
                    (_, Some(b)) => self.offset(pool, a, added.wrapping_add(b as u64)),
                    _ => Some(self.difference(pool, address, added)),
                }
            }
            _ => Some(self.difference(pool, address, added)),
        }
    }

    fn difference(&self, pool: &mut Pool, address: ExprId, added: u64) -> ExprId {
        let address = pool.resize(address, INDEX_BITS);
        let base = pool.constant(INDEX_BITS, u128::from(self.base.wrapping_sub(added)));
        pool.sub(address, base)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_objects_are_left_out_of_a_choice() {
        let mut pool = Pool::new();
        let input = pool.input("x", 2);
        let bits: Vec<ExprId> = (0..2)
            .map(|at| {
                let byte = pool.input_byte(input, at);
                pool.extract(byte, 0, 1)
            })
            .collect();
        let word = |pool: &mut Pool, value: u128| pool.constant(64, value);
        let (first, second, other) =
            (word(&mut pool, 0x1000), word(&mut pool, 0x1004), word(&mut pool, 0x90_0000));
        let inner = pool.ite(bits[0], second, other);
        let choice = pool.ite(bits[1], first, inner);
        let four = word(&mut pool, 4);
        let address = pool.add(choice, four);
        let (low, high) = (word(&mut pool, 4), word(&mut pool, 8));
        let expected = pool.ite(bits[1], low, high);
        assert_eq!(offset_in(&mut pool, address, 0x1000, 16), Some(expected));
        assert_eq!(offset_in(&mut pool, address, 0x90_0000, 16), Some(low));
        assert_eq!(offset_in(&mut pool, address, 0x50_0000, 16), None);
    }
}

//! Constant folding.

use byway_base::ExprId;
use num_bigint::BigUint;

use crate::node::Node;
use crate::op::Op;
use crate::pool::Pool;
use crate::{semantics, wide};

/// The constant value of a node whose operands are all constants.
pub(super) fn fold(pool: &mut Pool, node: &Node) -> Option<ExprId> {
    if node.op == Op::Read || !node.operands().all(|e| pool.is_constant(e)) {
        return None;
    }
    let mut widths = [0; 2];
    let mut values = [0; 3];
    for (width, operand) in widths.iter_mut().zip(node.operands()) {
        *width = pool.width(operand);
    }
    let narrow = node.width <= 128 && node.operands().all(|e| pool.width(e) <= 128);
    if narrow {
        for (value, operand) in values.iter_mut().zip(node.operands()) {
            *value = pool.value(operand)?;
        }
        let result = semantics::apply(node, values, widths);
        return Some(pool.constant(node.width(), result));
    }
    let values: Vec<BigUint> =
        node.operands().map(|e| pool.value_wide(e)).collect::<Option<_>>()?;
    let result = wide::apply(node, &values, widths);
    Some(pool.constant_wide(node.width(), &result))
}

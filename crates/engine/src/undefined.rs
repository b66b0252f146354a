//! The origin of undefined values: the names that undefined objects have in the pool of terms.

use byway_base::ExprId;
use byway_expr::Pool;

use crate::memory::{FaultNote, Memory};

/// Values of one variable from this many calls are told apart: two of them that are compared
/// differ. Each has a name in the pool, so there must be an end to it.
const CALLS: u64 = 64;

/// The bytes of an object that were never written, by its number. An object that gets the
/// number of a freed one shares its name: what counts is that those of objects that exist
/// together differ.
pub fn object_name(number: u64) -> String {
    format!("object {number}")
}

/// A variable that was never set, in a register.
#[derive(Copy, Clone, Debug)]
pub struct UndefinedVariable<'a> {
    /// Its name in the source; empty if unknown.
    pub name: &'a str,
    /// The name of its function.
    pub function: &'a str,
    /// The position in the function.
    pub pc: u32,
    /// The serial number of the call.
    pub call: u64,
}

impl UndefinedVariable<'_> {
    /// The variable's value, as a term.
    pub fn value(&self, pool: &mut Pool, width: u32) -> ExprId {
        let UndefinedVariable { name, function, pc, call } = self;
        let name = format!("variable {pc}/{} {function} {name}", call % CALLS);
        let bytes = width.div_ceil(8);
        let object = pool.undefined(&name, bytes);
        let mut value = pool.input_byte(object, 0);
        for byte in 1..bytes {
            let next = pool.input_byte(object, byte);
            value = pool.concat(next, value);
        }
        pool.extract(value, 0, width)
    }
}

/// What the undefined object with a name stands for, and related locations.
pub fn describe(name: &str, memory: &Memory) -> (String, Vec<FaultNote>) {
    if let Some(number) = name.strip_prefix("object ")
        && let Ok(number) = number.parse()
        && let Some(found) = memory.describe_number(number)
    {
        return found;
    }
    let mut words = name.splitn(4, ' ').skip(2);
    let text = match (words.next(), words.next()) {
        (Some(function), Some(name)) if !name.is_empty() => {
            format!("the local variable '{name}' of {function}")
        }
        (Some(function), _) => format!("a local variable of {function}"),
        _ => "memory that was never written".into(),
    };
    (text, Vec::new())
}

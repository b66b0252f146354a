//! The unconstrained input of a path that ended, as plain data.

use byway_expr::{InputId, Model};
use byway_ir::{DebugTyId, FuncId, Module};

use super::{InputRole, InputTable, UnconstrainedObject};

/// The unconstrained input of a path: its objects, in the order in which they were reserved.
/// Parameters and globals are the roots; every other object is referred to by a pointer in one
/// before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputShape {
    /// The objects.
    pub objects: Vec<ShapeObject>,
}

/// An object of unconstrained input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShapeObject {
    /// Where it comes from.
    pub kind: ShapeKind,
    /// The name of the variable, or the expression of the pointer that refers to it.
    pub name: String,
    /// The type of its elements; `None` if unknown.
    pub ty: Option<DebugTyId>,
    /// How many elements it has.
    pub count: u64,
    /// Whether the path accessed it. The bytes of one that it did not access are zeros.
    pub is_accessed: bool,
    /// Its bytes, with zeros for its pointers.
    pub bytes: Vec<u8>,
    /// Its pointers.
    pub pointers: Vec<ShapePointer>,
}

/// Where an object comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ShapeKind {
    /// The parameter of this number, from 0.
    Parameter(u32),
    /// The global variable of this symbol.
    Global(String),
    /// A pointer refers to it.
    Pointee,
}

/// A pointer in an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShapePointer {
    /// Its offset in the object.
    pub offset: u64,
    /// What it refers to.
    pub target: PointerTarget,
}

/// What a pointer refers to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PointerTarget {
    /// Nothing.
    Null,
    /// The first byte of the object with this index.
    Object(usize),
    /// The function of this symbol.
    Function(String),
}

/// The unconstrained input of a path under its witness; `None` if it has none. `function_at`
/// gives the function at an address.
pub fn shape(
    module: &Module,
    function_at: impl Fn(u64) -> Option<FuncId>,
    table: &InputTable,
    witness: &Model,
) -> Option<InputShape> {
    let objects = table.objects();
    if objects.is_empty() {
        return None;
    }
    let number = |address: u64| objects.iter().position(|object| object.base == address);
    let describe = |object: &UnconstrainedObject| {
        let size = object.layout.size as usize;
        let mut bytes = vec![0; size];
        let mut pointers = Vec::new();
        if let Some(contents) = &object.contents {
            bytes = contents.input.map_or(bytes, |input| bytes_of(witness, input, size));
            for &(at, mask) in &contents.masks {
                bytes[at as usize] &= mask;
            }
            for slot in &contents.pointers {
                let at = slot.offset as usize;
                let choice = bytes.get(at).copied().unwrap_or(0);
                if let Some(word) = bytes.get_mut(at..at + 8) {
                    word.fill(0);
                }
                let address = slot.target(choice);
                let target = match (number(address), function_at(address)) {
                    (Some(object), _) => PointerTarget::Object(object),
                    (None, Some(func)) => PointerTarget::Function(module.funcs[func].name.clone()),
                    (None, None) => PointerTarget::Null,
                };
                pointers.push(ShapePointer { offset: slot.offset, target });
            }
        }
        ShapeObject {
            kind: match object.role {
                InputRole::Parameter(index) => ShapeKind::Parameter(index),
                InputRole::Global(id) => ShapeKind::Global(module.globals[id].name.clone()),
                InputRole::Pointee => ShapeKind::Pointee,
            },
            name: object.name.clone(),
            ty: object.layout.element,
            count: object.layout.count,
            is_accessed: object.contents.is_some(),
            bytes,
            pointers,
        }
    };
    Some(InputShape { objects: objects.iter().map(|object| describe(object)).collect() })
}

fn bytes_of(witness: &Model, input: InputId, size: usize) -> Vec<u8> {
    let mut bytes = witness.object(input).to_vec();
    bytes.resize(size, 0);
    bytes
}

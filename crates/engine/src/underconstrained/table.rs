//! The unconstrained input of a path: its objects, in the order in which they were reserved, and
//! what each pointer in them can be.

use std::rc::Rc;

use byway_expr::InputId;
use byway_ir::{DebugTyId, GlobalId};

use super::layout::ObjectLayout;

/// Where an object comes from.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum InputRole {
    /// The parameter of this number.
    Parameter(u32),
    /// A variable of the program.
    Global(GlobalId),
    /// A pointer refers to it.
    Pointee,
}

/// An object of unconstrained input.
#[derive(Clone, Debug)]
pub struct UnconstrainedObject {
    /// Where it comes from.
    pub role: InputRole,
    /// Its name in the source: of a variable, or an expression such as `p->next` for the pointer
    /// that it was reserved for.
    pub name: String,
    /// The address of its first byte.
    pub base: u64,
    /// Its type and size.
    pub layout: ObjectLayout,
    /// How many pointers lead to it from a parameter or global.
    pub depth: u32,
    /// Its contents, once they are made.
    pub contents: Option<InputContents>,
}

/// The contents of an object.
#[derive(Clone, Debug)]
pub struct InputContents {
    /// Its bytes; `None` in a concrete run.
    pub input: Option<InputId>,
    /// The pointers in it.
    pub pointers: Vec<PointerSlot>,
    /// Bytes of which only some bits count: their offsets and these bits.
    pub masks: Vec<(u64, u8)>,
}

/// What a pointer in an object can be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PointerSlot {
    /// Its offset in the object.
    pub offset: u64,
    /// The addresses that its first byte selects: the first is null, the last is that of every
    /// larger value.
    pub targets: Vec<u64>,
}

impl PointerSlot {
    /// The address that a value of its first byte selects.
    pub fn target(&self, choice: u8) -> u64 {
        let index = usize::from(choice).min(self.targets.len() - 1);
        self.targets[index]
    }
}

impl UnconstrainedObject {
    /// The name of its input.
    pub fn input_name(&self) -> String {
        match self.role {
            InputRole::Pointee => format!("*{}", self.name),
            InputRole::Parameter(_) | InputRole::Global(_) => self.name.clone(),
        }
    }

    /// The name of a part of it, by its position in the object.
    pub fn part(&self, path: &str) -> String {
        match (self.role, path.strip_prefix('.')) {
            (InputRole::Pointee, Some(member)) => format!("{}->{member}", self.name),
            (InputRole::Pointee, None) if path.is_empty() => format!("(*{})", self.name),
            _ => format!("{}{path}", self.name),
        }
    }
}

/// The unconstrained input of a path. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct InputTable(Option<Rc<Vec<Rc<UnconstrainedObject>>>>);

impl InputTable {
    /// Whether the path has none.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Its objects, in the order in which they were reserved.
    pub fn objects(&self) -> &[Rc<UnconstrainedObject>] {
        self.0.as_ref().map_or(&[], |objects| objects)
    }

    /// The object at an address.
    pub fn at(&self, base: u64) -> Option<&Rc<UnconstrainedObject>> {
        self.objects().iter().find(|object| object.base == base)
    }

    /// Adds a reserved object.
    pub fn add(&mut self, object: UnconstrainedObject) {
        Rc::make_mut(self.0.get_or_insert_default()).push(Rc::new(object));
    }

    /// Records the contents of the object at an address.
    pub fn fill(&mut self, base: u64, contents: InputContents) {
        let Some(objects) = &mut self.0 else { return };
        let found = Rc::make_mut(objects).iter_mut().find(|object| object.base == base);
        if let Some(object) = found {
            Rc::make_mut(object).contents = Some(contents);
        }
    }

    /// The objects that a pointer to a type can refer to beside its own.
    pub fn aliases(&self, element: Option<DebugTyId>) -> impl Iterator<Item = u64> + '_ {
        let same = move |object: &&Rc<UnconstrainedObject>| {
            object.role == InputRole::Pointee && object.layout.element == element
        };
        self.objects().iter().filter(same).map(|object| object.base)
    }
}

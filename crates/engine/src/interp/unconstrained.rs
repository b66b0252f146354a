//! Makes unconstrained input: the parameters of the function that a path starts in, the user's
//! variables, and the objects that pointers in them refer to, when they are first accessed.
//!
//! A concrete run makes the same objects at the same time, with the bytes of its test.

use std::rc::Rc;

use byway_base::ExprId;
use byway_base::entity::EntityRef;
use byway_expr::InputId;
use byway_ir::{FuncId, GlobalId, Origin};

use super::{BYTES_PER_TERM, Execution};
use crate::memory::{AccessError, BYTES_PER_SYMBOLIC_BYTE, RoomRequest};
use crate::reason::ConcretisationReason;
use crate::stop::ExecResult;
use crate::underconstrained::{
    DebugLayout, FieldKind, InputContents, InputRole, ObjectLayout, PointerSlot, SpecialField,
    UnconstrainedObject, parameter,
};

/// The alignment of an object that a pointer refers to.
const ALIGN: u64 = 16;

/// The most addresses that a pointer can be: its first byte selects one.
const MOST_TARGETS: usize = 256;

/// The largest variable that becomes input.
const MOST_GLOBAL: u64 = 1 << 16;

/// The bytes of an object while they are made.
enum Bytes {
    Input(InputId),
    Known(Vec<u8>),
}

impl Execution<'_, '_, '_> {
    /// Makes a parameter of a function, in the memory at an address.
    pub(super) fn make_parameter(&mut self, at: u64, func: u64, number: u64) -> ExecResult<u64> {
        let func = FuncId::new(func as usize);
        if self.program.module.funcs.get(func).is_none() {
            return Ok(0);
        }
        let Some(parameter) = parameter(self.program.module, func, number) else { return Ok(0) };
        let size = parameter.layout.size;
        self.state.memory.account().need_room(bytes_to_make(size))?;
        self.state.memory.fill(at, 0, size.next_multiple_of(8))?;
        self.state.path.unconstrained.add(UnconstrainedObject {
            role: InputRole::Parameter(number as u32),
            name: parameter.name,
            base: at,
            layout: parameter.layout,
            depth: 0,
            contents: None,
        });
        self.write_input(at, &parameter.fields);
        Ok(0)
    }

    /// Makes the user's variables input, as far as the path accesses them.
    pub(super) fn unmake_globals(&mut self) -> ExecResult<u64> {
        if !self.program.unconstrained.globals {
            return Ok(0);
        }
        let is_input = |id: &GlobalId| {
            let global = &self.program.module.globals[*id];
            let is_variable = global.origin == Origin::User && !global.constant;
            let is_bounded = (1..=MOST_GLOBAL).contains(&global.size);
            is_variable && is_bounded && global.init.is_some() && global.ty.is_some()
        };
        let globals: Vec<GlobalId> = self.program.module.globals.keys().filter(is_input).collect();
        for id in globals {
            let global = &self.program.module.globals[id];
            let base = self.program.global_address(id);
            self.state.memory.unmake(base);
            self.state.path.unconstrained.add(UnconstrainedObject {
                role: InputRole::Global(id),
                name: global.name.clone(),
                base,
                layout: ObjectLayout { element: global.ty, count: 1, size: global.size },
                depth: 0,
                contents: None,
            });
        }
        Ok(0)
    }

    /// Makes the contents of a reserved object; the error is a request for room.
    pub(super) fn make_input(&mut self, base: u64) -> Result<(), RoomRequest> {
        let Some(object) = self.state.path.unconstrained.at(base).map(Rc::clone) else {
            // Nothing else is ever unmade.
            self.state.memory.make(base);
            return Ok(());
        };
        if let Err(error) = self.state.memory.account().need_room(bytes_to_make(object.layout.size))
            && let AccessError::NoRoom(request) = *error
        {
            return Err(request);
        }
        let fields = self.types().fields(&object.layout);
        self.state.memory.make(base);
        self.write_input(base, &fields);
        Ok(())
    }

    /// Writes the contents of the object at an address: bytes of a new input, except for its
    /// fields.
    fn write_input(&mut self, base: u64, fields: &[SpecialField]) {
        let Some(object) = self.state.path.unconstrained.at(base).map(Rc::clone) else { return };
        let size = object.layout.size;
        let bytes = self.input_bytes(&object.input_name(), size);
        for at in 0..size {
            let byte = self.byte_of(&bytes, at);
            self.state.memory.write_term(&mut self.machine.pool, base, at, 1, byte);
        }
        let mut contents = InputContents {
            input: match bytes {
                Bytes::Input(input) => Some(input),
                Bytes::Known(_) => None,
            },
            pointers: Vec::new(),
            masks: Vec::new(),
        };
        for field in fields {
            let byte = self.byte_of(&bytes, field.offset);
            let (len, term) = match self.targets(&object, field) {
                None => {
                    let mask = u8::from(field.kind == FieldKind::Bool);
                    contents.masks.push((field.offset, mask));
                    let mask = self.machine.pool.constant(8, u128::from(mask));
                    (1, self.machine.pool.and(byte, mask))
                }
                Some(targets) => {
                    let term = self.selected(byte, &targets);
                    contents.pointers.push(PointerSlot { offset: field.offset, targets });
                    (8, term)
                }
            };
            self.state.memory.write_term(&mut self.machine.pool, base, field.offset, len, term);
        }
        self.state.path.unconstrained.fill(base, contents);
    }

    /// The bytes of a new input; those of the test in a concrete run.
    fn input_bytes(&mut self, name: &str, size: u64) -> Bytes {
        if !self.machine.exploring {
            let given = self.machine.env().input(name, size);
            let fits = given.filter(|bytes| bytes.len() as u64 == size);
            return Bytes::Known(fits.unwrap_or_else(|| vec![0; size as usize]));
        }
        let input = self.state.path.new_input(&mut self.machine.pool, name, size as u32);
        if !self.state.path.seeds.is_empty() {
            // The new input is part of the witness: it is that of the first seed.
            self.machine.evaluator.forget();
        }
        Bytes::Input(input)
    }

    fn byte_of(&mut self, bytes: &Bytes, at: u64) -> ExprId {
        let pool = &mut self.machine.pool;
        match bytes {
            Bytes::Input(input) => pool.input_byte(*input, at as u32),
            Bytes::Known(bytes) => {
                let byte = bytes.get(at as usize).copied().unwrap_or(0);
                pool.constant(8, u128::from(byte))
            }
        }
    }

    /// The addresses that a pointer can be, null first; `None` for another field.
    fn targets(&mut self, object: &UnconstrainedObject, field: &SpecialField) -> Option<Vec<u64>> {
        let mut targets = vec![0];
        match field.kind {
            FieldKind::Bool | FieldKind::Terminator => return None,
            FieldKind::Function(ty) => {
                let signature = self.types().signature(ty);
                targets.extend(self.program.functions_of(signature.as_deref()));
            }
            FieldKind::Pointer(to) if object.depth < self.program.unconstrained.depth => {
                let layout = self.types().pointee(to);
                if let Some(base) = self.state.memory.reserve(layout.size, ALIGN) {
                    targets.push(base);
                    let table = &mut self.state.path.unconstrained;
                    if self.program.unconstrained.aliasing {
                        targets.extend(table.aliases(layout.element));
                    }
                    table.add(UnconstrainedObject {
                        role: InputRole::Pointee,
                        name: object.part(&field.path),
                        base,
                        layout,
                        depth: object.depth + 1,
                        contents: None,
                    });
                }
            }
            FieldKind::Pointer(_) => {}
        }
        let is_cut = targets.len() == 1 && matches!(field.kind, FieldKind::Pointer(_));
        if is_cut || targets.len() > MOST_TARGETS {
            targets.truncate(MOST_TARGETS);
            self.state.path.count_concretised(ConcretisationReason::InputBound);
        }
        Some(targets)
    }

    /// The address that a byte selects.
    fn selected(&mut self, byte: ExprId, targets: &[u64]) -> ExprId {
        let pool = &mut self.machine.pool;
        let address = |pool: &mut byway_expr::Pool, at: u64| pool.constant(64, u128::from(at));
        let (&last, others) = targets.split_last().expect("null is always one");
        let mut term = address(pool, last);
        for (index, &target) in others.iter().enumerate().rev() {
            let index = pool.constant(8, index as u128);
            let (is_selected, target) = (pool.eq(byte, index), address(pool, target));
            term = pool.ite(is_selected, target, term);
        }
        term
    }

    fn types(&self) -> DebugLayout<'_> {
        DebugLayout::new(self.program.module, self.program.unconstrained)
    }
}

/// About the bytes that the contents of an object take.
fn bytes_to_make(size: u64) -> u64 {
    size * (BYTES_PER_TERM + BYTES_PER_SYMBOLIC_BYTE)
}

//! A whole program: functions, globals, constructors and relocations.

use byway_base::entity::PrimaryMap;
use byway_base::{SrcLoc, StackFrame};
use serde::{Deserialize, Serialize};

use crate::debug::DebugInfo;
use crate::{DebugTyId, FuncId, Function, GlobalId, LocId, Origin, Symbol};

/// A whole program, linked.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Module {
    /// The name given by the user.
    pub name: String,
    /// Functions; those without a body are declarations.
    pub funcs: PrimaryMap<FuncId, Function>,
    /// Globals; those without an initialiser are declarations.
    pub globals: PrimaryMap<GlobalId, Global>,
    /// Functions to run before `main`, in the order they run.
    pub ctors: Vec<Ctor>,
    /// Functions to run after `main`, in the order they run.
    pub dtors: Vec<Ctor>,
    /// Source locations and types.
    pub debug: DebugInfo,
}

impl Module {
    /// The function of that name.
    pub fn func_by_name(&self, name: &str) -> Option<FuncId> {
        self.funcs.iter().find(|(_, f)| f.name == name).map(|(id, _)| id)
    }

    /// The global of that name.
    pub fn global_by_name(&self, name: &str) -> Option<GlobalId> {
        self.globals.iter().find(|(_, g)| g.name == name).map(|(id, _)| id)
    }

    /// The number of instructions, including terminators.
    pub fn inst_count(&self) -> usize {
        self.funcs.values().map(|f| f.insts.len() + f.blocks.len()).sum()
    }
}

/// A constructor or destructor.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ctor {
    /// Lower runs first among constructors.
    pub priority: u32,
    /// The function, called without arguments.
    pub func: FuncId,
}

/// A global variable. Thread-local ones are plain: there is one thread.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Global {
    /// The symbol's name; unnamed globals get a generated unique one.
    pub name: String,
    /// Whether it belongs to the user, the C library or the runtime.
    pub origin: Origin,
    /// Its size in bytes.
    pub size: u64,
    /// Its alignment in bytes, a power of two.
    pub align: u32,
    /// Whether writing to it is a fault.
    pub constant: bool,
    /// Its initial contents; `None` if it is only declared.
    pub init: Option<Init>,
    /// Its type in the source.
    pub ty: Option<DebugTyId>,
    /// Where it is declared in the source.
    pub loc: Option<LocId>,
}

/// The initial contents of a global.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Init {
    /// The bytes from offset zero; the rest of the global is zero.
    pub bytes: Vec<u8>,
    /// Addresses to fill in, by ascending offset, without overlap.
    pub relocs: Vec<Reloc>,
}

/// An address written into a global: `plus - minus + addend`, little endian.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Reloc {
    /// The offset in the global, in bytes.
    pub offset: u64,
    /// The number of bytes, 1 to 8.
    pub width: u8,
    /// The symbol whose address is taken.
    pub plus: Symbol,
    /// A symbol whose address is subtracted (relative tables, label differences).
    pub minus: Option<Symbol>,
    /// A constant added.
    pub addend: i64,
}

impl Module {
    /// A location resolved to plain data.
    pub fn src_loc(&self, loc: LocId) -> SrcLoc {
        let l = &self.debug.locs[loc];
        SrcLoc { file: self.debug.files[l.file].path(), line: l.line, column: l.column }
    }

    /// The stack frames of a location, innermost first: one for the location itself and one
    /// for each call it was inlined at.
    pub fn frames_at(&self, loc: LocId, origin: Origin) -> Vec<StackFrame> {
        let user = origin == Origin::User;
        let mut frames = Vec::new();
        let mut next = Some(loc);
        while let Some(id) = next {
            let l = &self.debug.locs[id];
            frames.push(StackFrame {
                function: self.debug.scopes[l.scope].name.clone(),
                loc: Some(self.src_loc(id)),
                user,
                arguments: Vec::new(),
            });
            next = l.inlined_at;
        }
        frames
    }
}

//! A whole program: functions, globals, constructors and relocations.

use byway_base::entity::{PrimaryMap, entity_impl};
use serde::{Deserialize, Serialize};

use crate::debug::DebugInfo;
use crate::{BlockId, DebugTyId, Function, LocId};

/// A function of the module.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FuncId(u32);
entity_impl!(FuncId, "func");

/// A global of the module.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GlobalId(u32);
entity_impl!(GlobalId, "global");

/// The origin of a function or global. Only user code counts for coverage and is
/// reported as the cause of faults.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Origin {
    /// The program under test.
    User,
    /// The C library.
    Libc,
    /// Byway's own runtime.
    Runtime,
}

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

/// An entity with an address at link time.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Symbol {
    /// A global's first byte.
    Global(GlobalId),
    /// A function's entry.
    Func(FuncId),
    /// A label whose address is taken.
    Block(FuncId, BlockId),
}

//! The points-to analysis of a program that the engine runs: where it starts, and what the
//! engine's own functions do.

use byway_ir::analysis::PointsTo;
use byway_ir::analysis::points_to::{CallEnding, ExternalEffect, MadeAddress};
use byway_ir::{FuncId, Module};

use crate::intrinsic::Intrinsic;
use crate::origin::entry;

/// What every pointer of a program can point to. A program without an entry reaches nothing.
pub fn points_to(module: &Module) -> PointsTo {
    let roots: Vec<FuncId> = entry(module).into_iter().collect();
    PointsTo::new(module, &roots, |func| {
        let intrinsic = Intrinsic::by_name(&module.funcs[func].name);
        // A call of any other function without a body ends the path.
        intrinsic.map_or(ExternalEffect::default(), Intrinsic::memory_effect)
    })
}

impl Intrinsic {
    /// What it does to memory and to the path.
    pub fn memory_effect(self) -> ExternalEffect {
        ExternalEffect {
            makes: self.made_address(),
            reads: self.reads(),
            writes: self.writes(),
            frees: self.freed_argument(),
            changes_world: self.changes_world(),
            writes_output: self == Intrinsic::Write,
            ending: self.ending(),
        }
    }

    /// The address that it returns or stores.
    pub fn made_address(self) -> MadeAddress {
        match self {
            Intrinsic::Malloc
            | Intrinsic::Calloc
            | Intrinsic::AlignedAlloc
            | Intrinsic::SystemMalloc
            | Intrinsic::SystemCalloc
            | Intrinsic::SystemMemalign
            | Intrinsic::Map
            | Intrinsic::Arguments => MadeAddress::Object,
            Intrinsic::Realloc | Intrinsic::Reallocarray | Intrinsic::SystemRealloc => {
                MadeAddress::Moved(0)
            }
            Intrinsic::PosixMemalign => MadeAddress::StoredObject(0),
            Intrinsic::Value | Intrinsic::Each => MadeAddress::Argument(0),
            Intrinsic::Argument => MadeAddress::Word(0),
            Intrinsic::Ctor | Intrinsic::Dtor => MadeAddress::Initialiser,
            Intrinsic::Parameter => MadeAddress::Input(0),
            Intrinsic::UnconstrainedGlobals => MadeAddress::InputGlobals,
            Intrinsic::FixedObject => MadeAddress::ObjectAtNumber,
            _ => MadeAddress::None,
        }
    }

    /// The arguments that point to bytes it reads.
    fn reads(self) -> &'static [usize] {
        match self {
            Intrinsic::Realloc
            | Intrinsic::Reallocarray
            | Intrinsic::SystemRealloc
            | Intrinsic::Longjmp
            | Intrinsic::BuiltinLongjmp
            | Intrinsic::HostStat
            | Intrinsic::HostRead
            | Intrinsic::HostList
            | Intrinsic::HostLink
            | Intrinsic::Unsupported
            | Intrinsic::Warn
            | Intrinsic::Argument
            | Intrinsic::CheckInitialised
            | Intrinsic::Say
            | Intrinsic::SayTerm
            | Intrinsic::SayRange => &[0],
            Intrinsic::Write => &[1],
            Intrinsic::AssertFail => &[0, 3],
            Intrinsic::Symbolic => &[2],
            Intrinsic::Report => &[0, 1],
            _ => &[],
        }
    }

    /// The arguments that point to bytes it writes.
    fn writes(self) -> &'static [usize] {
        match self {
            Intrinsic::PosixMemalign
            | Intrinsic::Setjmp
            | Intrinsic::Read
            | Intrinsic::HostDirectory
            | Intrinsic::Symbolic
            | Intrinsic::Parameter => &[0],
            Intrinsic::Clock | Intrinsic::HostStat | Intrinsic::HostLink => &[1],
            Intrinsic::HostRead | Intrinsic::HostList => &[2],
            _ => &[],
        }
    }

    /// The argument that points to an object whose life it ends.
    fn freed_argument(self) -> Option<usize> {
        match self.made_address() {
            MadeAddress::Moved(index) => Some(index),
            _ => matches!(self, Intrinsic::Free | Intrinsic::Unmap).then_some(0),
        }
    }

    /// Whether its results depend on the calls before it.
    fn changes_world(self) -> bool {
        matches!(
            self,
            Intrinsic::Read
                | Intrinsic::Clock
                | Intrinsic::HostStat
                | Intrinsic::HostRead
                | Intrinsic::HostList
                | Intrinsic::HostLink
                | Intrinsic::HostDirectory
                | Intrinsic::Symbolic
                | Intrinsic::Forking
        )
    }

    fn ending(self) -> CallEnding {
        match self {
            Intrinsic::Exit | Intrinsic::Longjmp | Intrinsic::BuiltinLongjmp => CallEnding::Leaves,
            Intrinsic::AssertFail | Intrinsic::Unsupported | Intrinsic::Exclude => {
                CallEnding::Fails
            }
            _ => CallEnding::Returns,
        }
    }
}

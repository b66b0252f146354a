//! Functions that the engine implements itself: the heap, jumps out of functions, the
//! runtime's access to the host, symbolic input, and the handlers of UBSan.
//!
//! This is data only. `interp/intrinsics` executes them: to add one, add a variant, its names
//! in [`Intrinsic::by_name`], and its execution there.

use byway_ir::analysis::CallEffect;

use crate::ubsan::UbsanHandler;

/// A function that the engine implements.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // named as the functions
pub enum Intrinsic {
    Malloc,
    Calloc,
    Realloc,
    Reallocarray,
    Free,
    AlignedAlloc,
    PosixMemalign,
    MallocUsableSize,
    /// As `Malloc`, for the C library and the model of the operating system themselves.
    SystemMalloc,
    SystemCalloc,
    SystemRealloc,
    SystemMemalign,
    Setjmp,
    Longjmp,
    BuiltinLongjmp,
    Write,
    Read,
    Clock,
    HostStat,
    HostRead,
    HostList,
    HostLink,
    HostDirectory,
    Exit,
    Raise,
    AssertFail,
    Unsupported,
    Warn,
    Map,
    Unmap,
    Protect,
    Arguments,
    Ctor,
    Dtor,
    Symbolic,
    Assume,
    IsSymbolic,
    Value,
    Each,
    Prefer,
    Exclude,
    Report,
    ObjectSize,
    Room,
    Exploring,
    Argument,
    Passed,
    CheckInitialised,
    Say,
    SayTerm,
    SayRange,
    CheckAccess,
    SameObject,
    CheckOverlap,
    CheckLeaks,
    FixedObject,
    Forking,
    Parameter,
    UnconstrainedGlobals,
    Ubsan(UbsanHandler),
}

/// Whether the engine supplies a function of this name that the program does not define.
pub fn is_supplied(name: &str) -> bool {
    Intrinsic::by_name(name).is_some()
}

impl Intrinsic {
    /// Whether it allocates memory for the program itself.
    pub fn allocates(self) -> bool {
        matches!(
            self,
            Intrinsic::Malloc
                | Intrinsic::Calloc
                | Intrinsic::Realloc
                | Intrinsic::Reallocarray
                | Intrinsic::AlignedAlloc
                | Intrinsic::PosixMemalign
        )
    }

    /// What it does to the control flow, as far as distances need to know.
    pub fn effect(self) -> CallEffect {
        match self {
            Intrinsic::Setjmp => CallEffect::SavesPoint,
            Intrinsic::Longjmp | Intrinsic::BuiltinLongjmp => CallEffect::JumpsBack,
            Intrinsic::Ubsan(_) => CallEffect::ReportsCheck,
            _ => CallEffect::Returns,
        }
    }

    /// The intrinsic of a name, for a function that the program does not define.
    pub fn by_name(name: &str) -> Option<Intrinsic> {
        Some(match name {
            "malloc" => Intrinsic::Malloc,
            "calloc" => Intrinsic::Calloc,
            "realloc" => Intrinsic::Realloc,
            "__libc_malloc" | "__libc_malloc_impl" => Intrinsic::SystemMalloc,
            "__libc_calloc" => Intrinsic::SystemCalloc,
            "__libc_realloc" => Intrinsic::SystemRealloc,
            "__libc_memalign" => Intrinsic::SystemMemalign,
            "reallocarray" => Intrinsic::Reallocarray,
            "free" | "__libc_free" | "cfree" => Intrinsic::Free,
            "aligned_alloc" | "memalign" => Intrinsic::AlignedAlloc,
            "posix_memalign" => Intrinsic::PosixMemalign,
            "malloc_usable_size" => Intrinsic::MallocUsableSize,
            "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" | "__byway_builtin_setjmp" => {
                Intrinsic::Setjmp
            }
            "longjmp" | "_longjmp" | "siglongjmp" => Intrinsic::Longjmp,
            "__byway_builtin_longjmp" => Intrinsic::BuiltinLongjmp,
            "__byway_write" => Intrinsic::Write,
            "__byway_read" => Intrinsic::Read,
            "__byway_clock" => Intrinsic::Clock,
            "__byway_host_stat" => Intrinsic::HostStat,
            "__byway_host_read" => Intrinsic::HostRead,
            "__byway_host_list" => Intrinsic::HostList,
            "__byway_host_link" => Intrinsic::HostLink,
            "__byway_host_directory" => Intrinsic::HostDirectory,
            "__byway_exit" => Intrinsic::Exit,
            "__byway_raise" => Intrinsic::Raise,
            "__byway_assert_fail" => Intrinsic::AssertFail,
            "__byway_unsupported" => Intrinsic::Unsupported,
            "__byway_warn" => Intrinsic::Warn,
            "__byway_map" => Intrinsic::Map,
            "__byway_unmap" => Intrinsic::Unmap,
            "__byway_protect" => Intrinsic::Protect,
            "__byway_arguments" => Intrinsic::Arguments,
            "__byway_ctor" => Intrinsic::Ctor,
            "__byway_dtor" => Intrinsic::Dtor,
            "__byway_symbolic" => Intrinsic::Symbolic,
            "__byway_assume" => Intrinsic::Assume,
            "__byway_is_symbolic" => Intrinsic::IsSymbolic,
            "__byway_value" => Intrinsic::Value,
            "__byway_each" => Intrinsic::Each,
            "__byway_prefer" => Intrinsic::Prefer,
            "__byway_exclude" => Intrinsic::Exclude,
            "__byway_report" => Intrinsic::Report,
            "__byway_object_size" => Intrinsic::ObjectSize,
            "__byway_room" => Intrinsic::Room,
            "__byway_exploring" => Intrinsic::Exploring,
            "__byway_argument" => Intrinsic::Argument,
            "__byway_passed" => Intrinsic::Passed,
            "__byway_check_initialised" => Intrinsic::CheckInitialised,
            "__byway_say" => Intrinsic::Say,
            "__byway_say_term" => Intrinsic::SayTerm,
            "__byway_say_range" => Intrinsic::SayRange,
            "__byway_check_access" => Intrinsic::CheckAccess,
            "__byway_same_object" => Intrinsic::SameObject,
            "__byway_check_overlap" => Intrinsic::CheckOverlap,
            "__byway_check_leaks" => Intrinsic::CheckLeaks,
            "__byway_fixed_object" => Intrinsic::FixedObject,
            "__byway_forking" => Intrinsic::Forking,
            "__byway_parameter" => Intrinsic::Parameter,
            "__byway_unconstrained_globals" => Intrinsic::UnconstrainedGlobals,
            _ => return UbsanHandler::by_name(name).map(Intrinsic::Ubsan),
        })
    }
}

//! Debug information: source locations with their inlined-at chains, and types.
//!
//! Opaque pointers do not describe what they point to, so generating inputs for a function needs
//! the types of the source.

use byway_base::entity::{PrimaryMap, entity_impl};
use serde::{Deserialize, Serialize};

/// A source file of the module.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SourceFileId(u32);
entity_impl!(SourceFileId, "file");

/// A function of the source; inlined functions have scopes, too.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ScopeId(u32);
entity_impl!(ScopeId, "scope");

/// A source location, with the call it was inlined at.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LocId(u32);
entity_impl!(LocId, "loc");

/// A type of the source.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DebugTyId(u32);
entity_impl!(DebugTyId, "type");

/// A source file: its path, absolute or relative to the directory of compilation.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct SourceFile {
    /// The directory the compiler ran in; may be empty.
    pub directory: String,
    /// The path as given to the compiler.
    pub name: String,
    /// The MD5 digest of the contents that were compiled, in hexadecimal, if it is known.
    pub md5: Option<String>,
}

impl SourceFile {
    /// The path to show and to open.
    pub fn path(&self) -> String {
        if self.directory.is_empty() || self.name.starts_with('/') {
            self.name.clone()
        } else {
            format!("{}/{}", self.directory, self.name)
        }
    }
}

/// A function of the source.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Scope {
    /// Its name in the source.
    pub name: String,
    /// Where it is defined.
    pub file: SourceFileId,
    /// The line of its definition; zero if unknown.
    pub line: u32,
    /// The names of its parameters, as far as they are known; empty for those that are not.
    pub params: Vec<String>,
}

/// A source location.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Loc {
    /// The file; it can differ from the scope's (headers, macros).
    pub file: SourceFileId,
    /// One-based; zero if unknown.
    pub line: u32,
    /// One-based; zero if unknown.
    pub column: u32,
    /// The function that contains the location in the source.
    pub scope: ScopeId,
    /// The inlined call, if the location belongs to an inlined function.
    pub inlined_at: Option<LocId>,
}

/// A type of the source, without `const` and `volatile`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum DebugTy {
    /// `void`, or a type the debug information does not describe.
    Unknown,
    /// A primitive type: `int`, `double`, `_Bool`, ...
    Base {
        /// Its name in the source.
        name: String,
        /// Its size in bits.
        bits: u32,
        /// Whether integers of the type are signed.
        signed: bool,
        /// Whether it is a floating-point type.
        float: bool,
    },
    /// A pointer; `None` is `void *`.
    Pointer(Option<DebugTyId>),
    /// A struct or, when `union`, a union. Without members if only declared.
    Struct {
        /// The tag; may be empty.
        name: String,
        /// Its size in bytes.
        size: u64,
        /// Whether the members overlap.
        union: bool,
        /// Its members in order.
        members: Vec<DebugMember>,
    },
    /// An array; a multi-dimensional one nests.
    Array {
        /// The element type.
        element: DebugTyId,
        /// The number of elements; `None` if unknown (flexible or variable).
        count: Option<u64>,
    },
    /// An enumeration.
    Enum {
        /// The tag; may be empty.
        name: String,
        /// Its size in bits.
        bits: u32,
        /// Names and values.
        values: Vec<(String, i64)>,
    },
    /// A name for another type.
    Typedef {
        /// The new name.
        name: String,
        /// The aliased type; `None` is `void`.
        of: Option<DebugTyId>,
    },
    /// A function type.
    Function {
        /// The return type; `None` is `void`.
        result: Option<DebugTyId>,
        /// Its parameters.
        params: Vec<Option<DebugTyId>>,
        /// Whether it takes further arguments.
        variadic: bool,
    },
}

/// A member of a struct or union.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct DebugMember {
    /// Its name; empty for anonymous members.
    pub name: String,
    /// Its offset in bits.
    pub offset_bits: u64,
    /// Its size in bits (differs from the type's for bit fields).
    pub bits: u64,
    /// Its type.
    pub ty: Option<DebugTyId>,
}

/// All debug information of a module.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct DebugInfo {
    /// Source files.
    pub files: PrimaryMap<SourceFileId, SourceFile>,
    /// Functions of the source.
    pub scopes: PrimaryMap<ScopeId, Scope>,
    /// Source locations.
    pub locs: PrimaryMap<LocId, Loc>,
    /// Types.
    pub types: PrimaryMap<DebugTyId, DebugTy>,
}

//! Byway's compact IR: the form of a program that is analysed and executed.
//!
//! * **Scalar.** Vectors and aggregates do not exist: the lowering splits them
//!   into one value per lane or leaf. A call may therefore return several values.
//! * **SSA with block parameters.** Each [`Val`] is defined once. A phi is a
//!   parameter of its block, and each edge into the block passes an argument.
//! * **Typed by width.** A value is an integer of 1 to 128 bits, a pointer, or a
//!   float. Integer operations wrap; undef and poison have become zero.
//! * **Memory is bytes.** Little endian, 64-bit pointers; globals are bytes with
//!   relocations. Debug types record the types of the source.

#![forbid(unsafe_code)]

pub mod analysis;
mod builder;
pub mod cache;
mod debug;
mod func;
mod inst;
mod mnemonic;
mod module;
mod redirect;
pub mod text;
mod ty;
mod value;
mod verify;
mod visit;

pub use builder::FunctionBuilder;
pub use debug::{
    DebugInfo, DebugMember, DebugTy, DebugTyId, Loc, LocId, Scope, ScopeId, SourceFile,
    SourceFileId,
};
pub use func::{Block, Function};
pub use inst::{
    BinOp, Callee, CastOp, Edge, FBinOp, FUnOp, Fcmp, Icmp, Inst, OverflowOp, Scaled, Terminator,
    UnOp, VarArg,
};
pub use module::{Ctor, Global, Init, Module, Reloc};
pub use ty::Ty;
pub use value::{
    BlockId, Const, ConstId, FuncId, GlobalId, InstId, Operand, OperandKind, Origin, Symbol, Val,
};
pub use verify::{VerifyError, verify};

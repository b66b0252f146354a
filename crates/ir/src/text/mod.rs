//! The text form of the IR, `.bwir`, for reading and for writing tests.
//!
//! For every module that verifies, [`parse`] of [`print()`] gives the same module,
//! including all numbers: values and blocks are written with their numbers, and
//! constants, which are written where they are used, are numbered by their first
//! use. Line breaks are significant only as the end of a comment, which begins with `;`.
//!
//! ```text
//! text     = "bwir" "1"  "module" STRING  item*
//! item     = "global" origin NAME "size" N "align" N ["constant"] [type] [loc]
//!                ["=" "{" (STRING | HEX)* ("at" N "width" N ":" symbol ["-" symbol] [add])* "}"]
//!          | "func" origin NAME "(" [param,*] ["..."] ")" ["->" ty,+] ["optimised"]
//!                [scope] [type] ["{" block* "}"]
//!          | ("ctor" | "dtor") N NAME
//!          | fileN "=" STRING STRING
//!          | scopeN "=" STRING fileN "line" N
//!          | locN "=" fileN N ":" N scopeN ["at" locN]
//!          | typeN "=" debug-type
//! block    = bN ["(" param,+ ")"] ":" inst* terminator
//! inst     = [param,+ "="] mnemonic ... [loc]
//! param    = vN ":" ty
//! operand  = vN | ["-"] N ":" ty | symbol [add]
//! symbol   = NAME [":" bN]
//! add      = ("+" | "-") N
//! edge     = bN ["(" operand,+ ")"]
//! origin   = "user" | "libc" | "runtime"
//! type     = "!" typeN          scope = "!" scopeN          loc = "!" locN
//! NAME     = "@" letters, digits, "_", "." and "$", or "@" STRING
//! STRING   = in double quotes; "\hh" is the byte of that hexadecimal value
//! HEX      = x"...", two hexadecimal digits per byte
//! ```
//!
//! `docs/ir.md` shows every instruction.

mod lex;
mod parse;
mod print;

pub use parse::{ParseError, parse};
pub use print::{print, print_function};

/// The version of the text form, its first line.
const VERSION: u32 = 1;

//! The debug tables.

use std::fmt::{self, Write as _};

use super::{Quoted, write_list};
use crate::{DebugInfo, DebugMember, DebugTy, DebugTyId, Loc, Scope, SourceFile};

pub(super) fn write(out: &mut String, debug: &DebugInfo) -> fmt::Result {
    for (i, (id, SourceFile { directory, name, md5 })) in debug.files.iter().enumerate() {
        blank_line_before_first(out, i);
        write!(out, "{id} = {} {}", Quoted(directory.as_bytes()), Quoted(name.as_bytes()))?;
        if let Some(md5) = md5 {
            write!(out, " md5 {}", Quoted(md5.as_bytes()))?;
        }
        out.push('\n');
    }
    for (i, (id, Scope { name, file, line, params })) in debug.scopes.iter().enumerate() {
        blank_line_before_first(out, i);
        write!(out, "{id} = {} {file} line {line}", Quoted(name.as_bytes()))?;
        if !params.is_empty() {
            out.push_str(" params {");
            write_list(out, params, |out, name| write!(out, "{}", Quoted(name.as_bytes())))?;
            out.push('}');
        }
        out.push('\n');
    }
    for (i, (id, loc)) in debug.locs.iter().enumerate() {
        blank_line_before_first(out, i);
        let Loc { file, line, column, scope, inlined_at } = loc;
        write!(out, "{id} = {file} {line}:{column} {scope}")?;
        if let Some(outer) = inlined_at {
            write!(out, " at {outer}")?;
        }
        out.push('\n');
    }
    for (i, (id, ty)) in debug.types.iter().enumerate() {
        blank_line_before_first(out, i);
        write!(out, "{id} = ")?;
        write_ty(out, ty)?;
        out.push('\n');
    }
    Ok(())
}

fn blank_line_before_first(out: &mut String, index: usize) {
    if index == 0 {
        out.push('\n');
    }
}

fn write_ty(out: &mut String, ty: &DebugTy) -> fmt::Result {
    match ty {
        DebugTy::Unknown => write!(out, "unknown"),
        DebugTy::Base { name, bits, signed, float } => {
            write!(out, "base {} bits {bits}", Quoted(name.as_bytes()))?;
            out.push_str(if *signed { " signed" } else { "" });
            out.push_str(if *float { " float" } else { "" });
            Ok(())
        }
        DebugTy::Pointer(of) => write!(out, "pointer {}", OrVoid(*of)),
        DebugTy::Struct { name, size, union, members } => {
            let kind = if *union { "union" } else { "struct" };
            write!(out, "{kind} {} size {size} {{", Quoted(name.as_bytes()))?;
            write_list(out, members, |out, DebugMember { name, offset_bits, bits, ty }| {
                let name = Quoted(name.as_bytes());
                write!(out, "{name} {} at {offset_bits} bits {bits}", OrVoid(*ty))
            })?;
            write!(out, "}}")
        }
        DebugTy::Array { element, count: Some(count) } => write!(out, "array {element} [{count}]"),
        DebugTy::Array { element, count: None } => write!(out, "array {element} []"),
        DebugTy::Enum { name, bits, values } => {
            write!(out, "enum {} bits {bits} {{", Quoted(name.as_bytes()))?;
            write_list(out, values, |out, (name, value)| {
                write!(out, "{} = {value}", Quoted(name.as_bytes()))
            })?;
            write!(out, "}}")
        }
        DebugTy::Typedef { name, of } => {
            write!(out, "typedef {} {}", Quoted(name.as_bytes()), OrVoid(*of))
        }
        DebugTy::Function { result, params, variadic } => {
            write!(out, "function {} (", OrVoid(*result))?;
            write_list(out, params, |out, param| write!(out, "{}", OrVoid(*param)))?;
            if *variadic {
                out.push_str(if params.is_empty() { "..." } else { ", ..." });
            }
            write!(out, ")")
        }
    }
}

/// A type, or `void` for none.
struct OrVoid(Option<DebugTyId>);

impl fmt::Display for OrVoid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(id) => id.fmt(f),
            None => f.write_str("void"),
        }
    }
}

//! The printer. It prints every module, also one that does not verify, which is when the
//! text is needed most.

mod debug;
mod func;

use std::fmt::{self, Write as _};

use super::VERSION;
use super::lex::is_name_byte;
use crate::{Ctor, FuncId, Function, Global, Module, Reloc, Symbol};

/// The module as text.
pub fn print(module: &Module) -> String {
    let mut out = String::new();
    write_module(&mut out, module).expect("a string takes all that is written");
    out
}

/// One function of the module as text.
pub fn print_function(module: &Module, func: &Function) -> String {
    let mut out = String::new();
    func::write(&mut out, module, func).expect("a string takes all that is written");
    out
}

fn write_module(out: &mut String, module: &Module) -> fmt::Result {
    writeln!(out, "bwir {VERSION}")?;
    writeln!(out, "module {}", Quoted(module.name.as_bytes()))?;
    for global in module.globals.values() {
        out.push('\n');
        write_global(out, module, global)?;
    }
    for func in module.funcs.values() {
        out.push('\n');
        func::write(out, module, func)?;
    }
    write_ctors(out, module, "ctor", &module.ctors)?;
    write_ctors(out, module, "dtor", &module.dtors)?;
    debug::write(out, &module.debug)
}

fn write_ctors(out: &mut String, module: &Module, word: &str, ctors: &[Ctor]) -> fmt::Result {
    if !ctors.is_empty() {
        out.push('\n');
    }
    for Ctor { priority, func } in ctors {
        writeln!(out, "{word} {priority} {}", FuncName(module, *func))?;
    }
    Ok(())
}

/// The number of bytes of a global on one line.
const BYTES_PER_LINE: usize = 64;

fn write_global(out: &mut String, module: &Module, global: &Global) -> fmt::Result {
    let Global { origin, size, align, .. } = global;
    write!(out, "global {} {}", origin.mnemonic(), Name(&global.name))?;
    write!(out, " size {size} align {align}")?;
    if global.constant {
        out.push_str(" constant");
    }
    write_note(out, global.ty)?;
    write_note(out, global.loc)?;
    let Some(init) = &global.init else {
        out.push('\n');
        return Ok(());
    };
    out.push_str(" = {");
    for line in init.bytes.chunks(BYTES_PER_LINE) {
        let text = line.iter().filter(|b| b.is_ascii_graphic() || **b == b' ').count();
        if text * 2 >= line.len() {
            write!(out, "\n  {}", Quoted(line))?;
        } else {
            out.push_str("\n  x\"");
            line.iter().try_for_each(|b| write!(out, "{b:02x}"))?;
            out.push('"');
        }
    }
    for Reloc { offset, width, plus, minus, addend } in &init.relocs {
        write!(out, "\n  at {offset} width {width}: {}", SymbolName(module, *plus))?;
        if let Some(minus) = minus {
            write!(out, " - {}", SymbolName(module, *minus))?;
        }
        match addend {
            0 => {}
            1.. => write!(out, " + {addend}")?,
            _ => write!(out, " - {}", addend.unsigned_abs())?,
        }
    }
    out.push_str("\n}\n");
    Ok(())
}

/// A reference to the debug tables, if there is one.
fn write_note(out: &mut String, id: Option<impl fmt::Display>) -> fmt::Result {
    id.map_or(Ok(()), |id| write!(out, " !{id}"))
}

/// Items with commas between them.
fn write_list<T>(
    out: &mut String,
    items: impl IntoIterator<Item = T>,
    mut write_item: impl FnMut(&mut String, T) -> fmt::Result,
) -> fmt::Result {
    for (i, item) in items.into_iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        write_item(out, item)?;
    }
    Ok(())
}

/// Bytes as a string in quotes.
struct Quoted<'a>(&'a [u8]);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for &b in self.0 {
            match b {
                b'"' | b'\\' => write!(f, "\\{b:02x}")?,
                b' '..=b'~' => f.write_char(b.into())?,
                _ => write!(f, "\\{b:02x}")?,
            }
        }
        f.write_char('"')
    }
}

/// A symbol's name, quoted if necessary.
struct Name<'a>(&'a str);

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.0.is_empty() && self.0.bytes().all(is_name_byte) {
            write!(f, "@{}", self.0)
        } else {
            write!(f, "@{}", Quoted(self.0.as_bytes()))
        }
    }
}

/// A function's name; its number if there is no such function.
struct FuncName<'a>(&'a Module, FuncId);

impl fmt::Display for FuncName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.funcs.get(self.1) {
            Some(func) => Name(&func.name).fmt(f),
            None => self.1.fmt(f),
        }
    }
}

/// The name of a symbol.
struct SymbolName<'a>(&'a Module, Symbol);

impl fmt::Display for SymbolName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SymbolName(module, symbol) = *self;
        match symbol {
            Symbol::Func(id) => FuncName(module, id).fmt(f),
            Symbol::Block(id, block) => write!(f, "{}:{block}", FuncName(module, id)),
            Symbol::Global(id) => match module.globals.get(id) {
                Some(global) => Name(&global.name).fmt(f),
                None => id.fmt(f),
            },
        }
    }
}

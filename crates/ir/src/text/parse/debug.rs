//! The debug tables.

use byway_base::entity::{EntityRef, PrimaryMap};

use super::{Parsed, Parser, Token};
use crate::{DebugInfo, DebugMember, DebugTy, DebugTyId, Loc, Scope, SourceFile};

impl Parser<'_> {
    /// One entry of a table. Each has the next number of its table; the numbers
    /// are there for the reader.
    pub(super) fn debug_entry(&mut self, debug: &mut DebugInfo) -> Parsed<()> {
        let Token::Word(word) = self.token else { return self.expected("an item of the module") };
        match word.trim_end_matches(|c: char| c.is_ascii_digit()) {
            "file" => self.entry("file", &mut debug.files, |p| {
                let (directory, name) = (p.string()?, p.string()?);
                let md5 = p.eat_word("md5")?.then(|| p.string()).transpose()?;
                Ok(SourceFile { directory, name, md5 })
            }),
            "scope" => self.entry("scope", &mut debug.scopes, |p| {
                let name = p.string()?;
                let file = p.id("file")?;
                p.word("line")?;
                let line = p.number()?;
                let params = match p.eat_word("params")? {
                    true => p.list("{", "}", Parser::string)?,
                    false => Vec::new(),
                };
                Ok(Scope { name, file, line, params })
            }),
            "loc" => self.entry("loc", &mut debug.locs, Parser::loc),
            "type" => self.entry("type", &mut debug.types, Parser::debug_ty),
            _ => self.expected("an item of the module"),
        }
    }

    fn entry<K: EntityRef, V>(
        &mut self,
        prefix: &'static str,
        table: &mut PrimaryMap<K, V>,
        contents: impl FnOnce(&mut Self) -> Parsed<V>,
    ) -> Parsed<()> {
        let start = self.start;
        let id: K = self.id(prefix)?;
        if id != table.next_key() {
            let next = table.len();
            return self.error_at(start, format!("expected {prefix}{next}, the next of its table"));
        }
        self.mark("=")?;
        let value = contents(self)?;
        table.push(value);
        Ok(())
    }

    fn loc(&mut self) -> Parsed<Loc> {
        let file = self.id("file")?;
        let line = self.number()?;
        self.mark(":")?;
        let column = self.number()?;
        let scope = self.id("scope")?;
        let inlined_at = if self.eat_word("at")? { Some(self.id("loc")?) } else { None };
        Ok(Loc { file, line, column, scope, inlined_at })
    }

    fn debug_ty(&mut self) -> Parsed<DebugTy> {
        let Token::Word(kind) = self.token else { return self.expected("a kind of type") };
        let start = self.start;
        self.advance()?;
        Ok(match kind {
            "unknown" => DebugTy::Unknown,
            "base" => {
                let name = self.string()?;
                self.word("bits")?;
                let bits = self.number()?;
                let signed = self.eat_word("signed")?;
                DebugTy::Base { name, bits, signed, float: self.eat_word("float")? }
            }
            "pointer" => DebugTy::Pointer(self.type_or_void()?),
            "struct" | "union" => {
                let name = self.string()?;
                self.word("size")?;
                let size = self.number()?;
                let members = self.list("{", "}", Parser::member)?;
                DebugTy::Struct { name, size, union: kind == "union", members }
            }
            "array" => {
                let element = self.id("type")?;
                self.mark("[")?;
                let known = self.token != Token::Mark("]");
                let count = if known { Some(self.number()?) } else { None };
                self.mark("]")?;
                DebugTy::Array { element, count }
            }
            "enum" => {
                let name = self.string()?;
                self.word("bits")?;
                let bits = self.number()?;
                let values = self.list("{", "}", |p| {
                    let name = p.string()?;
                    p.mark("=")?;
                    Ok((name, p.signed()?))
                })?;
                DebugTy::Enum { name, bits, values }
            }
            "typedef" => DebugTy::Typedef { name: self.string()?, of: self.type_or_void()? },
            "function" => {
                let result = self.type_or_void()?;
                let (params, variadic) = self.params(Parser::type_or_void)?;
                DebugTy::Function { result, params, variadic }
            }
            _ => return self.error_at(start, format!("unknown kind of type `{kind}`")),
        })
    }

    fn type_or_void(&mut self) -> Parsed<Option<DebugTyId>> {
        if self.eat_word("void")? { Ok(None) } else { self.id("type").map(Some) }
    }

    fn member(&mut self) -> Parsed<DebugMember> {
        let name = self.string()?;
        let ty = self.type_or_void()?;
        self.word("at")?;
        let offset_bits = self.number()?;
        self.word("bits")?;
        Ok(DebugMember { name, offset_bits, bits: self.number()?, ty })
    }
}

//! The debug tables.

use byway_base::entity::{EntityRef, PrimaryMap};

use super::{Parsed, Parser, Token};
use crate::{DebugInfo, DebugMember, DebugTy, DebugTyId, Loc, Scope, SourceFile};

impl Parser<'_> {
    /// One entry of a table. Each has the next number of its table: the numbers
    /// are there for the reader.
    pub(super) fn debug_entry(&mut self, debug: &mut DebugInfo) -> Parsed<()> {
        let Token::Word(word) = self.token else { return self.expected("an item of the module") };
        match word.trim_end_matches(|c: char| c.is_ascii_digit()) {
            "file" => self.entry("file", &mut debug.files, |p| {
                Ok(SourceFile { directory: p.string()?, name: p.string()? })
            }),
            "scope" => self.entry("scope", &mut debug.scopes, |p| {
                let name = p.string()?;
                let file = p.id("file")?;
                p.word("line")?;
                Ok(Scope { name, file, line: p.number()? })
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
        let kind = self.one_of("a kind of type", |word| {
            Some(match word {
                "unknown" => Parser::unknown_ty,
                "base" => Parser::base_ty,
                "pointer" => Parser::pointer_ty,
                "struct" => Parser::struct_ty,
                "union" => Parser::union_ty,
                "array" => Parser::array_ty,
                "enum" => Parser::enum_ty,
                "typedef" => Parser::typedef_ty,
                "function" => Parser::function_ty,
                _ => return None,
            } as fn(&mut Self) -> Parsed<DebugTy>)
        })?;
        kind(self)
    }
}

impl Parser<'_> {
    fn unknown_ty(&mut self) -> Parsed<DebugTy> {
        Ok(DebugTy::Unknown)
    }
}

//! The parser. This file has the parsing primitives and the items of a
//! module; functions and debug tables have their own.

mod debug;
mod func;

use std::fmt;

use byway_base::entity::EntityRef;
use rustc_hash::FxHashMap;

use super::VERSION;
use super::lex::{Lexer, Token};
use crate::{BlockId, Ctor, FuncId, Global, GlobalId, Init, Module, Origin, Reloc, Symbol, Ty};

/// A syntax error and its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// One-based.
    pub line: usize,
    /// One-based, in characters.
    pub column: usize,
    /// A description of the error.
    pub message: String,
}

impl ParseError {
    pub(super) fn at(source: &str, offset: usize, message: impl Into<String>) -> Self {
        let before = &source[..offset];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        ParseError {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message: message.into(),
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

/// Parses a module. The result need not [verify](crate::verify()).
pub fn parse(source: &str) -> Result<Module, ParseError> {
    // An operand's number has 31 bits, and no number is larger than the text.
    if source.len() >= 1 << 31 {
        return Err(ParseError::at(source, 0, "the text is longer than 2 GiB"));
    }
    let symbols = symbols(source)?;
    let mut parser = Parser::new(source, symbols)?;
    parser.module()
}

/// The symbols that a text defines, collected first, since they can be used earlier.
fn symbols(source: &str) -> Result<FxHashMap<String, Symbol>, ParseError> {
    let mut symbols = FxHashMap::default();
    let (mut funcs, mut globals) = (0, 0);
    let mut lexer = Lexer::new(source);
    let mut depth = 0;
    // The kind of the current item, until its name is found.
    let mut item = None;
    loop {
        let (token, start) = lexer.next()?;
        match token {
            Token::End => return Ok(symbols),
            Token::Mark("{") => depth += 1,
            Token::Mark("}") => depth -= 1,
            Token::Word("func") if depth == 0 => {
                item = Some(Symbol::Func(FuncId::new(funcs)));
                funcs += 1;
            }
            Token::Word("global") if depth == 0 => {
                item = Some(Symbol::Global(GlobalId::new(globals)));
                globals += 1;
            }
            Token::Name(name) => {
                if let Some(symbol) = item.take()
                    && symbols.insert(name.to_string(), symbol).is_some()
                {
                    let message = format!("the symbol `@{name}` is defined a second time");
                    return Err(ParseError::at(source, start, message));
                }
            }
            _ => {}
        }
    }
}

type Parsed<T> = Result<T, ParseError>;

struct Parser<'s> {
    source: &'s str,
    lexer: Lexer<'s>,
    /// The current token and its offset.
    token: Token<'s>,
    start: usize,
    symbols: FxHashMap<String, Symbol>,
}

impl<'s> Parser<'s> {
    fn new(source: &'s str, symbols: FxHashMap<String, Symbol>) -> Parsed<Self> {
        let mut lexer = Lexer::new(source);
        let (token, start) = lexer.next()?;
        Ok(Parser { source, lexer, token, start, symbols })
    }

    fn advance(&mut self) -> Parsed<Token<'s>> {
        let (next, start) = self.lexer.next()?;
        self.start = start;
        Ok(std::mem::replace(&mut self.token, next))
    }

    fn error<T>(&self, message: impl Into<String>) -> Parsed<T> {
        self.error_at(self.start, message)
    }

    fn error_at<T>(&self, offset: usize, message: impl Into<String>) -> Parsed<T> {
        Err(ParseError::at(self.source, offset, message))
    }

    fn expected<T>(&self, what: &str) -> Parsed<T> {
        self.error(format!("expected {what}, found {}", self.token.describe()))
    }

    /// Consumes the token if it is this mark.
    fn eat(&mut self, mark: &'static str) -> Parsed<bool> {
        self.eat_token(Token::Mark(mark))
    }

    /// Consumes the token if it is this word.
    fn eat_word(&mut self, word: &'static str) -> Parsed<bool> {
        self.eat_token(Token::Word(word))
    }

    fn eat_token(&mut self, wanted: Token<'static>) -> Parsed<bool> {
        let found = self.token == wanted;
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn mark(&mut self, mark: &'static str) -> Parsed<()> {
        if self.eat(mark)? { Ok(()) } else { self.expected(&format!("`{mark}`")) }
    }

    fn word(&mut self, word: &'static str) -> Parsed<()> {
        if self.eat_word(word)? { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    /// Consumes the token if it is a word that `meaning` recognises.
    fn one_of<T>(&mut self, what: &str, meaning: impl FnOnce(&str) -> Option<T>) -> Parsed<T> {
        if let Token::Word(word) = self.token
            && let Some(value) = meaning(word)
        {
            self.advance()?;
            return Ok(value);
        }
        self.expected(what)
    }

    /// A comma-separated list between marks: `(a, b)`.
    fn list<T>(
        &mut self,
        open: &'static str,
        close: &'static str,
        mut item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        self.mark(open)?;
        let mut items = Vec::new();
        while self.token != Token::Mark(close) {
            items.push(item(self)?);
            if !self.eat(",")? {
                break;
            }
        }
        self.mark(close)?;
        Ok(items)
    }

    /// Parameters in parentheses, and whether `...` follows them.
    fn params<T>(
        &mut self,
        mut param: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<(Vec<T>, bool)> {
        let mut variadic = false;
        let params = self.list("(", ")", |p| {
            if variadic {
                return p.expected("`)`");
            }
            variadic = p.eat("...")?;
            if variadic { Ok(None) } else { param(p).map(Some) }
        })?;
        Ok((params.into_iter().flatten().collect(), variadic))
    }

    fn number<N: TryFrom<u128>>(&mut self) -> Parsed<N> {
        let Token::Number(n) = self.token else { return self.expected("a number") };
        let Ok(value) = N::try_from(n) else {
            return self.error(format!("the number {n} is too large here"));
        };
        self.advance()?;
        Ok(value)
    }

    /// A number that may have a minus sign.
    fn signed(&mut self) -> Parsed<i64> {
        let negative = self.eat("-")?;
        self.signed_after(negative)
    }

    fn signed_after(&mut self, negative: bool) -> Parsed<i64> {
        let Token::Number(n) = self.token else { return self.expected("a number") };
        let value = i128::try_from(n).ok().map(|n| if negative { -n } else { n });
        let Some(value) = value.and_then(|v| i64::try_from(v).ok()) else {
            return self.error(format!("the number {n} is too large here"));
        };
        self.advance()?;
        Ok(value)
    }

    /// `+ n` or `- n`; zero if neither is there.
    fn addend(&mut self) -> Parsed<i64> {
        if self.eat("+")? {
            self.signed_after(false)
        } else if self.eat("-")? {
            self.signed_after(true)
        } else {
            Ok(0)
        }
    }

    fn bytes(&mut self) -> Parsed<Vec<u8>> {
        if !matches!(self.token, Token::Bytes(_)) {
            return self.expected("a string");
        }
        let Token::Bytes(bytes) = self.advance()? else { unreachable!("looked at above") };
        Ok(bytes)
    }

    fn string(&mut self) -> Parsed<String> {
        let start = self.start;
        let bytes = self.bytes()?;
        String::from_utf8(bytes).or_else(|_| self.error_at(start, "the string is not UTF-8"))
    }

    /// An id with a prefix and a number: `v3`. A number not below the length of the text is
    /// invalid, since then some smaller number must be missing.
    fn id<K: EntityRef>(&mut self, prefix: &'static str) -> Parsed<K> {
        if let Token::Word(word) = self.token
            && let Some(id) = self.id_in(word, prefix)
        {
            self.advance()?;
            return Ok(id);
        }
        self.expected(&format!("`{prefix}` and a number"))
    }

    fn id_in<K: EntityRef>(&self, word: &str, prefix: &str) -> Option<K> {
        let digits = word.strip_prefix(prefix)?;
        let number = digits.parse::<usize>().ok().filter(|&n| n < self.source.len())?;
        // Neither `v+3` nor `v03`.
        (number.to_string() == digits).then(|| K::new(number))
    }

    /// An optional reference to a debug table with that prefix: `!loc3`.
    fn note<K: EntityRef>(&mut self, prefix: &'static str) -> Parsed<Option<K>> {
        let Token::Note(word) = self.token else { return Ok(None) };
        let id = self.id_in(word, prefix);
        if id.is_some() {
            self.advance()?;
        }
        Ok(id)
    }

    fn ty(&mut self) -> Parsed<Ty> {
        self.one_of("a type", |word| match word {
            "ptr" => Some(Ty::Ptr),
            "f16" => Some(Ty::F16),
            "bf16" => Some(Ty::Bf16),
            "f32" => Some(Ty::F32),
            "f64" => Some(Ty::F64),
            "f80" => Some(Ty::F80),
            "f128" => Some(Ty::F128),
            _ => {
                let bits = word.strip_prefix('i')?.parse().ok()?;
                (1..=Ty::MAX_INT_BITS).contains(&u32::from(bits)).then_some(Ty::Int(bits))
            }
        })
    }

    fn symbol(&mut self) -> Parsed<Symbol> {
        let Token::Name(name) = &self.token else { return self.expected("a symbol") };
        let Some(&symbol) = self.symbols.get(name.as_ref()) else {
            return self.error(format!("unknown symbol `@{name}`"));
        };
        let start = self.start;
        self.advance()?;
        if !self.eat(":")? {
            return Ok(symbol);
        }
        let block: BlockId = self.id("b")?;
        match symbol {
            Symbol::Func(f) => Ok(Symbol::Block(f, block)),
            _ => self.error_at(start, "only functions have labels"),
        }
    }

    fn func_id(&mut self) -> Parsed<FuncId> {
        let start = self.start;
        match self.symbol()? {
            Symbol::Func(f) => Ok(f),
            _ => self.error_at(start, "this is not a function"),
        }
    }

    /// The name of the item that is being defined.
    fn name(&mut self) -> Parsed<String> {
        if !matches!(self.token, Token::Name(_)) {
            return self.expected("a symbol");
        }
        let Token::Name(name) = self.advance()? else { unreachable!("looked at above") };
        Ok(name.into_owned())
    }

    fn module(&mut self) -> Parsed<Module> {
        self.word("bwir")?;
        let start = self.start;
        let version: u128 = self.number()?;
        if version != u128::from(VERSION) {
            let message = format!("version {version} of the text form, not {VERSION}");
            return self.error_at(start, message);
        }
        self.word("module")?;
        let mut module = Module { name: self.string()?, ..Module::default() };
        loop {
            match self.token {
                Token::End => return Ok(module),
                Token::Word("global") => {
                    let global = self.global()?;
                    module.globals.push(global);
                }
                Token::Word("func") => {
                    let func = self.function()?;
                    module.funcs.push(func);
                }
                Token::Word("ctor") => module.ctors.push(self.ctor()?),
                Token::Word("dtor") => module.dtors.push(self.ctor()?),
                _ => self.debug_entry(&mut module.debug)?,
            }
        }
    }

    fn ctor(&mut self) -> Parsed<Ctor> {
        self.advance()?;
        Ok(Ctor { priority: self.number()?, func: self.func_id()? })
    }

    fn origin(&mut self) -> Parsed<Origin> {
        self.one_of("`user`, `libc` or `runtime`", Origin::from_mnemonic)
    }

    fn global(&mut self) -> Parsed<Global> {
        self.word("global")?;
        let origin = self.origin()?;
        let name = self.name()?;
        self.word("size")?;
        let size = self.number()?;
        self.word("align")?;
        let align = self.number()?;
        let constant = self.eat_word("constant")?;
        let ty = self.note("type")?;
        let loc = self.note("loc")?;
        let init = if self.eat("=")? { Some(self.init()?) } else { None };
        Ok(Global { name, origin, size, align, constant, init, ty, loc })
    }

    fn init(&mut self) -> Parsed<Init> {
        let mut init = Init::default();
        self.mark("{")?;
        while matches!(self.token, Token::Bytes(_)) {
            init.bytes.extend(self.bytes()?);
        }
        while self.eat_word("at")? {
            let offset = self.number()?;
            self.word("width")?;
            let width = self.number()?;
            self.mark(":")?;
            let plus = self.symbol()?;
            let mut minus = None;
            let mut addend = 0;
            if self.eat("-")? {
                if matches!(self.token, Token::Name(_)) {
                    minus = Some(self.symbol()?);
                    addend = self.addend()?;
                } else {
                    addend = self.signed_after(true)?;
                }
            } else if self.eat("+")? {
                addend = self.signed_after(false)?;
            }
            init.relocs.push(Reloc { offset, width, plus, minus, addend });
        }
        self.mark("}")?;
        Ok(init)
    }
}

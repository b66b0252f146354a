//! The text of inline assembly, taken apart: statements of a mnemonic and its operands.
//!
//! The text is LLVM's form of AT&T syntax: `$0` and `${0:q}` stand for operands of the
//! call, `$$` for a dollar sign, `$(at&t$|intel$)` for text that depends on the dialect.
//! Labels, directives and expressions are not understood, and then nothing is.

use super::register::Register;

/// One instruction as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// Its name, with the suffix for the width if there is one.
    pub mnemonic: String,
    /// Its operands in AT&T's order: the destination is last.
    pub operands: Vec<Written>,
}

/// An operand as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Written {
    /// `$0`, or `${0:q}`.
    Operand(OperandRef),
    /// `%rax`.
    Register(Register),
    /// `$$5`: five.
    Immediate(i64),
    /// `8(%rax,$1,4)`.
    Memory {
        /// What is added; of an operand, its constant.
        displacement: Displacement,
        /// The register in front.
        base: Option<Holder>,
        /// The register that is scaled.
        index: Option<Holder>,
        /// By how much: 1, 2, 4 or 8.
        scale: i64,
    },
}

/// An operand of the call, mentioned in the text.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct OperandRef {
    /// Its number among the constraints.
    pub index: usize,
    /// The letter behind the colon.
    pub modifier: Option<char>,
}

/// What is added to an address.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Displacement {
    /// A number.
    Number(i64),
    /// A constant of the call.
    Operand(usize),
}

/// What holds a part of an address.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Holder {
    /// A register by name.
    Register(Register),
    /// The register an operand lies in.
    Operand(usize),
}

/// All statements of the text; `None` if any of it is not understood.
pub fn parse(text: &str) -> Option<Vec<Statement>> {
    let tokens = tokens(text)?;
    let mut statements = Vec::new();
    // A prefix may stand alone, with the instruction behind a semicolon.
    let mut repeated = false;
    for piece in tokens.split(|token| *token == Token::End) {
        let mut cursor = Cursor { rest: piece };
        let mut mnemonic = cursor.word();
        while matches!(mnemonic.as_str(), "lock" | "rep" | "repz" | "repe") {
            repeated |= mnemonic != "lock";
            mnemonic = cursor.word();
        }
        if mnemonic.is_empty() {
            cursor.end()?;
            continue;
        }
        // Repeating these means nothing, to a processor that knows no newer meaning.
        if std::mem::take(&mut repeated) && !matches!(mnemonic.as_str(), "nop" | "bsf" | "bsr") {
            return None;
        }
        statements.push(Statement { mnemonic, operands: cursor.operands()? });
    }
    (!repeated).then_some(statements)
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Token {
    Char(char),
    Operand(OperandRef),
    /// The end of a statement.
    End,
}

fn tokens(text: &str) -> Option<Vec<Token>> {
    let text = without_comments(text)?;
    let mut tokens = Vec::new();
    let mut rest = text.as_str();
    while let Some(char) = rest.chars().next() {
        rest = &rest[char.len_utf8()..];
        match char {
            '\n' | ';' => tokens.push(Token::End),
            '$' => rest = dollar(rest, &mut tokens)?,
            char if char.is_whitespace() => tokens.push(Token::Char(' ')),
            char => tokens.push(Token::Char(char.to_ascii_lowercase())),
        }
    }
    Some(tokens)
}

/// Comments reach to the end of their line, or from `/*` to `*/`.
fn without_comments(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['#', '/']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(inside) = rest.strip_prefix("/*") {
            rest = &inside[inside.find("*/")? + 2..];
        } else if rest.starts_with('#') || rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else {
            return None;
        }
    }
    out.push_str(rest);
    Some(out)
}

/// What a dollar sign begins; returns what is behind it.
fn dollar<'t>(rest: &'t str, tokens: &mut Vec<Token>) -> Option<&'t str> {
    if let Some(rest) = rest.strip_prefix('$') {
        tokens.push(Token::Char('$'));
        return Some(rest);
    }
    if let Some(choices) = rest.strip_prefix('(') {
        // AT&T's is the first.
        let (chosen, end) = (choices.find("$|")?, choices.find("$)")?);
        tokens.extend(self::tokens(choices.get(..chosen.min(end))?)?);
        return choices.get(end + 2..);
    }
    if let Some(inside) = rest.strip_prefix('{') {
        let (inside, rest) = inside.split_once('}')?;
        let (index, modifier) = match inside.split_once(':') {
            Some((index, modifier)) => (index, modifier.chars().next()),
            None => (inside, None),
        };
        tokens.push(Token::Operand(OperandRef { index: index.parse().ok()?, modifier }));
        return Some(rest);
    }
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let index = rest[..end].parse().ok()?;
    tokens.push(Token::Operand(OperandRef { index, modifier: None }));
    Some(&rest[end..])
}

struct Cursor<'t> {
    rest: &'t [Token],
}

impl Cursor<'_> {
    fn skip_blanks(&mut self) {
        while let [Token::Char(' '), rest @ ..] = self.rest {
            self.rest = rest;
        }
    }

    /// Takes this character if it is next.
    fn take(&mut self, char: char) -> bool {
        self.skip_blanks();
        match self.rest {
            [Token::Char(next), rest @ ..] if *next == char => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    fn end(&mut self) -> Option<()> {
        self.skip_blanks();
        self.rest.is_empty().then_some(())
    }

    /// Letters and digits; none is the empty word.
    fn word(&mut self) -> String {
        self.skip_blanks();
        let mut word = String::new();
        while let [Token::Char(char), rest @ ..] = self.rest
            && char.is_ascii_alphanumeric()
        {
            word.push(*char);
            self.rest = rest;
        }
        word
    }

    fn operands(&mut self) -> Option<Vec<Written>> {
        let mut operands = Vec::new();
        if self.end().is_some() {
            return Some(operands);
        }
        loop {
            operands.push(self.operand()?);
            if self.end().is_some() {
                return Some(operands);
            }
            self.take(',').then_some(())?;
        }
    }

    fn operand(&mut self) -> Option<Written> {
        if self.take('%') {
            return Some(Written::Register(Register::named(&self.word())?));
        }
        if self.take('$') {
            return Some(Written::Immediate(self.number()?));
        }
        let displacement = match self.operand_ref() {
            Some(operand) if !self.take('(') => return Some(Written::Operand(operand)),
            Some(operand) => Displacement::Operand(operand.index),
            None if self.take('(') => Displacement::Number(0),
            None => {
                let number = self.number()?;
                self.take('(').then_some(())?;
                Displacement::Number(number)
            }
        };
        let base = self.holder();
        let index = if self.take(',') { Some(self.holder()?) } else { None };
        let scale = if index.is_some() && self.take(',') { self.number()? } else { 1 };
        let sound = self.take(')') && matches!(scale, 1 | 2 | 4 | 8) && base.or(index).is_some();
        sound.then_some(Written::Memory { displacement, base, index, scale })
    }

    fn operand_ref(&mut self) -> Option<OperandRef> {
        self.skip_blanks();
        let [Token::Operand(operand), rest @ ..] = self.rest else { return None };
        self.rest = rest;
        Some(*operand)
    }

    fn holder(&mut self) -> Option<Holder> {
        if self.take('%') {
            return Some(Holder::Register(Register::named(&self.word())?));
        }
        Some(Holder::Operand(self.operand_ref()?.index))
    }

    /// A number, decimal, octal or hexadecimal; above 63 bits its pattern.
    fn number(&mut self) -> Option<i64> {
        let negative = self.take('-');
        let word = self.word();
        let (digits, radix) = match word.strip_prefix("0x") {
            Some(digits) => (digits, 16),
            None if word.len() > 1 && word.starts_with('0') => (&word[1..], 8),
            None => (word.as_str(), 10),
        };
        let number = u64::from_str_radix(digits, radix).ok()? as i64;
        Some(if negative { number.wrapping_neg() } else { number })
    }
}

#[cfg(test)]
mod tests {
    use super::super::register::Part;
    use super::*;

    fn operand(index: usize, modifier: Option<char>) -> Written {
        Written::Operand(OperandRef { index, modifier })
    }

    fn register(name: &str) -> Written {
        Written::Register(Register::named(name).expect("a register"))
    }

    #[test]
    fn statements_are_split_and_dialects_chosen() {
        let text = "  xchg$(q$|$)  $(%$|$)rbx,${1:q}\n  cpuid\n # nothing\n;nop;";
        let statements = parse(text).expect("sound");
        let names: Vec<_> = statements.iter().map(|s| s.mnemonic.as_str()).collect();
        assert_eq!(names, ["xchgq", "cpuid", "nop"]);
        assert_eq!(statements[0].operands, [register("rbx"), operand(1, Some('q'))]);
    }

    #[test]
    fn every_kind_of_operand() {
        let statements = parse("lock; add $$-0x10, %AL, $0 ,8($1, %rcx,4), (,$2), ${3:c}($0)");
        let statements = statements.expect("sound");
        let memory =
            |displacement, base, index, scale| Written::Memory { displacement, base, index, scale };
        let rcx = Holder::Register(Register { number: 1, part: Part::Low(64) });
        let expected = [
            Written::Immediate(-16),
            register("al"),
            operand(0, None),
            memory(Displacement::Number(8), Some(Holder::Operand(1)), Some(rcx), 4),
            memory(Displacement::Number(0), None, Some(Holder::Operand(2)), 1),
            memory(Displacement::Operand(3), Some(Holder::Operand(0)), None, 1),
        ];
        assert_eq!(statements[0].operands, expected);
    }

    #[test]
    fn a_prefix_means_nothing_before_these() {
        assert_eq!(parse("rep; nop").map(|statements| statements.len()), Some(1));
        assert_eq!(parse("rep movsb"), None);
        assert_eq!(parse("rep"), None);
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for text in [
            "1: jmp 1b",
            ".byte 0x90",
            "mov %fs:0, $0",
            "mov $$a, $0",
            "mov $0 $1",
            "mov $0,",
            "mov ${:uid}, $0",
            "mov /* ",
            "mov (%rax,%rcx,3), $0",
            "mov (), $0",
            "mov $(a, $0",
            "mov 8, $0",
            "push %rsp",
            "add${0:z} $1",
            "$",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}

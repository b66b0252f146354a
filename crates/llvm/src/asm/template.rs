//! Parser for the template of inline assembly: statements of a mnemonic and operands.
//!
//! A template is AT&T syntax with LLVM's escapes: `$0` and `${0:q}` refer to operands of
//! the call, `$$` is a dollar sign, `$(at&t$|intel$)` selects text by dialect. A template
//! with a label, directive or expression is rejected as a whole.

use super::register::Register;

/// One instruction of the template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// In lower case, with its width suffix if it has one.
    pub mnemonic: String,
    /// In AT&T order: the destination is last.
    pub operands: Vec<TemplateOperand>,
}

/// An operand of a statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TemplateOperand {
    /// `$0`, or `${0:q}`.
    Operand(OperandRef),
    /// `%rax`.
    Register(Register),
    /// `$$5`: five.
    Immediate(i64),
    /// `8(%rax,$1,4)`.
    Memory {
        /// The constant offset.
        displacement: Displacement,
        /// The base register.
        base: Option<AddressRegister>,
        /// The register multiplied by `scale`.
        index: Option<AddressRegister>,
        /// 1, 2, 4 or 8.
        scale: i64,
    },
}

/// A reference to an operand of the call.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct OperandRef {
    /// Index among the constraints.
    pub index: usize,
    /// The letter after the colon.
    pub modifier: Option<char>,
}

/// The constant offset of an address.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Displacement {
    /// A literal number of bytes.
    Number(i64),
    /// The constant operand of the call with this index.
    Operand(usize),
}

/// A register in an address.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum AddressRegister {
    /// A named register.
    Register(Register),
    /// The register of the call operand with this index.
    Operand(usize),
}

/// Parses a template; `None` if any part of it is not supported.
pub fn parse(text: &str) -> Option<Vec<Statement>> {
    let tokens = tokens(text)?;
    let mut statements = Vec::new();
    // A semicolon may separate a prefix from its instruction.
    let mut repeated = false;
    for statement in tokens.split(|token| *token == AsmToken::End) {
        let mut cursor = TokenCursor { rest: statement };
        let mut mnemonic = cursor.word();
        while matches!(mnemonic.as_str(), "lock" | "rep" | "repz" | "repe") {
            repeated |= mnemonic != "lock";
            mnemonic = cursor.word();
        }
        if mnemonic.is_empty() {
            cursor.end()?;
            continue;
        }
        // On a baseline processor, the prefix has no effect on these.
        if std::mem::take(&mut repeated) && !matches!(mnemonic.as_str(), "nop" | "bsf" | "bsr") {
            return None;
        }
        statements.push(Statement { mnemonic, operands: cursor.operands()? });
    }
    (!repeated).then_some(statements)
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum AsmToken {
    Char(char),
    Operand(OperandRef),
    /// The end of a statement.
    End,
}

fn tokens(text: &str) -> Option<Vec<AsmToken>> {
    let text = without_comments(text)?;
    let mut tokens = Vec::new();
    let mut rest = text.as_str();
    while let Some(char) = rest.chars().next() {
        rest = &rest[char.len_utf8()..];
        match char {
            '\n' | ';' => tokens.push(AsmToken::End),
            '$' => rest = dollar(rest, &mut tokens)?,
            char if char.is_whitespace() => tokens.push(AsmToken::Char(' ')),
            char => tokens.push(AsmToken::Char(char.to_ascii_lowercase())),
        }
    }
    Some(tokens)
}

/// Removes comments: to the end of the line, or from `/*` to `*/`.
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

/// Parses an escape after its dollar sign; returns the rest of the text.
fn dollar<'t>(rest: &'t str, tokens: &mut Vec<AsmToken>) -> Option<&'t str> {
    if let Some(rest) = rest.strip_prefix('$') {
        tokens.push(AsmToken::Char('$'));
        return Some(rest);
    }
    if let Some(choices) = rest.strip_prefix('(') {
        // The first alternative is AT&T syntax.
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
        tokens.push(AsmToken::Operand(OperandRef { index: index.parse().ok()?, modifier }));
        return Some(rest);
    }
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let index = rest[..end].parse().ok()?;
    tokens.push(AsmToken::Operand(OperandRef { index, modifier: None }));
    Some(&rest[end..])
}

struct TokenCursor<'t> {
    rest: &'t [AsmToken],
}

impl TokenCursor<'_> {
    fn skip_blanks(&mut self) {
        while let [AsmToken::Char(' '), rest @ ..] = self.rest {
            self.rest = rest;
        }
    }

    /// Consumes the next character if it is this one.
    fn take(&mut self, char: char) -> bool {
        self.skip_blanks();
        match self.rest {
            [AsmToken::Char(next), rest @ ..] if *next == char => {
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

    /// Consumes letters and digits, perhaps none.
    fn word(&mut self) -> String {
        self.skip_blanks();
        let mut word = String::new();
        while let [AsmToken::Char(char), rest @ ..] = self.rest
            && char.is_ascii_alphanumeric()
        {
            word.push(*char);
            self.rest = rest;
        }
        word
    }

    fn operands(&mut self) -> Option<Vec<TemplateOperand>> {
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

    fn operand(&mut self) -> Option<TemplateOperand> {
        if self.take('%') {
            return Some(TemplateOperand::Register(Register::named(&self.word())?));
        }
        if self.take('$') {
            return Some(TemplateOperand::Immediate(self.number()?));
        }
        let displacement = match self.operand_ref() {
            Some(operand) if !self.take('(') => return Some(TemplateOperand::Operand(operand)),
            Some(operand) => Displacement::Operand(operand.index),
            None if self.take('(') => Displacement::Number(0),
            None => {
                let number = self.number()?;
                self.take('(').then_some(())?;
                Displacement::Number(number)
            }
        };
        let base = self.address_register();
        let index = if self.take(',') { Some(self.address_register()?) } else { None };
        let scale = if index.is_some() && self.take(',') { self.number()? } else { 1 };
        let valid = self.take(')') && matches!(scale, 1 | 2 | 4 | 8) && base.or(index).is_some();
        valid.then_some(TemplateOperand::Memory { displacement, base, index, scale })
    }

    fn operand_ref(&mut self) -> Option<OperandRef> {
        self.skip_blanks();
        let [AsmToken::Operand(operand), rest @ ..] = self.rest else { return None };
        self.rest = rest;
        Some(*operand)
    }

    fn address_register(&mut self) -> Option<AddressRegister> {
        if self.take('%') {
            return Some(AddressRegister::Register(Register::named(&self.word())?));
        }
        Some(AddressRegister::Operand(self.operand_ref()?.index))
    }

    /// A decimal, octal or hexadecimal number of up to 64 bits.
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
    use super::super::register::RegisterPart;
    use super::*;

    fn operand(index: usize, modifier: Option<char>) -> TemplateOperand {
        TemplateOperand::Operand(OperandRef { index, modifier })
    }

    fn register(name: &str) -> TemplateOperand {
        TemplateOperand::Register(Register::named(name).expect("a register"))
    }

    #[test]
    fn statements_are_split_and_dialects_chosen() {
        let text = "  xchg$(q$|$)  $(%$|$)rbx,${1:q}\n  cpuid\n # nothing\n;nop;";
        let statements = parse(text).expect("a supported template");
        let names: Vec<_> = statements.iter().map(|s| s.mnemonic.as_str()).collect();
        assert_eq!(names, ["xchgq", "cpuid", "nop"]);
        assert_eq!(statements[0].operands, [register("rbx"), operand(1, Some('q'))]);
    }

    #[test]
    fn every_kind_of_operand() {
        let statements = parse("lock; add $$-0x10, %AL, $0 ,8($1, %rcx,4), (,$2), ${3:c}($0)");
        let statements = statements.expect("a supported template");
        let memory = |displacement, base, index, scale| TemplateOperand::Memory {
            displacement,
            base,
            index,
            scale,
        };
        let rcx = AddressRegister::Register(Register { number: 1, part: RegisterPart::Low(64) });
        let expected = [
            TemplateOperand::Immediate(-16),
            register("al"),
            operand(0, None),
            memory(Displacement::Number(8), Some(AddressRegister::Operand(1)), Some(rcx), 4),
            memory(Displacement::Number(0), None, Some(AddressRegister::Operand(2)), 1),
            memory(Displacement::Operand(3), Some(AddressRegister::Operand(0)), None, 1),
        ];
        assert_eq!(statements[0].operands, expected);
    }

    #[test]
    fn a_repeat_prefix_is_ignored_only_where_it_has_no_effect() {
        assert_eq!(parse("rep; nop").map(|statements| statements.len()), Some(1));
        assert_eq!(parse("rep movsb"), None);
        assert_eq!(parse("rep"), None);
    }

    #[test]
    fn other_syntax_is_rejected() {
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

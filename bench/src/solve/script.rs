//! Reads the SMT-LIB scripts that `byway run --log-queries` writes back into terms.
//!
//! It supports only the commands that occur in those scripts: declarations of bytes,
//! definitions without parameters, assertions of names, and comments that carry the
//! witness and the answer. Floats it does not know.

use std::collections::HashMap;

use byway_base::ExprId;
use byway_expr::{InputByte, Model, Op, Pool};

/// A logged query.
pub struct QueryScript {
    /// The conjuncts of the path.
    pub path: Vec<ExprId>,
    /// The condition asked about.
    pub asked: ExprId,
    /// The input that takes the path.
    pub witness: Option<Model>,
    /// The logged answer: satisfiable or not; `None` if it was unknown.
    pub said: Option<bool>,
}

/// Why a script is not understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ScriptError {
    /// It has floats, or no text at all.
    NotForUs,
    /// It is none of Byway's.
    Syntax(String),
}

/// Input objects are taken to be this large: a script does not say how large they are.
const OBJECT_SIZE: u32 = 1 << 24;

/// A script being read.
struct ScriptReader<'p> {
    pool: &'p mut Pool,
    names: HashMap<String, ExprId>,
    asserted: Vec<ExprId>,
    witness: Option<Model>,
    said: Option<bool>,
}

/// Reads a script.
pub fn read(pool: &mut Pool, text: &str) -> Result<QueryScript, ScriptError> {
    let mut reader = ScriptReader {
        pool,
        names: HashMap::new(),
        asserted: Vec::new(),
        witness: None,
        said: None,
    };
    for line in text.lines() {
        reader.line(line)?;
    }
    let asked = reader.asserted.pop().ok_or(ScriptError::NotForUs)?;
    let ScriptReader { asserted: path, witness, said, .. } = reader;
    Ok(QueryScript { path, asked, witness, said })
}

fn wrong(what: &str, text: &str) -> ScriptError {
    ScriptError::Syntax(format!("{what}: {text}"))
}

impl ScriptReader<'_> {
    fn line(&mut self, line: &str) -> Result<(), ScriptError> {
        if let Some(comment) = line.strip_prefix("; ") {
            return self.comment(comment);
        }
        let tokens = tokens(line);
        let mut words = Tokens { tokens: &tokens, line };
        words.expect("(")?;
        match words.next()? {
            "set-logic" if words.next()? != "QF_BV" => Err(ScriptError::NotForUs),
            "set-logic" | "check-sat" => Ok(()),
            "declare-const" => {
                let name = words.next()?.to_owned();
                let at = self.input(&name).ok_or_else(|| wrong("no byte", line))?;
                let byte = self.pool.input_byte(at.object, at.byte);
                self.names.insert(name, byte);
                Ok(())
            }
            "define-fun" => {
                let name = words.next()?.to_owned();
                words.skip_list()?;
                words.skip_list()?;
                let term = self.term(&mut words)?;
                self.names.insert(name, term);
                Ok(())
            }
            "assert" => {
                let term = self.term(&mut words)?;
                self.asserted.push(term);
                Ok(())
            }
            _ => Err(wrong("unknown command", line)),
        }
    }

    fn comment(&mut self, comment: &str) -> Result<(), ScriptError> {
        match comment.split(", ").next() {
            Some("sat") => self.said = Some(true),
            Some("unsat") => self.said = Some(false),
            _ => {}
        }
        let Some(witness) = comment.strip_prefix("witness ") else { return Ok(()) };
        let pair = witness
            .rsplit_once(' ')
            .and_then(|(name, value)| Some((self.input(name)?, value.parse().ok()?)));
        let (at, value) = pair.ok_or_else(|| wrong("no byte and value", comment))?;
        self.witness.get_or_insert_default().set_byte(at, value);
        Ok(())
    }

    /// The byte of a name like `|stdin[3]|`.
    fn input(&mut self, name: &str) -> Option<InputByte> {
        let (object, byte) = name.strip_prefix('|')?.strip_suffix("]|")?.rsplit_once('[')?;
        let byte = byte.parse().ok().filter(|&byte| byte < OBJECT_SIZE)?;
        Some(InputByte { object: self.pool.input(object, OBJECT_SIZE), byte })
    }

    fn term(&mut self, words: &mut Tokens) -> Result<ExprId, ScriptError> {
        match words.next()? {
            "(" => self.application(words),
            "true" => Ok(self.pool.boolean(true)),
            "false" => Ok(self.pool.boolean(false)),
            word if word.starts_with('#') => self.number(word),
            word => self.names.get(word).copied().ok_or_else(|| wrong("unknown name", word)),
        }
    }

    fn number(&mut self, word: &str) -> Result<ExprId, ScriptError> {
        let (digits, radix, bits) = match word.split_at(2) {
            ("#x", digits) => (digits, 16, 4),
            ("#b", digits) => (digits, 2, 1),
            _ => return Err(wrong("no number", word)),
        };
        // Longer numbers piece by piece.
        let mut number: Option<ExprId> = None;
        for piece in digits.as_bytes().chunks(16) {
            let text = String::from_utf8_lossy(piece);
            let value = u128::from_str_radix(&text, radix).map_err(|_| wrong("no number", word))?;
            let piece = self.pool.constant(bits * piece.len() as u32, value);
            number = Some(match number {
                Some(above) => self.pool.concat(above, piece),
                None => piece,
            });
        }
        number.ok_or_else(|| wrong("no number", word))
    }

    /// Parses the rest of a term after its opening parenthesis.
    fn application(&mut self, words: &mut Tokens) -> Result<ExprId, ScriptError> {
        let mut operator = words.next()?;
        let mut indices = Vec::new();
        if operator == "(" {
            words.expect("_")?;
            operator = words.next()?;
            loop {
                match words.next()? {
                    ")" => break,
                    index => {
                        indices.push(index.parse::<u32>().map_err(|_| wrong("no index", index))?);
                    }
                }
            }
        }
        let mut operands = Vec::new();
        while words.peek() != Some(")") {
            operands.push(self.term(words)?);
        }
        words.expect(")")?;
        let term = self.apply(operator, &indices, &operands);
        term.ok_or_else(|| wrong("unknown operator", operator))
    }

    fn apply(&mut self, operator: &str, indices: &[u32], operands: &[ExprId]) -> Option<ExprId> {
        let pool = &mut *self.pool;
        Some(match (operator, indices, operands) {
            ("not" | "bvnot", [], &[a]) => pool.not(a),
            ("bvneg", [], &[a]) => pool.neg(a),
            ("extract", &[high, low], &[a]) => pool.extract(a, low, high.checked_sub(low)? + 1),
            ("zero_extend", &[by], &[a]) => {
                let width = pool.width(a) + by;
                pool.zext(a, width)
            }
            ("sign_extend", &[by], &[a]) => {
                let width = pool.width(a) + by;
                pool.sext(a, width)
            }
            ("concat", [], &[a, b]) => pool.concat(a, b),
            ("ite", [], &[c, a, b]) => pool.ite(c, a, b),
            (_, [], &[a, b]) if pool.width(a) == pool.width(b) => {
                pool.binary(binary(operator)?, a, b)
            }
            _ => return None,
        })
    }
}

fn binary(operator: &str) -> Option<Op> {
    Some(match operator {
        "bvadd" => Op::Add,
        "bvsub" => Op::Sub,
        "bvmul" => Op::Mul,
        "bvudiv" => Op::UDiv,
        "bvsdiv" => Op::SDiv,
        "bvurem" => Op::URem,
        "bvsrem" => Op::SRem,
        "bvshl" => Op::Shl,
        "bvlshr" => Op::LShr,
        "bvashr" => Op::AShr,
        "and" | "bvand" => Op::And,
        "or" | "bvor" => Op::Or,
        "xor" | "bvxor" => Op::Xor,
        "=" => Op::Eq,
        "bvult" => Op::Ult,
        "bvule" => Op::Ule,
        "bvslt" => Op::Slt,
        "bvsle" => Op::Sle,
        _ => return None,
    })
}

/// The rest of a line.
struct Tokens<'a> {
    tokens: &'a [&'a str],
    line: &'a str,
}

impl<'a> Tokens<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.tokens.first().copied()
    }

    fn next(&mut self) -> Result<&'a str, ScriptError> {
        let (&first, rest) =
            self.tokens.split_first().ok_or_else(|| wrong("a line ends early", self.line))?;
        self.tokens = rest;
        Ok(first)
    }

    fn expect(&mut self, word: &str) -> Result<(), ScriptError> {
        match self.next()? == word {
            true => Ok(()),
            false => Err(wrong(&format!("no `{word}`"), self.line)),
        }
    }

    /// Skips a word, or a list of words.
    fn skip_list(&mut self) -> Result<(), ScriptError> {
        if self.next()? == "(" {
            while self.next()? != ")" {}
        }
        Ok(())
    }
}

/// The words of a line; a quoted symbol is one, with its quotes.
fn tokens(line: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '(' | ')' => 1,
            '|' => rest[1..].find('|').map_or(rest.len(), |end| end + 2),
            _ => rest.find([' ', '(', ')']).unwrap_or(rest.len()),
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;
    use byway_expr::smtlib;

    #[test]
    fn what_was_written_is_read_again() {
        let mut pool = Pool::new();
        let object = pool.input("a file (1)", OBJECT_SIZE);
        let bytes: Vec<ExprId> = (0..4).map(|at| pool.input_byte(object, at)).collect();
        let high = pool.concat(bytes[3], bytes[2]);
        let low = pool.concat(bytes[1], bytes[0]);
        let wide = pool.sext(high, 200);
        let number = pool.constant(200, 1 << 100);
        let sum = pool.add(wide, number);
        let small = pool.slt(sum, wide);
        let quotient = pool.udiv(high, low);
        let part = pool.extract(quotient, 3, 7);
        let seven = pool.constant(7, 7);
        let same = pool.eq(part, seven);
        let either = pool.or(small, same);
        let asked = pool.not(small);
        let text = smtlib::query(&mut pool, &[either, asked]).expect("there are no reads");
        let text = format!("{text}; witness |a file (1)[2]| 77\n; unsat, effort 3\n");
        let script = read(&mut pool, &text).map_err(|e| format!("{e:?}")).expect("it is ours");
        assert_eq!(script.path, [either]);
        assert_eq!(script.asked, asked);
        assert_eq!(script.said, Some(false));
        let witness = script.witness.expect("there is one");
        assert_eq!(witness.byte(InputByte { object, byte: 2 }), 77);
    }

    #[test]
    fn what_is_not_understood_is_said() {
        let mut pool = Pool::new();
        let mut trouble = |text: &str| read(&mut pool, text).err();
        assert_eq!(trouble("(set-logic QF_BVFP)"), Some(ScriptError::NotForUs));
        assert_eq!(trouble("; no text: a read"), Some(ScriptError::NotForUs));
        for text in ["(assert x)", "(assert", "(declare-const x (_ BitVec 8))", "(assert (f #b1))"]
        {
            assert!(matches!(trouble(text), Some(ScriptError::Syntax(_))), "{text}");
        }
    }

    #[test]
    fn fuzz_smtlib() {
        let seeds = [
            "(set-logic QF_BV)\n(declare-const |a[0]| (_ BitVec 8))\n(assert (= |a[0]| #x07))\n\
             (assert (bvult ((_ zero_extend 8) |a[0]|) #b0000000000000111))\n(check-sat)\n",
            "(assert (= ((_ extract 3 0) #xff) (bvadd #xf #x1)))\n; witness |a[0]| 7\n; unsat, effort 3\n",
        ];
        byway_fuzz::Fuzz::new("smtlib", seeds).run(|input| {
            match read(&mut Pool::new(), &String::from_utf8_lossy(input)) {
                Ok(script) => format!("a query, {:?}", script.said),
                Err(trouble) => format!("{trouble:?}"),
            }
        });
    }
}

//! The targets of a program and their verdicts, as its comments state them:
//!
//! ```text
//! return 1; // TARGET unreachable     a line with its verdict
//! // target: unused unreachable       a function with its verdict, before the code
//! // run: --sym-stdin 2               further options of `byway reach`; arguments of the
//!                                     program follow `--`
//! // sources: same_name/other.c       further sources, relative to the program
//! // input: 2                         bytes that the program makes symbolic itself
//! // bytes: ab\0                      values of input bytes that make a difference; all by
//!                                     default
//! ```
//!
//! Verdicts are `reached`, `unreachable` and `undecided`. The last is for a target that no input
//! reaches, where a limit or a loss keeps the search from proving that, or that lies behind a
//! fault.

use std::fmt;

/// A verdict about a target.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TargetVerdict {
    Reached,
    Unreachable,
    Undecided,
}

impl TargetVerdict {
    /// The inverse of its name.
    pub fn by_name(name: &str) -> Option<TargetVerdict> {
        [TargetVerdict::Reached, TargetVerdict::Unreachable, TargetVerdict::Undecided]
            .into_iter()
            .find(|verdict| verdict.to_string() == name)
    }
}

impl fmt::Display for TargetVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TargetVerdict::Reached => "reached",
            TargetVerdict::Unreachable => "unreachable",
            TargetVerdict::Undecided => "undecided",
        })
    }
}

/// What is known about a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ReachExpectation {
    /// Targets as `--target` takes them, with their verdicts.
    pub targets: Vec<(String, TargetVerdict)>,
    /// Options before the program.
    pub options: Vec<String>,
    /// Arguments of the program.
    pub arguments: Vec<String>,
    /// The options among the others that make input symbolic, or would make symbolic what the
    /// program itself does.
    pub symbolic: Vec<String>,
    /// The bytes of input that make a difference; all if empty.
    pub bytes: Vec<u8>,
    /// Further sources, relative to the program.
    pub sources: Vec<String>,
}

impl ReachExpectation {
    /// Reads the comments of a program; `read` gives the text of a further source.
    pub fn read(
        name: &str,
        source: &str,
        read: impl Fn(&str) -> Result<String, String>,
    ) -> Result<ReachExpectation, String> {
        let mut expectation = ReachExpectation::default();
        let head = source.lines().take_while(|line| line.starts_with("//"));
        for line in head {
            let Some((key, value)) = line[2..].trim().split_once(": ") else { continue };
            let mut words = value.split_whitespace().map(str::to_owned);
            match key {
                "target" => match (words.next(), words.next()) {
                    (Some(target), Some(verdict)) => {
                        expectation.targets.push((target, verdict_of(&verdict)?));
                    }
                    _ => return Err(format!("`{line}`: a target and its verdict")),
                },
                "run" => {
                    expectation.options.extend(words.by_ref().take_while(|word| word != "--"));
                    expectation.arguments.extend(words);
                    if value.starts_with("--sym-") {
                        expectation.symbolic.clone_from(&expectation.options);
                    }
                }
                "sources" => expectation.sources.extend(words),
                "input" => expectation.symbolic = vec!["--sym-stdin".to_owned(), value.to_owned()],
                "bytes" => expectation.bytes = unescape(value),
                _ => {}
            }
        }
        expectation.add_lines(name, source)?;
        for other in expectation.sources.clone() {
            expectation.add_lines(&other, &read(&other)?)?;
        }
        match expectation.targets.is_empty() {
            true => Err("it states no target".to_owned()),
            false => Ok(expectation),
        }
    }

    fn add_lines(&mut self, name: &str, source: &str) -> Result<(), String> {
        for (number, line) in (1..).zip(source.lines()) {
            if let Some((_, verdict)) = line.split_once("// TARGET ") {
                self.targets.push((format!("{name}:{number}"), verdict_of(verdict.trim())?));
            }
        }
        Ok(())
    }
}

/// The bytes of a text with `\\0` to `\\9` for small numbers.
fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'\\' => rest.next().unwrap_or(b'0').wrapping_sub(b'0'),
            _ => byte,
        });
    }
    bytes
}

fn verdict_of(name: &str) -> Result<TargetVerdict, String> {
    TargetVerdict::by_name(name).ok_or_else(|| format!("`{name}` is no verdict"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_read() {
        let source = "// About it.\n// run: --sym-arg 2 -- x\n// sources: d/b.c\n// bytes: a\\0\n\
                      // target: f unreachable\nint x;\n  x = 1; // TARGET reached\n";
        let other = |name: &str| {
            assert_eq!(name, "d/b.c");
            Ok("y = 1; // TARGET undecided\n".to_owned())
        };
        let found = ReachExpectation::read("a.c", source, other).expect("good comments");
        let targets: Vec<String> =
            found.targets.iter().map(|(target, verdict)| format!("{target} {verdict}")).collect();
        assert_eq!(targets, ["f unreachable", "a.c:7 reached", "d/b.c:1 undecided"]);
        assert_eq!((found.options, found.arguments), (words(&["--sym-arg", "2"]), words(&["x"])));
        assert_eq!((found.symbolic, found.bytes), (words(&["--sym-arg", "2"]), b"a\0".to_vec()));
    }

    #[test]
    fn mistakes_are_reported() {
        let read = |source: &str| ReachExpectation::read("a.c", source, |_| Ok(String::new()));
        assert!(read("int x;").is_err_and(|e| e.contains("no target")));
        assert!(read("x; // TARGET maybe").is_err_and(|e| e.contains("`maybe`")));
        assert!(read("// target: f\n").is_err_and(|e| e.contains("// target: f")));
    }

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|&word| word.to_owned()).collect()
    }
}

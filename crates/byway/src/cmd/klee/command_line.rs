//! KLEE's command line, in the syntax of LLVM's tools: options with one dash or two, values after
//! `=` or in the next word, `@FILE` for further words; the program ends the options.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use byway_base::spelling;

use super::options::{self, KleeValue, KnownOption};
use crate::failure::{Failure, Result};

/// How deep `@FILE`s may refer to others.
const MOST_NESTED_FILES: usize = 20;

/// The words after `klee`.
#[derive(Debug)]
pub enum KleeCommandLine {
    Help,
    Version,
    Explore(KleeArguments),
}

/// A command line that names a program.
#[derive(Default, Debug)]
pub struct KleeArguments {
    /// The options in their order, with their values.
    pub options: Vec<(&'static KnownOption, OsString)>,
    /// The program; `-` is standard input.
    pub program: OsString,
    /// The program's own arguments.
    pub arguments: Vec<OsString>,
}

impl KleeCommandLine {
    pub fn parse(words: Vec<OsString>) -> Result<KleeCommandLine> {
        let mut words = expand(words, 0)?.into_iter();
        let mut parsed = KleeArguments::default();
        let mut program = None;
        while let Some(word) = words.next() {
            let Some((name, value)) = split(&word) else {
                program = Some(word);
                break;
            };
            match name {
                b"" => {
                    // `--` ends the options.
                    program = words.next();
                    break;
                }
                b"help" | b"help-hidden" | b"help-list" | b"help-list-hidden" | b"h" => {
                    return Ok(KleeCommandLine::Help);
                }
                b"version" => return Ok(KleeCommandLine::Version),
                _ => {}
            }
            let option = known(name)?;
            let value = match (option.value, value) {
                (KleeValue::Flag | KleeValue::Optional, None) => "true".into(),
                (_, Some(value)) => value.to_os_string(),
                (KleeValue::Text, None) => words.next().ok_or_else(|| {
                    Failure::new(format!("the option --{} needs a value", option.name))
                })?,
            };
            if option.value == KleeValue::Flag {
                flag(option.name, &value)?;
            }
            parsed.options.push((option, value));
        }
        parsed.program = program.unwrap_or_else(|| "-".into());
        parsed.arguments = words.collect();
        Ok(KleeCommandLine::Explore(parsed))
    }
}

impl KleeArguments {
    /// The last value of an option.
    pub fn value(&self, name: &str) -> Option<&OsStr> {
        let mut named = self.options.iter().rev().filter(|(option, _)| option.name == name);
        named.next().map(|(_, value)| value.as_os_str())
    }

    /// All values of an option.
    pub fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a OsStr> {
        let named = self.options.iter().filter(move |(option, _)| option.name == name);
        named.map(|(_, value)| value.as_os_str())
    }

    /// The values of several options, in the order in which they were given.
    pub fn values_of(&self, names: &[&str]) -> Vec<PathBuf> {
        let named = self.options.iter().filter(|(option, _)| names.contains(&option.name));
        named.map(|(_, value)| PathBuf::from(value)).collect()
    }

    /// Whether a flag is set.
    pub fn flag(&self, name: &str, default: bool) -> bool {
        let set = self.value(name).map(|value| flag(name, value));
        set.and_then(Result::ok).unwrap_or(default)
    }
}

/// The value of a flag.
fn flag(name: &str, value: &OsStr) -> Result<bool> {
    match value.as_bytes() {
        b"" | b"true" | b"TRUE" | b"True" | b"1" => Ok(true),
        b"false" | b"FALSE" | b"False" | b"0" => Ok(false),
        _ => {
            let shown = value.display();
            Err(Failure::new(format!("'{shown}' is no value of --{name}"))
                .hint("use true or false"))
        }
    }
}

/// The name of an option, and what follows `=`; `None` for a word that is no option.
fn split(word: &OsStr) -> Option<(&[u8], Option<&OsStr>)> {
    let bytes = word.as_bytes();
    let name = bytes.strip_prefix(b"-").filter(|rest| !rest.is_empty())?;
    let name = name.strip_prefix(b"-").unwrap_or(name);
    match name.iter().position(|&byte| byte == b'=') {
        Some(at) => Some((&name[..at], Some(OsStr::from_bytes(&name[at + 1..])))),
        None => Some((name, None)),
    }
}

fn known(name: &[u8]) -> Result<&'static KnownOption> {
    let text = String::from_utf8_lossy(name);
    options::find(&text).ok_or_else(|| {
        let failure = Failure::new(format!("unknown command line argument '--{text}'"));
        match spelling::closest(&text, options::names()) {
            Some(close) => failure.hint(format!("did you mean '--{close}'?")),
            None => failure.hint("'klee --help' lists the options"),
        }
    })
}

/// Replaces each `@FILE` by the words of the file. A name of no file stays, as LLVM's tools have it.
fn expand(words: Vec<OsString>, depth: usize) -> Result<Vec<OsString>> {
    let mut all = Vec::new();
    for word in words {
        let file = word.as_bytes().strip_prefix(b"@").filter(|name| !name.is_empty());
        let file = file.map(|name| Path::new(OsStr::from_bytes(name))).filter(|it| it.is_file());
        let Some(file) = file else {
            all.push(word);
            continue;
        };
        if depth == MOST_NESTED_FILES {
            let shown = file.display();
            return Err(Failure::new(format!("'@{shown}': files refer to each other too deeply")));
        }
        let text = std::fs::read(file).map_err(|error| Failure::io("read", file, &error))?;
        let words = shlex::bytes::split(&text)
            .ok_or_else(|| Failure::new(format!("'{}' has an unclosed quote", file.display())))?;
        all.extend(expand(words.into_iter().map(OsString::from_vec).collect(), depth + 1)?);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<KleeArguments> {
        match KleeCommandLine::parse(words.iter().map(OsString::from).collect())? {
            KleeCommandLine::Explore(parsed) => Ok(parsed),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn all_of_llvms_forms_are_read() {
        let parsed = parse(&[
            "-max-time=60s",
            "--search",
            "dfs",
            "-emit-all-errors",
            "--search=bfs",
            "a.bc",
        ])
        .expect("good words");
        assert_eq!(parsed.value("max-time"), Some(OsStr::new("60s")));
        assert_eq!(parsed.values("search").collect::<Vec<_>>(), ["dfs", "bfs"]);
        assert!(parsed.flag("emit-all-errors", false) && !parsed.flag("optimize", false));
        assert!(parsed.flag("output-stats", true));
        let parsed = parse(&["--dump-states-on-halt", "a.bc"]).expect("good words");
        assert_eq!(parsed.value("dump-states-on-halt"), Some(OsStr::new("true")));
        assert_eq!(parsed.program, "a.bc");
        assert!(!parse(&["--output-stats=0", "a.bc"]).expect("good").flag("output-stats", true));
    }

    #[test]
    fn the_program_ends_the_options() {
        let parsed = parse(&["--optimize", "a.bc", "--optimize", "-sym-arg", "3", "@x"]);
        let parsed = parsed.expect("good words");
        assert_eq!(parsed.program, "a.bc");
        assert_eq!(parsed.arguments, ["--optimize", "-sym-arg", "3", "@x"]);
        assert_eq!(parse(&[]).expect("standard input").program, "-");
        assert_eq!(parse(&["-", "x"]).expect("standard input").arguments, ["x"]);
        assert_eq!(parse(&["--", "-x.bc"]).expect("a program").program, "-x.bc");
    }

    #[test]
    fn words_come_from_files() {
        let dir = tempfile::TempDir::new().expect("a directory");
        let [outer, inner] = ["outer", "inner"].map(|name| dir.path().join(name));
        std::fs::write(&inner, "--max-time=5s 'a b.bc'").expect("a file");
        std::fs::write(&outer, format!("--optimize\n@{}", inner.display())).expect("a file");
        let parsed = parse(&[&format!("@{}", outer.display()), "x"]).expect("good words");
        assert_eq!((parsed.program, parsed.options.len()), ("a b.bc".into(), 2));
        std::fs::write(&inner, format!("@{}", inner.display())).expect("a file");
        let endless = parse(&[&format!("@{}", inner.display())]).expect_err("no end");
        assert!(endless.to_string().contains("too deeply"), "{endless}");
        std::fs::write(&inner, "'open").expect("a file");
        assert!(parse(&[&format!("@{}", inner.display())]).is_err());
    }

    #[test]
    fn mistakes_are_named() {
        let error = |words: &[&str]| parse(words).expect_err("bad words").to_string();
        assert!(error(&["--max-tme=3s", "a.bc"]).contains("did you mean '--max-time'?"));
        assert!(error(&["--search"]).contains("--search needs a value"));
        assert!(error(&["--optimize=maybe", "a.bc"]).contains("'maybe' is no value of --optimize"));
    }

    #[test]
    fn help_and_version_need_no_program() {
        let parse = |word: &str| KleeCommandLine::parse(vec![word.into()]).expect("good");
        assert!(matches!(parse("-help"), KleeCommandLine::Help));
        assert!(matches!(parse("--version"), KleeCommandLine::Version));
    }
}

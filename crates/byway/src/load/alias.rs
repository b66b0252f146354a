//! `--alias`: a function that is called instead of another.

use byway_base::spelling;
use byway_ir::{FuncId, Module};

use crate::failure::{Failure, Result};
use crate::hash::{Digest, Fingerprint};

/// A function, and the one that is called instead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionAlias {
    name: String,
    other: String,
}

impl FunctionAlias {
    /// Parses `NAME:OTHER`.
    pub fn parse(text: &str) -> std::result::Result<FunctionAlias, String> {
        match text.split_once(':') {
            Some((name, other)) if !name.is_empty() && !other.is_empty() => {
                Ok(FunctionAlias { name: name.into(), other: other.into() })
            }
            _ => Err("write NAME:OTHER, the names of two functions".into()),
        }
    }
}

impl std::fmt::Display for FunctionAlias {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.name, self.other)
    }
}

/// Replaces the functions of a program.
pub fn apply(aliases: &[FunctionAlias], module: &mut Module) -> Result<()> {
    for alias in aliases {
        let other = find(module, &alias.other)?;
        if module.funcs[other].is_declaration() {
            return Err(Failure::new(format!("'--alias {alias}': '{}' has no body", alias.other))
                .hint("give the file that defines it, too"));
        }
        let name = find(module, &alias.name)?;
        module.redirect(name, other);
        if alias.name == "main" && module.funcs[name].is_declaration() {
            // What looks for the program's start finds a body.
            let body = module.funcs[other].clone();
            module.funcs[name] = byway_ir::Function { name: alias.name.clone(), ..body };
        }
    }
    Ok(())
}

/// The digest of a program with these aliases.
pub fn digest(aliases: &[FunctionAlias], program: Digest) -> Digest {
    let mut all = Fingerprint::new();
    all.digest(program);
    aliases.iter().for_each(|alias| all.bytes(alias.to_string().as_bytes()));
    all.finish()
}

fn find(module: &Module, name: &str) -> Result<FuncId> {
    module.func_by_name(name).ok_or_else(|| {
        let failure = Failure::new(format!("the program has no function '{name}'"));
        let names = module.funcs.values().map(|function| function.name.as_str());
        match spelling::closest(name, names) {
            Some(close) => failure.hint(format!("did you mean '{close}'?")),
            None => failure,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alias_names_two_functions() {
        let alias = FunctionAlias::parse("main:test").expect("two names");
        assert_eq!(alias.to_string(), "main:test");
        assert!(FunctionAlias::parse("main").is_err() && FunctionAlias::parse(":x").is_err());
    }

    #[test]
    fn aliases_are_part_of_the_digest() {
        let alias = |text| vec![FunctionAlias::parse(text).expect("two names")];
        let program = Digest::of(b"program");
        let shown = |text| digest(&alias(text), program).to_string();
        assert_eq!(shown("a:b"), shown("a:b"));
        assert_ne!(shown("a:b"), shown("a:c"));
    }
}

//! `${NAME}` in an experiment, for paths that differ between machines.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Looks up the value of a name.
type LookUp<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The values of variables. The command line takes precedence over the environment, and that
/// over the experiment's own defaults.
#[derive(Default)]
pub struct Variables<'a> {
    /// Set on the command line.
    pub set: BTreeMap<String, String>,
    /// Looks a name up in the environment.
    pub environment: Option<LookUp<'a>>,
    /// Defaults in the experiment.
    pub defaults: BTreeMap<String, String>,
    /// Names looked up so far.
    pub used: RefCell<BTreeSet<String>>,
}

impl Variables<'_> {
    fn get(&self, name: &str) -> Option<String> {
        self.used.borrow_mut().insert(name.to_string());
        let set = self.set.get(name).cloned();
        let environment = || self.environment.and_then(|look_up| look_up(name));
        set.or_else(environment).or_else(|| self.defaults.get(name).cloned())
    }

    /// Names set on the command line that were never looked up.
    pub fn unused(&self) -> Vec<&str> {
        let used = self.used.borrow();
        let names = self.set.keys().map(String::as_str);
        names.filter(|name| !used.contains(*name)).collect()
    }

    /// Replaces every `${NAME}`; the error is a message. `here` is the value of `${name}`, the
    /// name of the current program.
    pub fn expand(&self, text: &str, here: Option<&str>) -> Result<String, String> {
        let mut out = String::new();
        let mut rest = text;
        while let Some(start) = rest.find("${") {
            out.push_str(&rest[..start]);
            let Some(length) = rest[start + 2..].find('}') else {
                return Err("'${' is not closed by '}'".into());
            };
            let name = &rest[start + 2..start + 2 + length];
            let value = match (name, here) {
                ("name", Some(here)) => Some(here.to_string()),
                _ => self.get(name),
            };
            out.push_str(&value.ok_or_else(|| {
                format!("the variable '{name}' is not set: give --set {name}=VALUE, or set it in the environment")
            })?);
            rest = &rest[start + 2 + length + 1..];
        }
        out.push_str(rest);
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_looked_up_in_order_of_precedence() {
        let pairs = |pairs: &[(&str, &str)]| {
            pairs.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect()
        };
        let environment = |name: &str| (name != "D" && name != "E").then(|| format!("env-{name}"));
        let variables = Variables {
            set: pairs(&[("A", "set"), ("F", "never")]),
            environment: Some(&environment),
            defaults: pairs(&[("A", "no"), ("B", "no"), ("D", "default")]),
            ..Variables::default()
        };
        let expand = |text| variables.expand(text, Some("cut"));
        assert_eq!(expand("${A}/x/${B}${D}$").as_deref(), Ok("set/x/env-Bdefault$"));
        assert_eq!(expand("${name}.bc").as_deref(), Ok("cut.bc"));
        assert!(expand("${E}").is_err_and(|why| why.contains("'E' is not set")));
        assert!(expand("a ${E").is_err_and(|why| why.contains("not closed")));
        assert_eq!(variables.unused(), ["F"]);
    }
}

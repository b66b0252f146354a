//! The command line, taken apart by name: each command asks for the options it
//! knows, and what is left over at the end is an error.

use std::str::FromStr;

/// The arguments not yet asked for.
pub struct Options(Vec<String>);

impl Options {
    /// Takes the arguments after the command's name.
    pub fn new(args: Vec<String>) -> Self {
        Options(args)
    }

    /// Whether a flag is given.
    pub fn flag(&mut self, name: &str) -> bool {
        let before = self.0.len();
        self.0.retain(|arg| arg != name);
        self.0.len() != before
    }

    /// The value of an option, written `--name value` or `--name=value`.
    pub fn text(&mut self, name: &str) -> Result<Option<String>, String> {
        let with_value = format!("{name}=");
        let Some(at) = self.0.iter().position(|arg| arg == name || arg.starts_with(&with_value))
        else {
            return Ok(None);
        };
        let arg = self.0.remove(at);
        if let Some(value) = arg.strip_prefix(&with_value) {
            return Ok(Some(value.to_owned()));
        }
        if at == self.0.len() {
            return Err(format!("{name} needs a value; try --help"));
        }
        Ok(Some(self.0.remove(at)))
    }

    /// The value of an option, of any type that can be read from text.
    pub fn value<T: FromStr>(&mut self, name: &str) -> Result<Option<T>, String> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        match text.parse() {
            Ok(value) => Ok(Some(value)),
            Err(_) => Err(format!("{name}: `{text}` is not what it takes; try --help")),
        }
    }

    /// All options have been asked for: what is left are names.
    pub fn rest(self) -> Result<Vec<String>, String> {
        match self.0.iter().find(|arg| arg.starts_with('-')) {
            None => Ok(self.0),
            Some(arg) => Err(format!("unknown argument `{arg}`; try --help")),
        }
    }

    /// All options have been asked for: whatever is left is a mistake.
    pub fn finish(self) -> Result<(), String> {
        match self.0.first() {
            None => Ok(()),
            Some(arg) => Err(format!("unknown argument `{arg}`; try --help")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(line: &str) -> Options {
        Options::new(line.split_whitespace().map(str::to_owned).collect())
    }

    #[test]
    fn both_ways_of_writing_a_value() {
        let mut o = options("--jobs 3 --filter=x --quick");
        assert_eq!(o.value("--jobs"), Ok(Some(3)));
        assert_eq!(o.text("--filter"), Ok(Some("x".to_owned())));
        assert!(o.flag("--quick"));
        assert_eq!(o.finish(), Ok(()));
    }

    #[test]
    fn mistakes_are_named() {
        assert!(options("--job 3").finish().is_err_and(|e| e.contains("--job")));
        assert!(options("--jobs").value::<u32>("--jobs").is_err());
        assert!(options("--jobs many").value::<u32>("--jobs").is_err_and(|e| e.contains("many")));
    }
}

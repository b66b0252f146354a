//! Compiles a source to bitcode for exploration, with the options of the build that matter.

use std::path::Path;
use std::process::Stdio;
use std::{fs, io};

use byway_embed::EmbeddedContent;

use super::line::{CompilerLine, CompilerSource};
use super::{CompilerDriver, clang};
use crate::load;

/// The text of a source that is standard input.
pub type SourceInput<'a> = Option<&'a [u8]>;

/// Compiles the sources of a command line.
pub struct BitcodeCompiler<'a> {
    pub clang: &'a Path,
    pub driver: CompilerDriver,
    pub line: &'a CompilerLine,
    /// The user's options for bitcode alone.
    pub options: &'a [String],
    pub scratch: &'a Path,
    pub directory: &'a Path,
}

impl BitcodeCompiler<'_> {
    /// The bitcode of a source, or why there is none.
    pub fn content(&self, source: &CompilerSource, input: SourceInput) -> EmbeddedContent {
        if source.is_assembly {
            return EmbeddedContent::Missing("it is assembly".into());
        }
        self.compile(source, input).unwrap_or_else(EmbeddedContent::Missing)
    }

    fn compile(
        &self,
        source: &CompilerSource,
        input: SourceInput,
    ) -> Result<EmbeddedContent, String> {
        let failed = |error: &io::Error| format!("clang does not run: {error}");
        let (bitcode, messages) = (self.scratch.join("source.bc"), self.scratch.join("messages"));
        let log = fs::File::create(&messages).map_err(|error| failed(&error))?;
        let mut command = clang(self.clang, self.driver);
        command.args(&self.line.options);
        command.args(load::exploration_options());
        if self.line.optimises {
            command.args(load::OF_OPTIMISED_BUILD);
        }
        // The build has shown the warnings.
        command.args(["-w", "-Qunused-arguments", "-fno-color-diagnostics"]);
        command.args(self.options).arg("-o").arg(&bitcode);
        if let Some(language) = &source.language {
            command.arg("-x").arg(language);
        }
        command.args(if source.path == "-" { None } else { Some("--") }).arg(&source.path);
        // With them, clang appends to files that the build reads.
        command.env_remove("DEPENDENCIES_OUTPUT").env_remove("SUNPRO_DEPENDENCIES");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        let status = super::run_with_input(&mut command, input.filter(|_| source.path == "-"))
            .map_err(|error| failed(&error))?;
        if !status.success() {
            let text = fs::read(&messages).unwrap_or_default();
            return Err(first_error(&String::from_utf8_lossy(&text)));
        }
        let bytes = fs::read(&bitcode).map_err(|error| failed(&error))?;
        let _ = fs::remove_file(&bitcode);
        Ok(EmbeddedContent::Bitcode(bytes))
    }
}

/// What clang says first about why it failed.
fn first_error(messages: &str) -> String {
    let first = messages.lines().find(|line| line.contains("error:")).or(messages.lines().next());
    first.map_or_else(|| "clang failed".to_string(), |line| format!("clang: {line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_is_the_reason() {
        assert_eq!(first_error("note: x\na.c:1: error: no\nerror: y"), "clang: a.c:1: error: no");
        assert_eq!(first_error(""), "clang failed");
    }
}

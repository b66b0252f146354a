//! The resolved options of `byway extract`.

use std::path::{Path, PathBuf};

use super::flags::ExtractFlags;
use crate::failure::Result;
use crate::load::{LoadConfig, LoadFlags};

pub struct ExtractConfig {
    pub program: PathBuf,
    pub output: PathBuf,
    /// How the result is loaded, to see what it lacks.
    pub load: LoadConfig,
}

impl ExtractConfig {
    /// Resolves what was typed.
    pub fn resolve(flags: ExtractFlags) -> Result<Self> {
        let output = flags.output.unwrap_or_else(|| default_output(&flags.program));
        let load = LoadConfig::resolve(LoadFlags {
            program: vec![output.clone()],
            include: Vec::new(),
            define: Vec::new(),
            optimise: "0".into(),
            cflags: Vec::new(),
            alias: Vec::new(),
            runtime: flags.runtime,
            no_cache: flags.no_cache,
            load_timeout: flags.load_timeout,
            color: flags.color,
        })?;
        Ok(ExtractConfig { program: flags.program, output, load })
    }
}

/// `PROGRAM.bc`, and `libX.bc.a` for `libX.a`.
fn default_output(program: &Path) -> PathBuf {
    if program.extension().is_some_and(|extension| extension == "a") {
        return program.with_extension("bc.a");
    }
    let mut name = program.as_os_str().to_owned();
    name.push(".bc");
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_stays_an_archive() {
        assert_eq!(default_output(Path::new("b/libz.a")), Path::new("b/libz.bc.a"));
        assert_eq!(default_output(Path::new("b/libz.so.1")), Path::new("b/libz.so.1.bc"));
        assert_eq!(default_output(Path::new("grep")), Path::new("grep.bc"));
    }
}

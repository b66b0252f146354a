//! Builds the program with the user's commands, for runs of bitcode. A source is compiled as a
//! copy that names the original by `#line`.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use byway_native::child::{self, ChildEnding, ChildLimits};

use super::{ChangedFile, MakeResult, ParseSpec, ProgramBuilder};
use crate::failure::{Failure, Result, reason};
use crate::interrupt;
use crate::native_coverage::build::{self, InstrumentedProgram};

/// The limit on collected output of a tool in bytes.
const MAX_OUTPUT: usize = 1 << 16;

/// Command templates with the placeholders `{source}`, `{object}` and `{program}`.
#[derive(Clone, Debug)]
pub struct BuildCommands {
    pub sources: Vec<PathBuf>,
    /// Compiles `{source}` to `{object}`.
    pub compile: Vec<String>,
    /// Links all objects, `{object}`, to `{program}`.
    pub link: Vec<String>,
}

/// Builds with commands.
pub struct CommandBuilder<'a> {
    commands: &'a BuildCommands,
    objects: Vec<PathBuf>,
    clang: OsString,
    time_limit: Duration,
}

impl<'a> CommandBuilder<'a> {
    /// Compiles all sources in `dir`, which must exist as long as the builder is used.
    pub fn prepare(
        commands: &'a BuildCommands,
        clang: OsString,
        time_limit: Duration,
        dir: &Path,
    ) -> Result<Self> {
        for (template, option, placeholders) in [
            (&commands.compile, "--compile", ["{source}", "{object}"]),
            (&commands.link, "--link", ["{object}", "{program}"]),
        ] {
            for placeholder in placeholders {
                if !template.iter().any(|word| word.contains(placeholder)) {
                    return Err(Failure::new(format!("{option} lacks {placeholder}")).hint(
                        "--compile 'gcc -O1 -c {source} -o {object}', \
                               --link 'gcc {object} -o {program}'",
                    ));
                }
            }
        }
        let mut builder = CommandBuilder { commands, objects: Vec::new(), clang, time_limit };
        for (unit, source) in commands.sources.iter().enumerate() {
            let text = fs::read(source).map_err(|error| Failure::io("read", source, &error))?;
            let object = dir.join(format!("{unit}.o"));
            let dir = dir.join(unit.to_string());
            fs::create_dir_all(&dir).map_err(|error| Failure::io("make", &dir, &error))?;
            let change = ChangedFile { names: &[], text: &text, dir: &dir };
            builder.compile(unit, &change, &object)?.or_fail()?;
            builder.objects.push(object);
        }
        Ok(builder)
    }

    fn run(&self, words: Vec<OsString>, what: impl Fn() -> String) -> Result<MakeResult> {
        let Some((program, arguments)) = words.split_first() else {
            return Err(Failure::new("a command is empty"));
        };
        let mut command = Command::new(program);
        // Errors of the machine are recognised by their English messages.
        command.args(arguments).env("LANGUAGE", "C");
        let limits = ChildLimits { time: self.time_limit, output: MAX_OUTPUT };
        let finished = child::run(&mut command, limits, &mut |_| !interrupt::requested());
        let finished = finished.map_err(|error| {
            Failure::new(format!("cannot run '{}': {}", program.display(), reason(&error)))
        })?;
        let words = || String::from_utf8_lossy(&finished.stderr).into_owned();
        match finished.ending {
            ChildEnding::Stopped => Err(Failure::interrupted()),
            ChildEnding::Exited(status) if status.success() => Ok(MakeResult::Done),
            ChildEnding::Exited(_) if finished.is_rejection() => {
                Ok(MakeResult::Rejected(what(), words()))
            }
            ChildEnding::Exited(status) => {
                Err(Failure::new(format!("{} ({status})", what())).detail(words()))
            }
            ChildEnding::TimedOut => {
                let seconds = self.time_limit.as_secs();
                Ok(MakeResult::TimedOut(format!("{}: it took more than {seconds} s", what())))
            }
        }
    }

    fn compile_file(&self, source: &Path, object: &Path, extra: &[&str]) -> Result<MakeResult> {
        let placeholders = [("{source}", &[source][..]), ("{object}", &[object])];
        let mut words = fill(&self.commands.compile, &placeholders);
        // Without debug information, so that objects with equal code are equal.
        words.extend(["-g0"].iter().chain(extra).map(OsString::from));
        self.run(words, || format!("'{}' does not compile with --compile", source.display()))
    }

    fn link_with(&self, objects: &[PathBuf], program: &Path, extra: &[&str]) -> Result<MakeResult> {
        let objects: Vec<&Path> = objects.iter().map(PathBuf::as_path).collect();
        let mut words =
            fill(&self.commands.link, &[("{object}", &objects[..]), ("{program}", &[program])]);
        words.extend(extra.iter().map(OsString::from));
        self.run(words, || "the program does not link with --link".into())
    }
}

impl ProgramBuilder for CommandBuilder<'_> {
    fn units(&self) -> Vec<usize> {
        (0..self.commands.sources.len()).collect()
    }

    fn objects(&self) -> &[PathBuf] {
        &self.objects
    }

    fn parse_spec(&self, unit: usize) -> ParseSpec {
        ParseSpec {
            source: self.commands.sources[unit].clone(),
            directory: PathBuf::from("."),
            options: parse_options(&self.commands.compile),
            headers: false,
        }
    }

    fn compile(&self, unit: usize, change: &ChangedFile<'_>, object: &Path) -> Result<MakeResult> {
        let source = &self.commands.sources[unit];
        let copy = change.dir.join(source.file_name().unwrap_or(OsStr::new("source.c")));
        let name = source.display().to_string().replace('\\', "\\\\").replace('"', "\\\"");
        let text = [format!("#line 1 \"{name}\"\n").as_bytes(), change.text].concat();
        fs::write(&copy, text).map_err(|error| Failure::io("write", &copy, &error))?;
        self.compile_file(&copy, object, &[])
    }

    fn link(&self, objects: &[PathBuf], program: &Path) -> Result<MakeResult> {
        self.link_with(objects, program, &[])
    }

    fn build_instrumented(&self, dir: &Path) -> Result<InstrumentedProgram> {
        let mut objects = Vec::new();
        for (unit, source) in self.commands.sources.iter().enumerate() {
            let object = dir.join(format!("{unit}.o"));
            self.compile_file(source, &object, &["-O0", "--coverage"])?.or_fail()?;
            objects.push(object);
        }
        let program = dir.join("program");
        self.link_with(&objects, &program, &["--coverage"])?.or_fail()?;
        let built = build::prebuilt(&program, &self.clang, self.time_limit, dir)?;
        Ok(InstrumentedProgram {
            notes: dir.into(),
            how: "--compile and --coverage".into(),
            ..built
        })
    }

    fn describe(&self) -> String {
        let name = self.commands.compile.first().map_or("", String::as_str);
        let level = self.commands.compile.iter().rev().find(|word| word.starts_with("-O"));
        format!("{name} {}", level.map_or("-O0", String::as_str))
    }
}

/// Replaces the placeholders of a template. A word that is a placeholder becomes one word per
/// file.
fn fill(template: &[String], placeholders: &[(&str, &[&Path])]) -> Vec<OsString> {
    let word = |word: &String| -> Vec<OsString> {
        if let Some((_, files)) = placeholders.iter().find(|(placeholder, _)| word == placeholder) {
            return files.iter().map(OsString::from).collect();
        }
        let mut text = word.clone();
        for (placeholder, files) in placeholders {
            let names = files.iter().map(|file| file.display().to_string());
            text = text.replace(placeholder, &names.collect::<Vec<_>>().join(" "));
        }
        vec![text.into()]
    };
    template.iter().flat_map(word).collect()
}

/// The options of a compile command that affect parsing and have the same meaning in clang.
fn parse_options(compile: &[String]) -> Vec<OsString> {
    let mut options = Vec::new();
    let mut words = compile.iter().skip(1).filter(|word| !word.contains('{'));
    while let Some(word) = words.next() {
        let apart = ["-I", "-D", "-U", "-isystem", "-iquote", "-idirafter", "-include", "-imacros"];
        let joined =
            ["-I", "-D", "-U", "-std=", "-isystem", "-iquote", "-nostdinc", "-ansi", "-m32"];
        if apart.contains(&word.as_str()) {
            options.push(word.into());
            options.extend(words.next().map(OsString::from));
        } else if joined.iter().any(|start| word.starts_with(start)) {
            options.push(word.into());
        }
    }
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_string).collect()
    }

    #[test]
    fn placeholders_are_replaced_by_files() {
        let (a, b) = (Path::new("a b.o"), Path::new("c.o"));
        let filled = fill(
            &words("ld {object} -o {program} -Map={program}.map"),
            &[("{object}", &[a, b][..]), ("{program}", &[Path::new("p")])],
        );
        assert_eq!(filled, ["ld", "a b.o", "c.o", "-o", "p", "-Map=p.map"]);
    }

    #[test]
    fn options_that_affect_parsing_are_kept() {
        let command =
            words("gcc -O2 -fno-gcse -I lib -Isrc -DX=1 -std=gnu99 -c {source} -o {object}");
        let options = parse_options(&command);
        assert_eq!(options, ["-I", "lib", "-Isrc", "-DX=1", "-std=gnu99"]);
    }
}

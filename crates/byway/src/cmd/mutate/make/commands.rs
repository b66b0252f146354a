//! The program made by commands of the user's, for programs that Byway knows as bitcode
//! only. A source is compiled as a copy, which says by `#line` whose copy it is.

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

/// What a tool says beyond this is not kept.
const MAX_WORDS: usize = 1 << 16;

/// Commands in which `{source}`, `{object}` and `{program}` stand for files.
#[derive(Clone, Debug)]
pub struct BuildCommands {
    /// The sources.
    pub sources: Vec<PathBuf>,
    /// Compiles `{source}` to `{object}`.
    pub compile: Vec<String>,
    /// Links `{object}`, which are all objects, to `{program}`.
    pub link: Vec<String>,
}

/// The program made by commands.
pub struct CommandBuilder<'a> {
    templates: &'a BuildCommands,
    objects: Vec<PathBuf>,
    clang: OsString,
    time_limit: Duration,
}

impl<'a> CommandBuilder<'a> {
    /// Compiles all sources as they are, in a directory that has to live as long as this.
    pub fn prepare(
        templates: &'a BuildCommands,
        clang: OsString,
        time_limit: Duration,
        dir: &Path,
    ) -> Result<Self> {
        for (template, option, places) in [
            (&templates.compile, "--compile", ["{source}", "{object}"]),
            (&templates.link, "--link", ["{object}", "{program}"]),
        ] {
            for place in places {
                if !template.iter().any(|word| word.contains(place)) {
                    return Err(Failure::new(format!("{option} does not say where {place} goes"))
                        .hint(
                            "--compile 'gcc -O1 -c {source} -o {object}', \
                               --link 'gcc {object} -o {program}'",
                        ));
                }
            }
        }
        let mut commands = CommandBuilder { templates, objects: Vec::new(), clang, time_limit };
        for (unit, source) in templates.sources.iter().enumerate() {
            let text = fs::read(source).map_err(|error| Failure::io("read", source, &error))?;
            let object = dir.join(format!("{unit}.o"));
            let dir = dir.join(unit.to_string());
            fs::create_dir_all(&dir).map_err(|error| Failure::io("make", &dir, &error))?;
            let change = ChangedFile { names: &[], text: &text, dir: &dir };
            commands.compile(unit, &change, &object)?.or_fail()?;
            commands.objects.push(object);
        }
        Ok(commands)
    }

    fn run(&self, words: Vec<OsString>, what: impl Fn() -> String) -> Result<MakeResult> {
        let Some((program, arguments)) = words.split_first() else {
            return Err(Failure::new("a command is empty"));
        };
        let mut command = Command::new(program);
        // So that its words are those that are looked for.
        command.args(arguments).env("LANGUAGE", "C");
        let limits = ChildLimits { time: self.time_limit, output: MAX_WORDS };
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
                Ok(MakeResult::TimedOut(format!("{}: it took over {seconds} s", what())))
            }
        }
    }

    fn compile_file(&self, source: &Path, object: &Path, more: &[&str]) -> Result<MakeResult> {
        let places = [("{source}", &[source][..]), ("{object}", &[object])];
        let mut words = fill(&self.templates.compile, &places);
        // An object tells of nothing but its code.
        words.extend(["-g0"].iter().chain(more).map(OsString::from));
        self.run(words, || format!("'{}' does not compile by --compile", source.display()))
    }

    fn link_with(&self, objects: &[PathBuf], program: &Path, more: &[&str]) -> Result<MakeResult> {
        let objects: Vec<&Path> = objects.iter().map(PathBuf::as_path).collect();
        let mut words =
            fill(&self.templates.link, &[("{object}", &objects[..]), ("{program}", &[program])]);
        words.extend(more.iter().map(OsString::from));
        self.run(words, || "the program does not link by --link".into())
    }
}

impl ProgramBuilder for CommandBuilder<'_> {
    fn units(&self) -> Vec<usize> {
        (0..self.templates.sources.len()).collect()
    }

    fn objects(&self) -> &[PathBuf] {
        &self.objects
    }

    fn reading(&self, unit: usize) -> ParseSpec {
        ParseSpec {
            source: self.templates.sources[unit].clone(),
            directory: PathBuf::from("."),
            options: reading_options(&self.templates.compile),
            headers: false,
        }
    }

    fn compile(&self, unit: usize, change: &ChangedFile<'_>, object: &Path) -> Result<MakeResult> {
        let source = &self.templates.sources[unit];
        let copy = change.dir.join(source.file_name().unwrap_or(OsStr::new("source.c")));
        let name = source.display().to_string().replace('\\', "\\\\").replace('"', "\\\"");
        let text = [format!("#line 1 \"{name}\"\n").as_bytes(), change.text].concat();
        fs::write(&copy, text).map_err(|error| Failure::io("write", &copy, &error))?;
        self.compile_file(&copy, object, &[])
    }

    fn link(&self, objects: &[PathBuf], program: &Path) -> Result<MakeResult> {
        self.link_with(objects, program, &[])
    }

    fn counting(&self, dir: &Path) -> Result<InstrumentedProgram> {
        let mut objects = Vec::new();
        for (unit, source) in self.templates.sources.iter().enumerate() {
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
        let name = self.templates.compile.first().map_or("", String::as_str);
        let level = self.templates.compile.iter().rev().find(|word| word.starts_with("-O"));
        format!("{name} {}", level.map_or("-O0", String::as_str))
    }
}

/// A command with files in their places. A word that is a place becomes as many words as
/// there are files.
fn fill(template: &[String], places: &[(&str, &[&Path])]) -> Vec<OsString> {
    let word = |word: &String| -> Vec<OsString> {
        if let Some((_, files)) = places.iter().find(|(place, _)| word == place) {
            return files.iter().map(OsString::from).collect();
        }
        let mut text = word.clone();
        for (place, files) in places {
            let names = files.iter().map(|file| file.display().to_string());
            text = text.replace(place, &names.collect::<Vec<_>>().join(" "));
        }
        vec![text.into()]
    };
    template.iter().flat_map(word).collect()
}

/// What of a command says how a source is read, and means the same to clang.
fn reading_options(compile: &[String]) -> Vec<OsString> {
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
    fn files_go_where_the_command_says() {
        let (a, b) = (Path::new("a b.o"), Path::new("c.o"));
        let filled = fill(
            &words("ld {object} -o {program} -Map={program}.map"),
            &[("{object}", &[a, b][..]), ("{program}", &[Path::new("p")])],
        );
        assert_eq!(filled, ["ld", "a b.o", "c.o", "-o", "p", "-Map=p.map"]);
    }

    #[test]
    fn clang_is_told_what_it_takes_to_read_a_source() {
        let command =
            words("gcc -O2 -fno-gcse -I lib -Isrc -DX=1 -std=gnu99 -c {source} -o {object}");
        let options = reading_options(&command);
        assert_eq!(options, ["-I", "lib", "-Isrc", "-DX=1", "-std=gnu99"]);
    }
}

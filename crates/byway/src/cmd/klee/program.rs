//! The program that `klee` explores: a file, or bitcode from standard input.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::assembly::AssemblyLines;
use super::command_line::KleeArguments;
use super::messages::KleeMessages;
use super::settings::KleeSettings;
use crate::failure::{Failure, Result};
use crate::load::{self, LoadConfig};

/// The names of the program's text and of its bitcode in the output directory.
const ASSEMBLY: &str = "assembly.ll";
const BITCODE: &str = "final.bc";

/// A program in a file.
pub struct KleeProgram {
    path: PathBuf,
}

impl KleeProgram {
    /// The program that the arguments name, optimised if they say so. One that is in no file of the
    /// user's is written into the output directory.
    pub fn find(given: &KleeArguments, output: &Path) -> Result<KleeProgram> {
        let mut program = match given.program.as_encoded_bytes() {
            b"-" => KleeProgram::read(output)?,
            _ => KleeProgram { path: PathBuf::from(&given.program) },
        };
        if let Err(error) = program.path.metadata() {
            return Err(Failure::io("load", &program.path, &error));
        }
        if given.flag("optimize", false) {
            program = program.optimised(output)?;
        }
        Ok(program)
    }

    /// Reads bitcode from standard input.
    fn read(output: &Path) -> Result<KleeProgram> {
        let failed = |error| Failure::io("read", Path::new("standard input"), &error);
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map_err(failed)?;
        if bytes.is_empty() {
            return Err(Failure::new("standard input has no bitcode")
                .hint("name the program: klee program.bc"));
        }
        let path = output.join("stdin.bc");
        std::fs::write(&path, bytes).map_err(|error| Failure::io("write", &path, &error))?;
        Ok(KleeProgram { path })
    }

    /// The same program after clang's optimisations. Of sources, clang makes optimised bitcode.
    fn optimised(self, output: &Path) -> Result<KleeProgram> {
        let path = output.join("optimized.bc");
        let mut command = clang();
        command.args(["-O2", "-g", "-w", "-emit-llvm", "-c", "-o"]).arg(&path);
        if load::kind_of(&self.path).is_ok_and(|kind| kind != load::FileKind::C) {
            command.args(["-x", "ir"]);
        }
        run(command.arg(&self.path), "optimise", &self.path)?;
        Ok(KleeProgram { path })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the program itself into the output directory, as text and as bitcode; returns where
    /// its lines are in the text. What cannot be converted (an archive) is warned of.
    pub fn write_files(
        &self,
        settings: &KleeSettings,
        output: &Path,
        config: &LoadConfig,
        messages: &mut KleeMessages,
    ) -> Result<AssemblyLines> {
        let is_source = load::kind_of(&self.path)? == load::FileKind::C;
        let wanted = [(settings.writes_assembly, ASSEMBLY), (settings.writes_bitcode, BITCODE)];
        for (_, name) in wanted.into_iter().filter(|(wanted, _)| *wanted) {
            let mut command = clang();
            command.args(["-w", "-Xclang", "-disable-llvm-passes", "-emit-llvm"]);
            command.arg(if name == ASSEMBLY { "-S" } else { "-c" });
            if is_source {
                let (options, _) = load::c_options(config)?;
                command.args(options);
            } else {
                command.args(["-x", "ir"]);
            }
            command.arg("-o").arg(output.join(name)).arg(&self.path);
            if let Err(failure) = run(&mut command, "write as text", &self.path) {
                messages.warning(&format!("{name} is not written: {failure}"));
            }
        }
        // Without the file, no line is known.
        let text = std::fs::read_to_string(output.join(ASSEMBLY)).unwrap_or_default();
        Ok(AssemblyLines::new(&text))
    }
}

fn clang() -> Command {
    Command::new(load::compiler_name())
}

fn run(command: &mut Command, action: &str, path: &Path) -> Result<()> {
    let ended = command
        .output()
        .map_err(|error| Failure::io("run", Path::new(command.get_program()), &error))?;
    match ended.status.success() {
        true => Ok(()),
        false => Err(Failure::new(format!("clang cannot {action} '{}'", path.display())).detail(
            String::from_utf8_lossy(&ended.stderr).lines().take(3).collect::<Vec<_>>().join("\n"),
        )),
    }
}

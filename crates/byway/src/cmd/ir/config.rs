//! The resolved options of `byway ir`.

use std::path::PathBuf;

use super::flags::IrFlags;
use crate::failure::Result;
use crate::load::LoadConfig;

pub struct IrConfig {
    pub load: LoadConfig,
    /// What of it to print.
    pub selection: Selection,
    /// Where to; standard output if `None`.
    pub out: Option<PathBuf>,
}

/// What of a program to print.
pub enum Selection {
    /// All of it.
    Everything,
    /// The functions the user wrote.
    User,
    /// The functions of these names.
    Functions(Vec<String>),
    /// What the pointers of the functions of these names can point to.
    PointsTo(Vec<String>),
    /// What the lines of the functions of these names depend on; of the functions the user
    /// wrote if there are none.
    Depends {
        /// The functions.
        names: Vec<String>,
        /// Whether as a graph.
        dot: bool,
    },
}

impl IrConfig {
    /// Resolves what was typed.
    pub fn resolve(flags: IrFlags) -> Result<Self> {
        let selection = if flags.depends {
            Selection::Depends { names: flags.function, dot: flags.dot }
        } else if !flags.points_to.is_empty() {
            Selection::PointsTo(flags.points_to)
        } else if flags.user {
            Selection::User
        } else if flags.function.is_empty() {
            Selection::Everything
        } else {
            Selection::Functions(flags.function)
        };
        Ok(IrConfig { selection, out: flags.out, load: LoadConfig::resolve(flags.load)? })
    }
}

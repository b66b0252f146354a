//! A test case: the input of one path.

use serde::{Deserialize, Serialize};

/// A named piece of input.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Input {
    /// The name given by the program; unique within a test case.
    pub name: String,
    /// The contents.
    pub bytes: Vec<u8>,
}

/// The input of one path.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct TestCase {
    /// The program's arguments, its name first.
    pub args: Vec<Vec<u8>>,
    /// The symbolic objects of the path, in the order of creation.
    pub inputs: Vec<Input>,
}

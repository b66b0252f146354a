//! A test: the input that takes the program down one path.

use serde::{Deserialize, Serialize};

/// A named piece of input.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Input {
    /// The name the program gave it; distinct in a test.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// The input of one path.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct TestCase {
    /// The program's arguments, its name first.
    pub args: Vec<Vec<u8>>,
    /// The symbolic objects of the path, in the order it made them.
    pub inputs: Vec<Input>,
}

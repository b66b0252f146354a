//! The bounds of unconstrained input: plain data, resolved by the command line.

/// The bounds of unconstrained input.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct UnconstrainedOptions {
    /// The most pointers followed from a parameter or global to an object. Those in the last
    /// objects are null.
    pub depth: u32,
    /// Elements of the array that a pointer to a scalar refers to; words, if its type is unknown.
    pub elements: u64,
    /// Whether the last element of an array of characters is zero.
    pub terminated: bool,
    /// Whether a pointer can refer to an object reserved before for another of its type.
    pub aliasing: bool,
    /// Whether variables of the user's code are input.
    pub globals: bool,
}

impl Default for UnconstrainedOptions {
    fn default() -> Self {
        UnconstrainedOptions {
            depth: 3,
            elements: 8,
            terminated: true,
            aliasing: false,
            globals: true,
        }
    }
}

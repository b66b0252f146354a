//! What functions without a body do.

/// The effect of a function without a body. Arguments are named by their index.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct ExternalEffect {
    /// The address that it returns or stores.
    pub makes: MadeAddress,
    /// The arguments that point to bytes it reads, from there on.
    pub reads: &'static [usize],
    /// The arguments that point to bytes it writes, from there on.
    pub writes: &'static [usize],
    /// The argument that points to an object it frees.
    pub frees: Option<usize>,
    /// Its results depend on the calls before it, and those of later calls on this one.
    pub changes_world: bool,
    /// It writes output of the program.
    pub writes_output: bool,
    /// How its calls end.
    pub ending: CallEnding,
}

/// How calls of a function without a body end.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum CallEnding {
    /// They return.
    #[default]
    Returns,
    /// They end the program, or jump out of the caller.
    Leaves,
    /// They end the path in an error, or exclude it.
    Fails,
}

/// The address that a function without a body returns or stores.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum MadeAddress {
    /// None.
    #[default]
    None,
    /// It returns the address of a new object.
    Object,
    /// It returns the address of a new object with the contents of that of an argument.
    Moved(usize),
    /// It stores the address of a new object where an argument points.
    StoredObject(usize),
    /// It returns an argument.
    Argument(usize),
    /// It returns the word that an argument points to.
    Word(usize),
    /// It returns the address of a constructor or destructor of the module.
    Initialiser,
    /// It stores addresses that are input where an argument points.
    Input(usize),
    /// The contents of every global become input, addresses included.
    InputGlobals,
    /// It makes an object at an address that the program chose as a number.
    ObjectAtNumber,
}

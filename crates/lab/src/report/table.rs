//! A table, before it is known how it is shown.

/// A table.
pub struct Table {
    /// Its title.
    pub title: &'static str,
    /// What there is to know to read it.
    pub note: String,
    /// The heads of its columns.
    pub head: Vec<String>,
    /// Its rows; the first cell of each is its name.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cell {
    /// What stands in it.
    pub text: String,
    /// Whether it stands out.
    pub strong: bool,
}

impl Cell {
    /// A cell that stands out if that holds.
    pub fn strong_if(text: impl Into<String>, strong: bool) -> Cell {
        Cell { text: text.into(), strong }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Cell {
        Cell { text: text.into(), strong: false }
    }
}

/// A chance.
pub fn chance(p: f64) -> String {
    if p < 0.001 { "<0.001".into() } else { format!("{p:.3}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_chances_are_not_none() {
        assert_eq!([0.25, 0.0004].map(chance), ["0.250", "<0.001"]);
    }
}

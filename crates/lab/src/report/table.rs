//! A table of the report, independent of its rendering.

/// A table with a title.
pub struct Table {
    pub title: &'static str,
    /// How to read it.
    pub note: String,
    /// Column headings.
    pub head: Vec<String>,
    /// Rows; the first cell of each is its heading.
    pub rows: Vec<Vec<TableCell>>,
    /// The cells are text, aligned to the left, and not figures.
    pub words: bool,
}

impl Table {
    /// The transposed table; `corner` is the heading of its first column.
    pub fn transposed(self, corner: &str) -> Table {
        let column = |at: usize| self.rows.iter().map(move |row| row[at].clone());
        let head = std::iter::once(corner.to_string()).chain(column(0).map(|cell| cell.text));
        let head = head.collect();
        let row = |at: usize| {
            std::iter::once(TableCell::from(self.head[at].as_str())).chain(column(at)).collect()
        };
        let rows = (1..self.head.len()).map(row).collect();
        Table { head, rows, ..self }
    }
}

/// A cell of a table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TableCell {
    pub text: String,
    /// Whether it is emphasised.
    pub strong: bool,
}

impl TableCell {
    /// A cell that is emphasised if `strong`.
    pub fn strong_if(text: impl Into<String>, strong: bool) -> TableCell {
        TableCell { text: text.into(), strong }
    }
}

impl<T: Into<String>> From<T> for TableCell {
    fn from(text: T) -> TableCell {
        TableCell { text: text.into(), strong: false }
    }
}

/// A probability with three decimals.
pub fn probability(p: f64) -> String {
    if p < 0.001 { "<0.001".into() } else { format!("{p:.3}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transposed_table_has_rows_for_columns() {
        let row = |name: &str, figures: [&str; 2]| {
            let figures = figures.map(|figure| TableCell::strong_if(figure, figure == "4"));
            [vec![TableCell::from(name)], figures.to_vec()].concat()
        };
        let table = Table {
            title: "",
            note: String::new(),
            head: ["program", "dfs", "bfs"].map(String::from).to_vec(),
            rows: vec![row("cut", ["1", "2"]), row("wc", ["3", "4"]), row("nl", ["5", "6"])],
            words: false,
        };
        let turned = table.transposed("strategy");
        assert_eq!(turned.head, ["strategy", "cut", "wc", "nl"]);
        let texts =
            |row: &[TableCell]| row.iter().map(|cell| cell.text.clone()).collect::<Vec<_>>();
        assert_eq!(texts(&turned.rows[0]), ["dfs", "1", "3", "5"]);
        assert_eq!(texts(&turned.rows[1]), ["bfs", "2", "4", "6"]);
        assert!(turned.rows[1][2].strong && !turned.rows[1][1].strong);
    }

    #[test]
    fn small_probabilities_are_not_zero() {
        assert_eq!([0.25, 0.0004].map(probability), ["0.250", "<0.001"]);
    }
}

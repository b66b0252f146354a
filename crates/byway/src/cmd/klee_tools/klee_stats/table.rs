//! A table of columns: cells as text, and their widths.

use super::formats::TableFormat;

/// A value in the table.
#[derive(Clone, PartialEq, Debug)]
pub enum StatCell {
    /// The run does not have it.
    Missing,
    Integer(i64),
    Real(f64),
    Text(String),
}

impl StatCell {
    /// The value as a number.
    pub fn number(&self) -> Option<f64> {
        match self {
            StatCell::Integer(number) => Some(*number as f64),
            StatCell::Real(number) => Some(*number),
            StatCell::Missing | StatCell::Text(_) => None,
        }
    }
}

/// A column of the table.
pub struct StatColumn {
    pub head: String,
    pub cells: Vec<StatCell>,
}

/// Where the text of a column is in its cells.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum CellAlignment {
    /// As wide as each text is.
    Tight,
    Left,
    Center,
    Right,
}

/// Columns as text, ready for a format.
pub struct TextTable {
    pub heads: Vec<String>,
    pub rows: Vec<Vec<String>>,
    pub alignments: Vec<CellAlignment>,
    pub widths: Vec<usize>,
}

/// Heads are that much narrower than their column.
const MIN_PADDING: usize = 2;

impl TextTable {
    /// Lays out the columns: all have equally many cells.
    pub fn new(columns: &[StatColumn], precision: usize, format: &TableFormat) -> TextTable {
        let mut table =
            TextTable { heads: vec![], rows: vec![], alignments: vec![], widths: vec![] };
        let height = columns.iter().map(|column| column.cells.len()).max().unwrap_or(0);
        table.rows.resize(height, Vec::new());
        for column in columns {
            let numeric = column.cells.iter().any(|cell| cell.number().is_some());
            let texts = texts(column, precision);
            let alignment = if numeric { format.numbers } else { format.texts };
            let longest = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0);
            let width = longest.max(column.head.chars().count() + MIN_PADDING);
            for (row, text) in table.rows.iter_mut().zip(texts) {
                row.push(align(&text, alignment, width));
            }
            table.heads.push(align(&column.head, alignment, width));
            table.alignments.push(alignment);
            table.widths.push(width);
        }
        table
    }
}

/// All numbers of a column have a decimal point, or none.
fn texts(column: &StatColumn, precision: usize) -> Vec<String> {
    let real = column.cells.iter().any(|cell| matches!(cell, StatCell::Real(_)));
    let text = |cell: &StatCell| match cell {
        StatCell::Missing => String::new(),
        StatCell::Integer(number) if !real => number.to_string(),
        StatCell::Integer(number) => format!("{:.precision$}", *number as f64),
        StatCell::Real(number) => format!("{number:.precision$}"),
        StatCell::Text(text) => text.clone(),
    };
    column.cells.iter().map(text).collect()
}

fn align(text: &str, alignment: CellAlignment, width: usize) -> String {
    match alignment {
        CellAlignment::Tight => text.to_string(),
        CellAlignment::Left => format!("{text:<width$}"),
        CellAlignment::Center => format!("{text:^width$}"),
        CellAlignment::Right => format!("{text:>width$}"),
    }
}

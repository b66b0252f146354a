//! The forms of the table: KLEE's own, comma-separated values, and those of the Python
//! package `tabulate` that are in use.

use super::table::{CellAlignment, TextTable};

/// A form: how its lines and rows are drawn.
pub struct TableFormat {
    pub name: &'static str,
    pub numbers: CellAlignment,
    pub texts: CellAlignment,
    style: FormatStyle,
}

enum FormatStyle {
    /// Characters around cells.
    Ruled(&'static Rules),
    /// A language with a syntax of its own.
    Html,
    Mediawiki,
    Latex {
        top: &'static str,
        middle: &'static str,
        bottom: &'static str,
    },
}

/// The characters of a line: its beginning, what fills a column, between columns, its end.
type Rule = [&'static str; 4];

/// The characters of a row: its beginning, between cells, its end.
type RowMarks = [&'static str; 3];

struct Rules {
    above: Option<Rule>,
    below_heads: Option<Rule>,
    between: Option<Rule>,
    below: Option<Rule>,
    heads: RowMarks,
    rows: RowMarks,
    /// Spaces on both sides of a cell.
    padding: usize,
    /// Colons in lines show the alignment.
    colons: bool,
}

const NO_RULES: Rules = Rules {
    above: None,
    below_heads: None,
    between: None,
    below: None,
    heads: ["", "  ", ""],
    rows: ["", "  ", ""],
    padding: 0,
    colons: false,
};

const BARS: RowMarks = ["|", "|", "|"];
const BARRED: Rules = Rules { heads: BARS, rows: BARS, padding: 1, ..NO_RULES };
const PLUS: Rule = ["+", "-", "+", "+"];
const DOUBLE_PLUS: Rule = ["+", "=", "+", "+"];
const DASHES: Rule = ["-", "-", "-", "-"];

const fn ruled(name: &'static str, rules: &'static Rules) -> TableFormat {
    styled(name, FormatStyle::Ruled(rules))
}

const fn styled(name: &'static str, style: FormatStyle) -> TableFormat {
    TableFormat { name, numbers: CellAlignment::Right, texts: CellAlignment::Center, style }
}

const COMMA: RowMarks = ["", ",", ""];
const COMMAS: Rules = Rules { heads: COMMA, rows: COMMA, ..NO_RULES };

const fn commas(name: &'static str, numbers: CellAlignment, texts: CellAlignment) -> TableFormat {
    TableFormat { name, numbers, texts, style: FormatStyle::Ruled(&COMMAS) }
}

const FORMATS: &[TableFormat] = &[
    ruled(
        "klee",
        &Rules {
            above: Some(DASHES),
            below_heads: Some(DASHES),
            below: Some(DASHES),
            padding: 0,
            ..BARRED
        },
    ),
    commas(CSV, CellAlignment::Tight, CellAlignment::Tight),
    commas("readable-csv", CellAlignment::Right, CellAlignment::Left),
    ruled("plain", &NO_RULES),
    ruled("simple", &Rules { below_heads: Some(["", "-", "  ", ""]), ..NO_RULES }),
    ruled("github", &Rules { below_heads: Some(["|", "-", "|", "|"]), ..BARRED }),
    ruled(
        "grid",
        &Rules {
            above: Some(PLUS),
            below_heads: Some(DOUBLE_PLUS),
            between: Some(PLUS),
            below: Some(PLUS),
            ..BARRED
        },
    ),
    ruled(
        "outline",
        &Rules { above: Some(PLUS), below_heads: Some(DOUBLE_PLUS), below: Some(PLUS), ..BARRED },
    ),
    ruled("pipe", &Rules { below_heads: Some(["|", "-", "|", "|"]), colons: true, ..BARRED }),
    ruled("orgtbl", &Rules { below_heads: Some(["|", "-", "+", "|"]), ..BARRED }),
    ruled("jira", &Rules { heads: ["||", "||", "||"], ..BARRED }),
    ruled(
        "presto",
        &Rules {
            below_heads: Some(["", "-", "+", ""]),
            heads: ["", "|", ""],
            rows: ["", "|", ""],
            ..BARRED
        },
    ),
    ruled(
        "psql",
        &Rules {
            above: Some(PLUS),
            below_heads: Some(["|", "-", "+", "|"]),
            below: Some(PLUS),
            ..BARRED
        },
    ),
    ruled(
        "rst",
        &Rules {
            above: Some(["", "=", "  ", ""]),
            below_heads: Some(["", "=", "  ", ""]),
            below: Some(["", "=", "  ", ""]),
            ..NO_RULES
        },
    ),
    ruled("tsv", &Rules { heads: ["", "\t", ""], rows: ["", "\t", ""], ..NO_RULES }),
    styled("html", FormatStyle::Html),
    styled("mediawiki", FormatStyle::Mediawiki),
    styled("latex", FormatStyle::Latex { top: "\\hline", middle: "\\hline", bottom: "\\hline" }),
    styled(
        "latex_booktabs",
        FormatStyle::Latex { top: "\\toprule", middle: "\\midrule", bottom: "\\bottomrule" },
    ),
];

const CSV: &str = "csv";

/// The names of the forms.
pub fn names() -> Vec<&'static str> {
    FORMATS.iter().map(|format| format.name).collect()
}

/// The form of this name.
pub fn find(name: &str) -> Option<&'static TableFormat> {
    FORMATS.iter().find(|format| format.name == name)
}

/// One value of comma-separated values, in quotes where it would be taken for several.
pub fn csv_field(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_string(),
    }
}

impl TableFormat {
    /// Whether a total of all runs has a row, which values for programs do not have.
    pub fn has_total(&self) -> bool {
        !self.name.ends_with(CSV)
    }

    /// The table as text. `total`: its last row is the total of those above.
    pub fn render(&self, table: &TextTable, total: bool) -> String {
        let mut lines = match &self.style {
            FormatStyle::Ruled(rules) => rules.render(table, self.name == CSV),
            FormatStyle::Html => html(table),
            FormatStyle::Mediawiki => mediawiki(table),
            FormatStyle::Latex { top, middle, bottom } => latex(table, [top, middle, bottom]),
        };
        if total && self.name == "klee" {
            let line = lines.last().cloned().unwrap_or_default();
            lines.insert(lines.len().saturating_sub(2), line);
        }
        lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
    }
}

impl Rules {
    fn render(&self, table: &TextTable, quoted: bool) -> Vec<String> {
        let row = |cells: &[String], marks: &RowMarks| {
            let space = " ".repeat(self.padding);
            let cells: Vec<String> = cells
                .iter()
                .map(|cell| if quoted { csv_field(cell) } else { format!("{space}{cell}{space}") })
                .collect();
            format!("{}{}{}", marks[0], cells.join(marks[1]), marks[2])
        };
        let line = |rule: &Rule| self.line(rule, table);
        let mut lines: Vec<String> = self.above.iter().map(line).collect();
        lines.push(row(&table.heads, &self.heads));
        lines.extend(self.below_heads.iter().map(line));
        for (index, cells) in table.rows.iter().enumerate() {
            if index > 0 {
                lines.extend(self.between.iter().map(line));
            }
            lines.push(row(cells, &self.rows));
        }
        lines.extend(self.below.iter().map(line));
        lines
    }

    fn line(&self, [begin, fill, between, end]: &Rule, table: &TextTable) -> String {
        let columns = table.widths.iter().zip(&table.alignments).map(|(width, alignment)| {
            let width = width + 2 * self.padding;
            match alignment {
                CellAlignment::Right if self.colons => fill.repeat(width - 1) + ":",
                CellAlignment::Center if self.colons => format!(":{}:", fill.repeat(width - 2)),
                CellAlignment::Left if self.colons => format!(":{}", fill.repeat(width - 1)),
                _ => fill.repeat(width),
            }
        });
        let columns: Vec<String> = columns.collect();
        format!("{begin}{}{end}", columns.join(between))
    }
}

fn css(alignment: CellAlignment) -> &'static str {
    match alignment {
        CellAlignment::Right => "style=\"text-align: right;\"",
        CellAlignment::Center => "style=\"text-align: center;\"",
        CellAlignment::Left | CellAlignment::Tight => "",
    }
}

fn html(table: &TextTable) -> Vec<String> {
    let escape = |text: &str| {
        text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
    };
    let row = |cells: &[String], tag: &str| {
        let cells = cells.iter().zip(&table.alignments).map(|(cell, &alignment)| {
            format!("<{tag} {}>{}</{tag}>", css(alignment), escape(cell))
        });
        format!("<tr>{}</tr>", cells.collect::<String>())
    };
    let mut lines: Vec<String> = ["<table>", "<thead>"].map(String::from).to_vec();
    lines.push(row(&table.heads, "th"));
    lines.extend(["</thead>", "<tbody>"].map(String::from));
    lines.extend(table.rows.iter().map(|cells| row(cells, "td")));
    lines.extend(["</tbody>", "</table>"].map(String::from));
    lines
}

fn mediawiki(table: &TextTable) -> Vec<String> {
    let row = |cells: &[String], mark: &str| {
        let cells = cells.iter().zip(&table.alignments);
        let cells: Vec<String> =
            cells.map(|(cell, &alignment)| format!(" {}| {cell} ", css(alignment))).collect();
        format!("{mark}{}", cells.join(&mark.repeat(2)))
    };
    let mut lines = vec!["{| class=\"wikitable\" style=\"text-align: left;\"".to_string()];
    lines.extend(["|+ <!-- caption -->", "|-"].map(String::from));
    lines.push(row(&table.heads, "!"));
    for cells in &table.rows {
        lines.extend(["|-".to_string(), row(cells, "|")]);
    }
    lines.push("|}".into());
    lines
}

fn latex(table: &TextTable, [top, middle, bottom]: [&str; 3]) -> Vec<String> {
    let row = |cells: &[String]| {
        let cells: Vec<String> = cells
            .iter()
            .map(|cell| format!(" {} ", cell.chars().map(latex_escape).collect::<String>()))
            .collect();
        format!("{}\\\\", cells.join("&"))
    };
    let columns = table.alignments.iter().map(|alignment| match alignment {
        CellAlignment::Right => 'r',
        CellAlignment::Center => 'c',
        CellAlignment::Left | CellAlignment::Tight => 'l',
    });
    let begin = format!("\\begin{{tabular}}{{{}}}", columns.collect::<String>());
    let mut lines = vec![begin, top.to_string(), row(&table.heads), middle.to_string()];
    lines.extend(table.rows.iter().map(|cells| row(cells)));
    lines.extend([bottom.to_string(), "\\end{tabular}".to_string()]);
    lines
}

fn latex_escape(character: char) -> String {
    match character {
        '&' | '%' | '$' | '#' | '_' | '{' | '}' => format!("\\{character}"),
        '^' => "\\^{}".into(),
        '~' => "\\textasciitilde{}".into(),
        '\\' => "\\textbackslash{}".into(),
        '<' | '>' => format!("\\ensuremath{{{character}}}"),
        _ => character.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::{StatCell, StatColumn};
    use super::*;

    fn rendered(name: &str, paths: &[&str]) -> String {
        let path = StatColumn {
            head: "Path".into(),
            cells: paths.iter().map(|path| StatCell::Text(path.to_string())).collect(),
        };
        let numbers =
            paths.iter().enumerate().map(|(index, _)| StatCell::Integer(499 + index as i64));
        let instructions = StatColumn { head: "Instrs".into(), cells: numbers.collect() };
        let mut times: Vec<StatCell> = paths.iter().map(|_| StatCell::Real(0.094)).collect();
        times[0] = StatCell::Missing;
        let time = StatColumn { head: "Time(s)".into(), cells: times };
        let format = find(name).expect("a format");
        let table = TextTable::new(&[path, instructions, time], 2, format);
        format.render(&table, format.has_total() && paths.len() > 1)
    }

    #[test]
    fn klees_table_is_klees() {
        let expected = "\
-------------------------------
|   Path   |  Instrs|  Time(s)|
-------------------------------
|klee-out-2|     499|         |
-------------------------------
|Total (1) |     500|     0.09|
-------------------------------
";
        assert_eq!(rendered("klee", &["klee-out-2", "Total (1)"]), expected);
    }

    #[test]
    fn values_for_programs() {
        assert_eq!(
            rendered("csv", &["a", "b,c"]),
            "Path,Instrs,Time(s)\na,499,\n\"b,c\",500,0.09\n"
        );
        let readable = rendered("readable-csv", &["klee-out-2", "b"]);
        assert_eq!(readable.lines().next(), Some("Path      ,  Instrs,  Time(s)"));
        assert_eq!(readable.lines().nth(2), Some("b         ,     500,     0.09"));
    }

    #[test]
    fn every_form_has_the_values_and_no_spaces_at_line_ends() {
        for name in names() {
            let text = rendered(name, &["a", "b_1"]);
            assert!(text.contains("499") && text.contains("0.09"), "{name}: {text}");
            assert!(text.lines().all(|line| line.trim_end() == line), "{name}: {text:?}");
        }
        assert!(rendered("pipe", &["a", "b"]).contains("|:------:|---------:|----------:|\n"));
        assert!(rendered("latex", &["b_1"]).contains("b\\_1"));
        assert!(find("grafana").is_none());
    }
}

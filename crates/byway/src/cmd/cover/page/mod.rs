//! The page: one HTML file without external resources. An overview of the files, each file with
//! its lines, and the tests that were the first to cover something.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use crate::cmd::cover::faults::LineFault;
use crate::cmd::cover::report::{CoveredShare, FileReport, LineReport, NativeReport};
use crate::cmd::cover::tally::Hits;
use byway_base::quantity::{percent, plural};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Information beside the report.
pub struct PageInfo<'a> {
    pub program: &'a str,
    /// A sentence on how coverage was measured.
    pub measure: &'a str,
    /// A sentence on tests that were not measured.
    pub warning: Option<String>,
    /// Tests that were the first to cover something, by number.
    pub tests: &'a BTreeMap<u64, PageTest>,
}

/// A test that was the first to cover something.
pub struct PageTest {
    /// The file name.
    pub name: String,
    /// The path relative to the page.
    pub link: String,
    /// The outcome of the path.
    pub outcome: String,
    /// One line per input.
    pub input: String,
}

/// Renders the page.
pub fn render(report: &NativeReport, facts: &PageInfo<'_>) -> String {
    let mut out = String::new();
    // Writing into a string cannot fail.
    let _ = Page { report, facts }.write(&mut out);
    out
}

/// Displays a text with the special characters of HTML escaped.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                // HTML allows no other control characters.
                '\t' | '\n' => f.write_char(character)?,
                control if control.is_control() => f.write_char('\u{fffd}')?,
                other => f.write_char(other)?,
            }
        }
        Ok(())
    }
}

/// The coverage of a line.
#[derive(Copy, Clone, PartialEq, Eq)]
enum LineStatus {
    Covered,
    Partly,
    Missed,
}

impl LineStatus {
    fn of(line: &LineReport) -> LineStatus {
        let sides = || line.branches.iter().flatten();
        match (line.hits.is_covered(), sides().all(Hits::is_covered)) {
            (false, _) => LineStatus::Missed,
            (true, true) => LineStatus::Covered,
            (true, false) => LineStatus::Partly,
        }
    }

    /// The CSS class, a sign that needs no colour, and a text for screen readers.
    fn shown(self) -> (&'static str, &'static str, &'static str) {
        match self {
            LineStatus::Covered => ("hit", "\u{2713}", "covered"),
            LineStatus::Partly => ("part", "\u{25d0}", "partly covered"),
            LineStatus::Missed => ("miss", "\u{2717}", "not covered"),
        }
    }
}

struct Page<'a> {
    report: &'a NativeReport,
    facts: &'a PageInfo<'a>,
}

impl Page<'_> {
    fn write(&self, out: &mut String) -> fmt::Result {
        let program = Escaped(self.facts.program);
        write!(
            out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
             <title>Coverage of {program}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
        )?;
        self.overview(out)?;
        for (number, file) in self.report.files.iter().enumerate() {
            self.file(out, number, file)?;
        }
        self.tests(out)?;
        write!(out, "<script>\n//<![CDATA[\n{SCRIPT}//]]>\n</script>\n</body>\n</html>\n")
    }

    fn overview(&self, out: &mut String) -> fmt::Result {
        let (report, facts) = (self.report, self.facts);
        writeln!(out, "<header id=\"top\">\n<h1>Coverage of {}</h1>", Escaped(facts.program))?;
        writeln!(out, "<p class=\"how\">{}</p>", Escaped(facts.measure))?;
        if let Some(warning) = &facts.warning {
            writeln!(out, "<p class=\"warning\">{}</p>", Escaped(warning))?;
        }
        writeln!(out, "<div class=\"totals\">")?;
        for (name, share) in [
            ("lines", report.lines()),
            ("branch sides", report.sides()),
            ("functions", report.functions()),
        ] {
            let CoveredShare { covered, total } = share;
            writeln!(
                out,
                "<div class=\"total\"><b>{}</b> {name}<br/><small>{covered} of {total}</small>{}\
                 </div>",
                percentage(share),
                bar(share)
            )?;
        }
        writeln!(out, "</div>")?;
        self.faults(out)?;
        self.reasons(out)?;
        self.table(out)?;
        writeln!(
            out,
            "<p class=\"help\"><kbd>n</kbd> and <kbd>p</kbd> go to the next and the previous line \
             that is not covered, <kbd>t</kbd> to the top. Signs: \u{2713} covered, \u{25d0} a \
             branch side is not covered, \u{2717} not covered, \u{26a0} a fault. The number beside a line is that of \
             the tests that execute it, and links to the first of them.</p>\n</header>"
        )
    }

    /// Links to the lines with faults.
    fn faults(&self, out: &mut String) -> fmt::Result {
        let lines = self.report.files.iter().enumerate().flat_map(|(number, file)| {
            file.faults.iter().map(move |(line, faults)| (number, file, line, faults))
        });
        let mut links = Vec::new();
        for (number, file, line, faults) in lines {
            let kinds: Vec<&str> = faults.iter().map(|fault| fault.kind.as_str()).collect();
            let (name, kinds) = (Escaped(&file.name), kinds.join(", "));
            links.push(format!("<a href=\"#f{number}l{line}\">{name}:{line}</a> {kinds}"));
        }
        if links.is_empty() {
            return Ok(());
        }
        writeln!(out, "<p class=\"faults\">\u{26a0} Faults: {}.</p>", links.join("; "))
    }

    fn reasons(&self, out: &mut String) -> fmt::Result {
        let reasons = self.report.reasons();
        if reasons.is_empty() || !self.report.has_reasons {
            return Ok(());
        }
        let scope = if self.report.complete { "all paths" } else { "the paths explored so far" };
        write!(out, "<p class=\"reasons\">Branch sides not taken, by {scope}: ")?;
        for (number, (why, count)) in reasons.iter().enumerate() {
            let comma = if number == 0 { "" } else { ", " };
            write!(out, "{comma}<b>{count}</b> {}", why.name())?;
        }
        writeln!(out, ".</p>")
    }

    fn table(&self, out: &mut String) -> fmt::Result {
        writeln!(
            out,
            "<div class=\"scroll\"><table id=\"files\">\n<thead><tr><th><button>File</button></th>\
             <th><button>Lines</button></th><th class=\"wide\"></th>\
             <th><button>Branch sides</button></th><th class=\"wide\"></th>\
             <th class=\"wide\"><button>Functions</button></th></tr></thead>\n<tbody>"
        )?;
        for (number, file) in self.report.files.iter().enumerate() {
            let name = Escaped(&file.name);
            let (lines, sides) = (file.line_share(), file.side_share());
            let functions = file.function_share();
            let cell = |share: CoveredShare| {
                let CoveredShare { covered, total } = share;
                format!(
                    "<td data-value=\"{}\"><b>{}</b> <small>{covered}/{total}</small></td>",
                    (covered * 1000).checked_div(total).unwrap_or(1000),
                    percentage(share)
                )
            };
            writeln!(
                out,
                "<tr><td data-value=\"{name}\"><a href=\"#f{number}\">{name}</a></td>{}\
                 <td class=\"wide\">{}</td>{}<td class=\"wide\">{}</td>\
                 <td class=\"wide\" data-value=\"{}\">{}/{}</td></tr>",
                cell(lines),
                bar(lines),
                cell(sides),
                bar(sides),
                functions.covered,
                functions.covered,
                functions.total
            )?;
        }
        writeln!(out, "</tbody></table></div>")
    }

    fn file(&self, out: &mut String, number: usize, file: &FileReport) -> fmt::Result {
        let (lines, sides) = (file.line_share(), file.side_share());
        writeln!(
            out,
            "<section id=\"f{number}\">\n<h2><a href=\"#top\" title=\"to the top\">\u{2191}</a> {} \
             <small>{} of {} lines, {} of {} branch sides</small></h2>",
            Escaped(&file.name),
            lines.covered,
            lines.total,
            sides.covered,
            sides.total
        )?;
        let empty = Vec::new();
        let text = match &file.text {
            Ok(text) => text,
            Err(why) => {
                writeln!(out, "<p class=\"warning\">No text: {}.</p>", Escaped(why))?;
                &empty
            }
        };
        writeln!(out, "<div class=\"code\"><table>")?;
        let last = file.lines.keys().next_back().copied().unwrap_or(0).max(text.len() as u32);
        for line in 1..=last {
            let source = text.get(line as usize - 1).map_or("", String::as_str);
            match file.lines.get(&line) {
                Some(report) => {
                    let faults = file.faults.get(&line).map_or(&[][..], Vec::as_slice);
                    self.line(out, (number, line), report, faults, source)?;
                }
                // Without text, lines without code would be empty rows.
                None if text.is_empty() => {}
                None => writeln!(
                    out,
                    "<tr id=\"f{number}l{line}\"><td class=\"no\">{line}</td><td></td><td></td>\
                     <td class=\"src\"><pre>{}</pre></td></tr>",
                    Escaped(source)
                )?,
            }
        }
        writeln!(out, "</table></div>\n</section>")
    }

    fn line(
        &self,
        out: &mut String,
        (file, number): (usize, u32),
        line: &LineReport,
        faults: &[LineFault],
        source: &str,
    ) -> fmt::Result {
        let (class, sign, words) = LineStatus::of(line).shown();
        let count = match line.hits.first {
            Some(first) => {
                let title = format!("{}, first {first}", plural(line.hits.tests, "test"));
                format!("<a href=\"#t{first}\" title=\"{title}\">{}</a>", line.hits.tests)
            }
            None => "0".into(),
        };
        write!(
            out,
            "<tr id=\"f{file}l{number}\" class=\"{class}\"><td class=\"no\">\
             <a href=\"#f{file}l{number}\">{number}</a></td><td class=\"n\">{count}</td>\
             <td class=\"s\" title=\"{words}\">{sign}</td><td class=\"src\">"
        )?;
        // Fully covered branches are shown at the side.
        let missing = line.branches.iter().flatten().any(|side| !side.is_covered());
        if !missing {
            self.branches(out, line)?;
        }
        write!(out, "<pre>{}</pre>", Escaped(source))?;
        faults.iter().try_for_each(|fault| write_fault(out, fault))?;
        if missing {
            self.branches(out, line)?;
        }
        if line.on_engine == Some(!line.hits.is_covered()) {
            let what = match line.hits.is_covered() {
                true => "covered natively, not on the engine",
                false => "covered on the engine, not natively",
            };
            write!(out, "<p class=\"differs\">{what}</p>")?;
        }
        writeln!(out, "</td></tr>")
    }

    fn branches(&self, out: &mut String, line: &LineReport) -> fmt::Result {
        let sides: Vec<&Hits> = line.branches.iter().flatten().collect();
        if sides.is_empty() {
            return Ok(());
        }
        let taken = sides.iter().filter(|side| side.is_covered()).count();
        let missing = sides.len() - taken;
        let signs: String = sides
            .iter()
            .map(|side| if side.is_covered() { '\u{2713}' } else { '\u{2717}' })
            .collect();
        let summary = match missing {
            0 => format!("{taken} of {taken}"),
            _ => {
                let mut reasons = line.reasons.clone();
                reasons.dedup();
                let why: Vec<&str> = reasons.iter().map(|why| why.name()).collect();
                let why =
                    if why.is_empty() { String::new() } else { format!(": {}", why.join(", ")) };
                format!("{missing} of {} sides not taken{why}", sides.len())
            }
        };
        let class = if missing == 0 { "br all" } else { "br" };
        write!(
            out,
            "<details class=\"{class}\"><summary><span class=\"signs\">{signs}</span> {summary}\
             </summary><ul>"
        )?;
        for (branch, sides) in line.branches.iter().enumerate() {
            let words: Vec<String> = sides.iter().map(side_words).collect();
            write!(out, "<li>branch {}: {}</li>", branch + 1, words.join("; "))?;
        }
        for words in &line.explanations {
            write!(out, "<li class=\"engine\">engine: {}</li>", Escaped(words))?;
        }
        write!(out, "</ul></details>")
    }

    fn tests(&self, out: &mut String) -> fmt::Result {
        writeln!(
            out,
            "<section id=\"tests\">\n<h2><a href=\"#top\" title=\"to the top\">\u{2191}</a> Tests \
             <small>the first to execute a line or take a branch side</small></h2>"
        )?;
        for (number, test) in self.facts.tests {
            writeln!(
                out,
                "<div class=\"test\" id=\"t{number}\"><h3><a href=\"{}\">{}</a> <small>{}</small>\
                 </h3><pre>{}</pre></div>",
                Escaped(&test.link),
                Escaped(&test.name),
                Escaped(&test.outcome),
                Escaped(&test.input)
            )?;
        }
        if self.facts.tests.is_empty() {
            writeln!(out, "<p>None.</p>")?;
        }
        writeln!(out, "</section>")
    }
}

/// The number of tests that are named beside a fault.
const NAMED: usize = 8;

fn write_fault(out: &mut String, fault: &LineFault) -> fmt::Result {
    let LineFault { kind, tests } = fault;
    let count = plural(tests.len() as u64, "test");
    write!(out, "<p class=\"fault\">\u{26a0} {} in {count}: ", Escaped(kind))?;
    for (index, test) in tests.iter().take(NAMED).enumerate() {
        match index {
            // Only the first is among the tests below.
            0 => write!(out, "<a href=\"#t{test}\">{test}</a>")?,
            _ => write!(out, ", {test}")?,
        }
    }
    let more = if tests.len() > NAMED { ", ..." } else { "" };
    write!(out, "{more}</p>")
}

fn side_words(side: &Hits) -> String {
    match side.first {
        Some(first) => format!(
            "\u{2713} taken by {}, first <a href=\"#t{first}\">{first}</a>",
            plural(side.tests, "test")
        ),
        None => "\u{2717} not taken".into(),
    }
}

fn percentage(share: CoveredShare) -> String {
    match share.total {
        0 => "\u{2013}".into(),
        total => percent(share.covered, total),
    }
}

fn bar(share: CoveredShare) -> String {
    let width = (share.covered * 100).checked_div(share.total).unwrap_or(0);
    format!("<span class=\"bar\"><i style=\"width:{width}%\"></i></span>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_characters_are_escaped_and_control_characters_replaced() {
        let escaped = Escaped("<a href=\"x\">&'\t\u{1b}\0é").to_string();
        assert_eq!(escaped, "&lt;a href=&quot;x&quot;&gt;&amp;&#39;\t\u{fffd}\u{fffd}é");
    }

    #[test]
    fn an_empty_share_has_no_percentage() {
        assert_eq!(percentage(CoveredShare { covered: 0, total: 0 }), "\u{2013}");
        assert!(bar(CoveredShare { covered: 1, total: 4 }).contains("width:25%"));
    }
}

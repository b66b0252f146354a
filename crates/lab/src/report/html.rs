//! The report as one self-contained HTML page without scripts.

use std::fmt::Write;

use byway_base::quantity::plural;

use super::notes::ReportNotes;
use super::plot::{Curve, Plot, PlotScale, class_of};
use super::table::Table;
use super::tables;
use crate::findings::Findings;
use crate::series::{self, Axis};

/// The style sheet of the page, and of plots in files of their own.
pub const STYLE: &str = include_str!("page.css");

/// The most curves in a plot that can have bands.
const BANDED: usize = 4;

/// The page.
pub fn render(findings: &Findings<'_>, notes: &ReportNotes) -> String {
    let experiment = findings.experiment;
    let name = escaped(&experiment.name);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <title>{name}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{name}</h1>\n"
    );
    if !experiment.description.is_empty() {
        // Writing into a string cannot fail.
        let _ = writeln!(out, "<p class=\"about\">{}</p>", escaped(&experiment.description));
    }
    for line in &notes.lines {
        let _ = writeln!(out, "<p class=\"how\">{}</p>", escaped(line));
    }
    for warning in &notes.warnings {
        let _ = writeln!(out, "<p class=\"warning\">{}</p>", escaped(warning));
    }
    let mut tables = tables::all(findings).into_iter();
    tables.next().iter().for_each(|table| write_table(&mut out, table));
    let mut plots = Plots { findings, drawn: 0 };
    out.push_str(&plots.overview());
    tables.by_ref().for_each(|table| write_table(&mut out, &table));
    out.push_str(&plots.by_program());
    out.push_str("</body>\n</html>\n");
    out
}

/// Escapes text for HTML.
pub fn escaped(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' => out.push(character),
            // HTML does not allow control characters.
            control if control.is_control() => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}

fn write_table(out: &mut String, table: &Table) {
    let _ = writeln!(out, "<h2>{}</h2>", table.title);
    if !table.note.is_empty() {
        let _ = writeln!(out, "<p class=\"note\">{}</p>", escaped(&table.note));
    }
    let class = if table.words { " class=\"words\"" } else { "" };
    let _ = write!(out, "<div class=\"scroll\"><table{class}>\n<thead><tr>");
    for head in &table.head {
        let _ = write!(out, "<th scope=\"col\">{}</th>", escaped(head));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        out.push_str("<tr>");
        for (column, cell) in row.iter().enumerate() {
            let text = escaped(&cell.text);
            let text = if cell.strong { format!("<b>{text}</b>") } else { text };
            let _ = match column {
                0 => write!(out, "<th scope=\"row\">{text}</th>"),
                _ => write!(out, "<td>{text}</td>"),
            };
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table></div>\n");
}

/// The plots of a page.
struct Plots<'a> {
    findings: &'a Findings<'a>,
    /// Plots drawn so far, for unique ids.
    drawn: usize,
}

impl<'a> Plots<'a> {
    fn strategies(&self) -> impl Iterator<Item = (usize, &'a str)> + use<'a> {
        let strategies = &self.findings.experiment.strategies;
        strategies.iter().map(|strategy| strategy.name.as_str()).enumerate()
    }

    fn legend(&self) -> String {
        let mut out = String::from("<ul class=\"legend\">\n");
        for (number, name) in self.strategies() {
            let class = class_of(number);
            let _ = writeln!(
                out,
                "<li><svg viewBox=\"0 0 34 10\" aria-hidden=\"true\">\
                 <path class=\"{class}\" d=\"M1 5H33\"/></svg>{}</li>",
                escaped(name)
            );
        }
        out + "</ul>\n"
    }

    fn figure(&mut self, caption: &str, mut plot: Plot<'_>) -> String {
        self.drawn += 1;
        plot.number = self.drawn;
        format!(
            "<figure>\n<figcaption>{}</figcaption>\n{}</figure>\n",
            escaped(caption),
            plot.render()
        )
    }

    /// A plot of all strategies.
    fn plot(
        &mut self,
        caption: &str,
        axis: Axis,
        scale: PlotScale,
        points: impl Fn(usize, f64) -> Vec<series::CurvePoint>,
    ) -> String {
        let end = axis.end(self.findings);
        let banded = self.findings.experiment.strategies.len() <= BANDED;
        let curves = self.strategies().map(|(number, name)| Curve {
            number,
            name,
            points: points(number, end),
            banded,
            faint: false,
        });
        let plot = Plot {
            title: caption.to_string(),
            x_label: axis.words(),
            end,
            scale,
            curves: curves.collect(),
            number: 0,
        };
        self.figure(caption, plot)
    }

    /// Coverage and states over all programs.
    fn overview(&mut self) -> String {
        let findings = self.findings;
        if findings.compared.is_empty() {
            return String::new();
        }
        let time = Axis::of_time(findings);
        let grown = |axis: Axis| {
            move |strategy: usize, end: f64| {
                series::coverage(findings, &findings.compared, strategy, axis, end)
            }
        };
        let mut out = String::from("<h2>Curves</h2>\n");
        let banded = findings.experiment.strategies.len() <= BANDED;
        let interval = match banded && findings.experiment.seeds.len() > 1 {
            true => ", the band its 95 % interval",
            false => "",
        };
        let half = if banded { ", the band their middle half" } else { "" };
        let _ = writeln!(
            out,
            "<p class=\"note\">Coverage as in the table: the mean over {} of the median over \
             seeds{interval}. The work at which a test was written is recorded; times are \
             interpolated between samples of the run. States: the median over all runs{half}.</p>\n{}\
             <div class=\"plots\">",
            plural(findings.compared.len() as u64, "program"),
            self.legend()
        );
        out += &self.plot("Coverage over time", time, PlotScale::Percent, grown(time));
        out += &self.plot("Coverage over work", Axis::Work, PlotScale::Percent, grown(Axis::Work));
        out += &self.plot("States over time", time, PlotScale::Logarithmic, |strategy, end| {
            series::states(findings, strategy, time, end)
        });
        out += "</div>\n";
        if findings.experiment.strategies.len() > BANDED {
            out += &self.per_strategy(time);
        }
        out
    }

    /// A plot for each strategy, where there are too many curves for bands.
    fn per_strategy(&mut self, axis: Axis) -> String {
        let findings = self.findings;
        let end = axis.end(findings);
        let all: Vec<Vec<series::CurvePoint>> = self
            .strategies()
            .map(|(number, _)| series::coverage(findings, &findings.compared, number, axis, end))
            .collect();
        let mut out = String::from(
            "<h3>Coverage over time by strategy</h3>\n\
             <p class=\"note\">Each strategy with its confidence interval, and the others faint.</p>\n\
             <div class=\"plots small\">\n",
        );
        for (shown, caption) in self.strategies() {
            let curve = |(number, name): (usize, &'a str), faint: bool| Curve {
                number,
                name,
                points: all[number].clone(),
                banded: !faint,
                faint,
            };
            let others = self.strategies().filter(|(number, _)| *number != shown);
            let curves = others.map(|of| curve(of, true)).chain([curve((shown, caption), false)]);
            let plot = Plot {
                title: format!("Coverage over time of {caption}"),
                x_label: axis.words(),
                end,
                scale: PlotScale::Percent,
                curves: curves.collect(),
                number: 0,
            };
            out += &self.figure(caption, plot);
        }
        out + "</div>\n"
    }

    /// Coverage over time for each program.
    fn by_program(&mut self) -> String {
        let findings = self.findings;
        let time = Axis::of_time(findings);
        let programs = findings.experiment.programs.iter().enumerate();
        let all = || 0..findings.experiment.strategies.len();
        let programs: Vec<_> = programs
            .filter(|(number, _)| all().any(|s| findings.figure(*number, s).is_some()))
            .collect();
        if programs.is_empty() {
            return String::new();
        }
        let mut out = format!(
            "<h2>Curves by program</h2>\n<p class=\"note\">Coverage over time, the median \
             over seeds.</p>\n{}<div class=\"plots small\">\n",
            self.legend()
        );
        for (number, program) in programs {
            out += &self.plot(&program.name, time, PlotScale::Percent, |strategy, end| {
                series::coverage(findings, &[number], strategy, time, end)
            });
        }
        out + "</div>\n"
    }
}

//! Plots as SVG, with the colours of the page's style sheet.

use std::fmt::Write;

use byway_base::quantity::compact;

use crate::series::CurvePoint;

/// The size of a plot in its own units. Text is 14 units high, which is readable on a phone.
const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 50.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 46.0;
/// Around a plot in a file of its own.
const TITLE: f64 = 32.0;
const LEGEND_ROW: f64 = 22.0;
const LEGEND_COLUMNS: usize = 3;

/// Colours of the style sheet; further lines repeat them with other dashes.
pub const COLOURS: usize = 8;

/// The position of zero on a logarithmic axis.
const ZERO: f64 = -0.4;

/// A curve of a plot.
pub struct Curve<'a> {
    /// Selects colour and dashes.
    pub number: usize,
    /// Shown as a tooltip, and in the legend.
    pub name: &'a str,
    /// By ascending position.
    pub points: Vec<CurvePoint>,
    /// Drawn with confidence intervals.
    pub banded: bool,
    /// Drawn in grey, for comparison.
    pub faint: bool,
}

/// The vertical axis.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum PlotScale {
    /// Fractions, in percent.
    Percent,
    /// Counts, logarithmic.
    Logarithmic,
}

/// A plot of several curves.
pub struct Plot<'a> {
    /// A description for screen readers.
    pub title: String,
    /// The label of the horizontal axis.
    pub x_label: &'a str,
    /// The end of the horizontal axis.
    pub end: f64,
    /// The vertical axis.
    pub scale: PlotScale,
    /// What is drawn.
    pub curves: Vec<Curve<'a>>,
    /// Unique on the page.
    pub number: usize,
}

impl Plot<'_> {
    /// The plot as part of a page that has the style sheet.
    pub fn render(&self) -> String {
        format!(
            "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">\n{}</svg>\n",
            super::html::escaped(&self.title),
            self.contents()
        )
    }

    /// The plot as a file of its own, with its title and a legend.
    pub fn standalone(&self) -> String {
        let rows = self.curves.len().div_ceil(LEGEND_COLUMNS);
        let height = TITLE + HEIGHT + rows as f64 * LEGEND_ROW + BOTTOM / 2.0;
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\">\n\
             <style>\n{}</style>\n\
             <rect width=\"{WIDTH}\" height=\"{height}\" style=\"fill: var(--panel)\"/>\n\
             <text class=\"across\" x=\"{}\" y=\"{}\">{}</text>\n\
             <g transform=\"translate(0 {TITLE})\">\n{}</g>\n",
            super::html::STYLE,
            WIDTH / 2.0,
            TITLE - 8.0,
            super::html::escaped(&self.title),
            self.contents()
        );
        for (index, curve) in self.curves.iter().enumerate() {
            let x = (index % LEGEND_COLUMNS) as f64 * (WIDTH / LEGEND_COLUMNS as f64) + 20.0;
            let y = TITLE + HEIGHT + (index / LEGEND_COLUMNS + 1) as f64 * LEGEND_ROW;
            // Writing into a string cannot fail.
            let _ = writeln!(
                out,
                "<path class=\"{}\" d=\"M{x:.1} {:.1}h32\"/><text x=\"{:.1}\" y=\"{y:.1}\">{}</text>",
                class_of(curve.number),
                y - 5.0,
                x + 40.0,
                super::html::escaped(curve.name)
            );
        }
        out.push_str("</svg>\n");
        out
    }

    /// Axes and curves, without the element around them.
    fn contents(&self) -> String {
        let (low, high) = self.range();
        let place = |x: f64, y: f64| {
            let across = if self.end > 0.0 { x / self.end } else { 0.0 };
            let up = (self.height(y) - low) / (high - low);
            (LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM))
        };
        let mut out = String::new();
        let (right, base) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        let clip = format!("clip{}", self.number);
        // Writing into a string cannot fail.
        let _ = writeln!(
            out,
            "<clipPath id=\"{clip}\"><rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{}\" height=\"{}\"/>\
             </clipPath>",
            right - LEFT,
            base - TOP
        );
        for (value, words) in self.vertical_ticks(low, high) {
            let y = HEIGHT - BOTTOM - (value - low) / (high - low) * (HEIGHT - TOP - BOTTOM);
            let _ = writeln!(
                out,
                "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{right}\"/>\
                 <text class=\"up\" x=\"{}\" y=\"{:.1}\">{words}</text>",
                LEFT - 6.0,
                y + 4.5
            );
        }
        for value in ticks(self.end) {
            let (x, _) = place(value, 0.0);
            let _ = writeln!(
                out,
                "<path class=\"grid\" d=\"M{x:.1} {base}v5\"/>\
                 <text class=\"across\" x=\"{x:.1}\" y=\"{}\">{}</text>",
                base + 19.0,
                number(value)
            );
        }
        let _ = writeln!(
            out,
            "<text class=\"across\" x=\"{}\" y=\"{}\">{}</text>\n<g clip-path=\"url(#{clip})\">",
            (LEFT + right) / 2.0,
            HEIGHT - 7.0,
            self.x_label
        );
        for curve in self.curves.iter().filter(|curve| curve.banded) {
            let upper = curve.points.iter().filter_map(|p| Some(place(p.x, p.band?.high)));
            let lower = curve.points.iter().rev().filter_map(|p| Some(place(p.x, p.band?.low)));
            let outline: Vec<(f64, f64)> = upper.chain(lower).collect();
            if !outline.is_empty() {
                let colour = curve.number % COLOURS;
                let d = path(&outline);
                let _ = writeln!(out, "<path class=\"band k{colour}\" d=\"{d}Z\"/>");
            }
        }
        for curve in &self.curves {
            let line: Vec<(f64, f64)> = curve.points.iter().map(|p| place(p.x, p.y)).collect();
            if line.is_empty() {
                continue;
            }
            let name = super::html::escaped(curve.name);
            let class = match curve.faint {
                true => "line faint".to_string(),
                false => class_of(curve.number),
            };
            let d = path(&line);
            let _ = writeln!(out, "<path class=\"{class}\" d=\"{d}\"><title>{name}</title></path>");
        }
        out.push_str("</g>\n");
        out
    }

    /// The vertical position of a value.
    fn height(&self, y: f64) -> f64 {
        match self.scale {
            PlotScale::Percent => y,
            // Zero has no logarithm; it is drawn below 1.
            PlotScale::Logarithmic if y < 1.0 => ZERO * (1.0 - y),
            PlotScale::Logarithmic => y.log10(),
        }
    }

    /// The range of the vertical axis. Low values in the first tenth are cut off: all curves of
    /// coverage start at zero.
    fn range(&self) -> (f64, f64) {
        let heights = |from: f64| {
            let points = self.curves.iter().flat_map(|curve| &curve.points);
            let late = points.filter(move |p| p.x >= self.end * from);
            late.flat_map(|p| [Some(p.y), p.band.map(|band| band.low), p.band.map(|b| b.high)])
                .flatten()
                .map(|y| self.height(y))
        };
        let most = heights(0.0).fold(0.0, f64::max);
        match self.scale {
            PlotScale::Logarithmic => {
                let least = heights(0.0).fold(0.0, f64::min);
                (if least < 0.0 { ZERO } else { 0.0 }, most.ceil().max(1.0))
            }
            PlotScale::Percent => {
                let least = heights(0.1).fold(1.0, f64::min);
                let low = (least * 10.0 - 0.2).floor().max(0.0);
                // Rounding: differences of fractions are not exact tenths.
                let tenths = (most * 10.0 - low - 1e-9).ceil().max(1.0) as usize;
                let high = low as usize + tenths.next_multiple_of(step(tenths));
                // The axis ends at 100 %: any excess is added below.
                let low = low as usize - high.saturating_sub(10).min(low as usize);
                (low as f64 / 10.0, high.min(10) as f64 / 10.0)
            }
        }
    }

    /// The marked positions and their labels.
    fn vertical_ticks(&self, low: f64, high: f64) -> Vec<(f64, String)> {
        match self.scale {
            PlotScale::Percent => {
                let (low, high) = ((low * 10.0).round() as usize, (high * 10.0).round() as usize);
                let mark = |tenth: usize| (tenth as f64 / 10.0, format!("{}%", tenth * 10));
                (low..=high).step_by(step(high - low)).map(mark).collect()
            }
            PlotScale::Logarithmic => {
                let powers = (0..=high as u32)
                    .map(|power| (f64::from(power), number(10f64.powi(power as i32))));
                let nothing = (low < 0.0).then(|| (ZERO, "0".to_string()));
                nothing.into_iter().chain(powers).collect()
            }
        }
    }
}

/// Tenths between two marks, on an axis of `tenths`.
fn step(tenths: usize) -> usize {
    if tenths > 4 { 2 } else { 1 }
}

/// The CSS classes of a strategy's line: colour and dashes.
pub fn class_of(number: usize) -> String {
    format!("line k{} d{}", number % COLOURS, number / COLOURS % 3)
}

fn path(points: &[(f64, f64)]) -> String {
    let mut d = String::new();
    for (index, (x, y)) in points.iter().enumerate() {
        let _ = write!(d, "{}{x:.1} {y:.1}", if index == 0 { 'M' } else { 'L' });
    }
    d
}

/// Four to eight round values from zero to `end`.
fn ticks(end: f64) -> Vec<f64> {
    if end <= 0.0 || !end.is_finite() {
        return vec![0.0];
    }
    let power = 10f64.powf((end / 4.0).log10().floor());
    let step = [5.0, 2.0, 1.0].map(|step| step * power).into_iter().find(|step| end / step >= 4.0);
    let step = step.unwrap_or(power);
    (0..=(end / step + 1e-9) as usize).map(|count| count as f64 * step).collect()
}

fn number(value: f64) -> String {
    match value {
        value if value >= 1000.0 => {
            let text = compact(value as u64);
            text.replace(".0", "")
        }
        value if value.fract() == 0.0 => format!("{value}"),
        value => format!("{value:.2}").trim_end_matches('0').to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(scale: PlotScale, values: &[f64]) -> Plot<'static> {
        let end = (values.len() - 1) as f64;
        let point = |(x, y): (usize, &f64)| CurvePoint { x: x as f64, y: *y, band: None };
        let points = values.iter().enumerate().map(point).collect();
        let curves = vec![Curve { number: 0, name: "", points, banded: false, faint: false }];
        Plot { title: String::new(), x_label: "", end, scale, curves, number: 1 }
    }

    #[test]
    fn no_percent_axis_exceeds_100() {
        for low in 0..=20 {
            for high in low..=20 {
                let (least, most) = (f64::from(low) / 20.0, f64::from(high) / 20.0);
                let plot = plot(PlotScale::Percent, &[least, least, most]);
                let (bottom, top) = plot.range();
                assert!(bottom <= least && most <= top && bottom < top, "{least} {most}");
                assert!((0.0..=1.0).contains(&bottom) && top <= 1.0, "{bottom} to {top}");
                let marks = plot.vertical_ticks(bottom, top);
                assert!(marks.last().is_some_and(|(at, _)| (at - top).abs() < 1e-9), "{marks:?}");
            }
        }
    }

    #[test]
    fn a_file_has_the_style_and_a_legend() {
        let mut plot = plot(PlotScale::Logarithmic, &[1.0, 40.0]);
        plot.curves[0].name = "a<b";
        let page = plot.standalone();
        assert!(page.starts_with("<svg xmlns=") && page.ends_with("</svg>\n"), "{page}");
        assert_eq!((page.matches("<svg").count(), page.matches("a&lt;b</text>").count()), (1, 1));
        assert!(page.contains("--k0:") && !plot.render().contains("--k0:"), "{page}");
    }

    #[test]
    fn zero_states_are_below_one() {
        let heights = |values: &[f64]| {
            let plot = plot(PlotScale::Logarithmic, values);
            let (low, high) = plot.range();
            (low, plot.vertical_ticks(low, high).into_iter().map(|(_, words)| words).collect())
        };
        let of = |words: &[&str]| words.iter().map(|word| word.to_string()).collect::<Vec<_>>();
        assert_eq!(heights(&[1.0, 40.0]), (0.0, of(&["1", "10", "100"])));
        assert_eq!(heights(&[1.0, 40.0, 0.0]), (ZERO, of(&["0", "1", "10", "100"])));
    }

    #[test]
    fn marks_are_round() {
        assert_eq!(ticks(60.0), [0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0]);
        assert_eq!(ticks(5.0), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(ticks(200_000.0).last(), Some(&200_000.0));
        assert_eq!(ticks(0.0), [0.0]);
        for end in [0.013, 0.9, 1.0, 3.3, 7.0, 99.0, 1234.0, 5e7] {
            assert!((4..=11).contains(&ticks(end).len()), "{end}: {:?}", ticks(end));
        }
        assert_eq!(
            [0.25, 20.0, 200_000.0, 1_500_000.0].map(number),
            ["0.25", "20", "200k", "1.5M"]
        );
    }
}

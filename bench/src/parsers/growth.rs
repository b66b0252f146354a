//! Whether coverage stays when the input grows.
//!
//! A parser on a longer input does everything that it does on a shorter one, and more. So for the
//! same work it may cover more, or as much; but a path on a longer input takes more
//! instructions, for which there is a tolerance.

use std::fmt::Write as _;

/// How much less than the best of all shorter inputs may be covered, as a fraction of it. Another
/// seed alone changes up to 0.13, and the median of three seeds up to 0.06.
const TOLERANCE: f64 = 0.1;

/// The coverage of one program.
#[derive(PartialEq, Debug)]
pub struct CoverageGrowth {
    program: String,
    /// Size of the input and lines covered, in ascending order.
    lines: Vec<(u32, usize)>,
    /// The sizes with less coverage than a smaller one.
    pub falls: Vec<u32>,
}

/// Compares each size with all smaller ones of the same program. Rows: program, size, lines; the
/// median counts where a size has several.
pub fn check(rows: impl Iterator<Item = (&'static str, u32, usize)>) -> Vec<CoverageGrowth> {
    let mut all: Vec<CoverageGrowth> = Vec::new();
    for (program, size, lines) in rows {
        let found = all.iter().position(|it| it.program == program);
        let index = found.unwrap_or_else(|| {
            all.push(CoverageGrowth {
                program: program.into(),
                lines: Vec::new(),
                falls: Vec::new(),
            });
            all.len() - 1
        });
        all[index].lines.push((size, lines));
    }
    for growth in &mut all {
        growth.lines.sort_unstable();
        let by_size = growth.lines.chunk_by(|a, b| a.0 == b.0);
        growth.lines = by_size.map(|rows| rows[rows.len() / 2]).collect();
        let mut best = 0;
        for &(size, lines) in &growth.lines {
            if (lines as f64) < best as f64 * (1.0 - TOLERANCE) {
                growth.falls.push(size);
            }
            best = best.max(lines);
        }
    }
    all
}

/// The comparison as a table. `./dev test` sums the columns `held` and `fell`.
pub fn table(all: &[CoverageGrowth]) -> String {
    let mut text = format!(
        "Lines covered for the same work; a size fell if it has less than {:.0} % of what a smaller one has.\n\n\
         | program | sizes | held | fell | lines by size |\n|---|---:|---:|---:|---|\n",
        100.0 * (1.0 - TOLERANCE)
    );
    for CoverageGrowth { program, lines, falls } in all {
        let sizes: Vec<String> = lines
            .iter()
            .map(|(size, lines)| {
                let mark = if falls.contains(size) { " (!)" } else { "" };
                format!("{size}: {lines}{mark}")
            })
            .collect();
        let (count, fell) = (lines.len(), falls.len());
        let sizes = sizes.join(", ");
        let _ = writeln!(text, "| {program} | {count} | {} | {fell} | {sizes} |", count - fell);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fall_is_less_than_any_smaller_size_beyond_the_tolerance() {
        let rows = [
            ("a", 8, 100),
            ("a", 32, 90),
            ("a", 16, 80),
            ("a", 64, 89),
            ("b", 8, 50),
            ("b", 16, 500),
            ("b", 32, 51),
            ("b", 32, 20),
            ("b", 32, 52),
        ];
        let all = check(rows.into_iter());
        assert_eq!(all.len(), 2);
        assert_eq!((&all[0].falls, &all[1].falls), (&vec![16, 64], &vec![32]));
        let text = table(&all);
        assert!(
            text.contains("| a | 4 | 2 | 2 | 8: 100, 16: 80 (!), 32: 90, 64: 89 (!) |"),
            "{text}"
        );
    }
}

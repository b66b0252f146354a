//! The verdicts as a table for the terminal.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use byway_base::quantity;
use byway_native::sandbox::Containment;

use super::verdict::Verdict;
use crate::console::Style;
use crate::native_run::RunTest;

/// The number of tests that are listed; the rest is counted.
const NAMED: usize = 8;

/// How the tests were run and compared.
#[derive(Clone, Default)]
pub struct ReplaySetup {
    /// The isolation; `None` if there were no tests.
    pub containment: Option<Containment>,
    /// A description of the exact comparison.
    pub exact: String,
    /// A description of the second program: `with sanitizers ...`, `on 'binary'`.
    pub also_on: String,
    /// The time limit of each native run.
    pub time_limit: Duration,
}

/// Verdicts by kind.
#[derive(Default)]
pub struct ReplayTable {
    total: usize,
    setup: ReplaySetup,
    agree: usize,
    unpredicted: usize,
    divergences: Vec<TestDivergence>,
    /// Tests that did not end in time, by prediction.
    timed_out: BTreeMap<String, Vec<u64>>,
    /// Tests that agree exactly and differ only on the second program.
    elsewhere: Vec<TestDivergence>,
    /// Tests by the reason why they cannot be compared and by prediction.
    incomparable: BTreeMap<(String, String), Vec<u64>>,
}

struct TestDivergence {
    number: u64,
    predicted: String,
    happened: String,
}

impl ReplayTable {
    /// Groups the verdicts.
    pub fn new(tests: &[RunTest], verdicts: &[Option<Verdict>], setup: ReplaySetup) -> Self {
        let mut table = ReplayTable { total: tests.len(), setup, ..ReplayTable::default() };
        for (test, verdict) in tests.iter().zip(verdicts) {
            let number = test.number;
            match verdict.clone() {
                None => {}
                Some(Verdict::Agrees) => table.agree += 1,
                Some(Verdict::NoPrediction) => table.unpredicted += 1,
                Some(Verdict::Diverges { predicted, happened }) => {
                    table.divergences.push(TestDivergence { number, predicted, happened });
                }
                Some(Verdict::AgreesExactly { predicted, elsewhere: happened }) => {
                    table.agree += 1;
                    table.elsewhere.push(TestDivergence { number, predicted, happened });
                }
                Some(Verdict::TimedOut { predicted }) => {
                    table.timed_out.entry(predicted).or_default().push(number);
                }
                Some(Verdict::NotComparable { predicted, why }) => {
                    table.incomparable.entry((why, predicted)).or_default().push(number);
                }
            }
        }
        table
    }

    /// Whether at least one test diverges or did not end in time.
    pub fn diverges(&self) -> bool {
        !self.divergences.is_empty() || !self.timed_out.is_empty()
    }

    /// Whether every test was run.
    pub fn is_complete(&self) -> bool {
        self.done() == self.total
    }

    fn incomparable(&self) -> usize {
        self.incomparable.values().map(Vec::len).sum()
    }

    fn timed_out(&self) -> usize {
        self.timed_out.values().map(Vec::len).sum()
    }

    fn done(&self) -> usize {
        self.agree
            + self.unpredicted
            + self.divergences.len()
            + self.timed_out()
            + self.incomparable()
    }

    /// Renders the table as text.
    pub fn render(&self, run: &Path, style: Style) -> String {
        let mut text = String::new();
        // Writing into a string cannot fail.
        let _ = self.write(&mut text, run, style);
        text
    }

    fn write(&self, out: &mut String, run: &Path, style: Style) -> std::fmt::Result {
        let tests = if self.total == 1 { "1 test".into() } else { format!("{} tests", self.total) };
        writeln!(out, "{} of '{}', run natively", style.strong(tests), run.display())?;
        if let Some(containment) = self.setup.containment {
            writeln!(out, "  contained by       {containment}")?;
        }
        writeln!(out, "  exact comparison   {}", self.setup.exact)?;
        writeln!(out, "  and also           {}", self.setup.also_on)?;
        if !self.is_complete() {
            writeln!(out, "  interrupted after  {}", self.done())?;
        }
        writeln!(out, "  agree              {}", self.agree)?;
        let diverge = match self.divergences.len() {
            0 => "0".into(),
            count => style.error(count),
        };
        writeln!(out, "  diverge            {diverge}")?;
        if !self.timed_out.is_empty() {
            writeln!(out, "  timed out          {}", style.error(self.timed_out()))?;
        }
        writeln!(out, "  not comparable     {}", self.incomparable())?;
        writeln!(out, "  no prediction      {}", self.unpredicted)?;
        let agree = format!("agree, but not {}:", self.setup.also_on);
        for (list, title) in [(&self.divergences, "diverge:"), (&self.elsewhere, agree.as_str())] {
            if !list.is_empty() {
                writeln!(out, "\n{}", style.strong(title))?;
            }
            for TestDivergence { number, predicted, happened } in list {
                writeln!(out, "  {number:06}  predicted: {predicted}")?;
                writeln!(out, "          happened:  {happened}")?;
            }
        }
        if !self.timed_out.is_empty() {
            let limit = quantity::time(self.setup.time_limit);
            let title = format!("timed out after {limit} (--timeout raises the limit):");
            writeln!(out, "\n{}", style.strong(title))?;
        }
        for (predicted, numbers) in &self.timed_out {
            writeln!(out, "  {}  predicted: {predicted}", named(numbers))?;
        }
        if !self.incomparable.is_empty() {
            writeln!(out, "\n{}", style.strong("not comparable:"))?;
        }
        for ((why, predicted), numbers) in &self.incomparable {
            writeln!(out, "  {}  {predicted}", named(numbers))?;
            writeln!(out, "          {why}")?;
        }
        Ok(())
    }
}

fn named(numbers: &[u64]) -> String {
    let shown: Vec<String> =
        numbers.iter().take(NAMED).map(|number| format!("{number:06}")).collect();
    match numbers.len().saturating_sub(NAMED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(number: u64) -> RunTest {
        RunTest {
            number,
            name: format!("{number:06}.ktest"),
            outcome: None,
            in_library: false,
            instructions: None,
        }
    }

    #[test]
    fn everything_is_counted_and_divergences_are_shown() {
        let tests: Vec<RunTest> = (1..=7).map(test).collect();
        let words = |text: &str| text.to_string();
        let odd = || Verdict::NotComparable { predicted: words("p"), why: words("w") };
        let diverges = Verdict::Diverges { predicted: words("exit code 0"), happened: words("h") };
        let verdicts = [
            Some(Verdict::Agrees),
            Some(diverges),
            Some(odd()),
            Some(odd()),
            Some(Verdict::NoPrediction),
            Some(Verdict::AgreesExactly { predicted: words("p"), elsewhere: words("e") }),
            Some(Verdict::TimedOut { predicted: words("exit code 0") }),
        ];
        let setup = ReplaySetup {
            containment: Some(Containment::None),
            exact: "none: no musl".into(),
            also_on: "on 'b'".into(),
            time_limit: Duration::from_secs(10),
        };
        let table = ReplayTable::new(&tests, &verdicts, setup);
        assert!(table.diverges() && table.is_complete());
        let expected = "\
7 tests of 'run', run natively
  contained by       resource limits only
  exact comparison   none: no musl
  and also           on 'b'
  agree              2
  diverge            1
  timed out          1
  not comparable     2
  no prediction      1

diverge:
  000002  predicted: exit code 0
          happened:  h

agree, but not on 'b':
  000006  predicted: p
          happened:  e

timed out after 10.0 s (--timeout raises the limit):
  000007  predicted: exit code 0

not comparable:
  000003, 000004  p
          w
";
        assert_eq!(table.render(Path::new("run"), Style::new(false)), expected);
    }

    #[test]
    fn tests_that_did_not_run_are_counted() {
        let table = ReplayTable::new(
            &[test(1), test(2)],
            &[Some(Verdict::Agrees), None],
            ReplaySetup::default(),
        );
        assert!(!table.is_complete() && !table.diverges());
        let text = table.render(Path::new("run"), Style::new(false));
        assert!(text.contains("interrupted after  1\n"), "{text}");
    }

    #[test]
    fn many_tests_are_counted() {
        let numbers: Vec<u64> = (1..=10).collect();
        assert!(named(&numbers).ends_with("000008 and 2 more"));
    }
}

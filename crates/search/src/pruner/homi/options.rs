//! The constants of the paper, as options.

use crate::pruner::{ClockSpan, ClockUnit};

/// How [`Homi`](super::Homi) learns. Times and work are in units of the clock.
#[derive(Clone, PartialEq, Debug)]
pub struct HomiOptions {
    /// What the clock counts.
    pub unit: ClockUnit,
    /// States are dropped once in this interval: η_t in the paper.
    pub interval: u64,
    /// The longest run: τ_max.
    pub longest: u64,
    /// The first run lasts until memory is short, and the two lengths above follow from that.
    pub until_memory: bool,
    /// The number of lengths of runs: τ_max / n, 2 τ_max / n, ..., τ_max.
    pub lengths: u32,
    /// The largest fraction of the states that is dropped at once: η_max.
    pub largest: f64,
    /// The number of fractions, likewise.
    pub fractions: u32,
    /// Runs with random weights before what is learnt is used: m.
    pub exploring: u32,
    /// How many draws the weight farthest from a learnt one is chosen from.
    pub draws: u32,
    /// Whether anything is learnt. If not, states, fractions and lengths are random: what the paper
    /// compares learning with.
    pub learns: bool,
}

impl Default for HomiOptions {
    /// Those of the paper.
    fn default() -> HomiOptions {
        HomiOptions {
            unit: ClockUnit::ProcessorTime,
            interval: 30_000,
            longest: 800_000,
            until_memory: false,
            lengths: 4,
            largest: 0.6,
            fractions: 3,
            exploring: 10,
            draws: 100,
            learns: true,
        }
    }
}

impl HomiOptions {
    /// Reads `KEY=VALUE,...`. The keys are `interval`, `run`, `lengths`, `fraction`, `fractions`,
    /// `explore`, `draws` and `learn`; what is missing is as in the paper.
    pub fn parse(text: &str) -> Result<HomiOptions, String> {
        let mut options = HomiOptions::default();
        let (mut interval, mut run) = (None, None);
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (key, value) =
                part.split_once('=').ok_or_else(|| format!("`{part}` is not KEY=VALUE"))?;
            match key.trim() {
                "interval" => interval = Some(ClockSpan::parse(value)?),
                "run" if value.trim() == "memory" => options.until_memory = true,
                "run" => run = Some(ClockSpan::parse(value)?),
                "lengths" => options.lengths = positive(value)?,
                "fraction" => options.largest = fraction(value)?,
                "fractions" => options.fractions = positive(value)?,
                "explore" => options.exploring = positive(value)?,
                "draws" => options.draws = positive(value)?,
                "learn" => options.learns = yes_or_no(value)?,
                other => {
                    return Err(format!(
                        "unknown key `{other}`; the keys are interval, run, lengths, fraction, \
                         fractions, explore, draws and learn"
                    ));
                }
            }
        }
        if options.until_memory {
            if interval.or(run).is_some() {
                return Err("`run=memory` sets the interval too".into());
            }
            options.unit = ClockUnit::Work;
        }
        if let Some(unit) = interval.or(run).map(|span| span.unit) {
            let (Some(interval), Some(run)) = (interval, run) else {
                return Err("give both `interval` and `run`, or neither".into());
            };
            if interval.unit != run.unit {
                return Err("`interval` and `run` are both times, or both work".into());
            }
            (options.unit, options.interval, options.longest) = (unit, interval.length, run.length);
        }
        Ok(options)
    }

    /// Takes the length of a run that filled the memory as the longest, and the interval in the
    /// paper's proportion to it.
    pub fn fit_to(&mut self, run: u64) {
        let paper = HomiOptions::default();
        self.longest = run.max(LEAST_RUN);
        let interval = u128::from(self.longest) * u128::from(paper.interval);
        self.interval = (interval / u128::from(paper.longest)) as u64;
        self.until_memory = false;
    }

    /// The lengths that runs can have.
    pub fn run_lengths(&self) -> Vec<u64> {
        let step = |i: u32| {
            (u128::from(self.longest) * u128::from(i) / u128::from(self.lengths)).max(1) as u64
        };
        (1..=self.lengths).map(step).collect()
    }

    /// The fractions of the states that can be dropped.
    pub fn drop_fractions(&self) -> Vec<f64> {
        let step = |i: u32| self.largest * f64::from(i) / f64::from(self.fractions);
        (1..=self.fractions).map(step).collect()
    }
}

/// The least work of the longest run, if it follows from the memory.
const LEAST_RUN: u64 = 1_000_000;

/// The most steps of a range, and the most draws.
const MOST: u32 = 10_000;

fn positive(text: &str) -> Result<u32, String> {
    match text.trim().parse() {
        Ok(number @ 1..=MOST) => Ok(number),
        _ => Err(format!("`{text}` is not a number from 1 to {MOST}")),
    }
}

fn yes_or_no(text: &str) -> Result<bool, String> {
    match text.trim() {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(format!("`{text}` is neither yes nor no")),
    }
}

/// Reads a fraction greater than 0 and less than 1.
pub fn fraction(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(number) if number > 0.0 && number < 1.0 => Ok(number),
        _ => Err(format!("`{text}` is not a fraction between 0 and 1")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_those_of_the_paper() {
        let options = HomiOptions::parse("").expect("valid");
        assert_eq!(options, HomiOptions::default());
        assert_eq!(options.run_lengths(), [200_000, 400_000, 600_000, 800_000]);
        let fractions = options.drop_fractions();
        assert!(
            fractions.iter().zip([0.2, 0.4, 0.6]).all(|(a, b)| (a - b).abs() < 1e-12),
            "{fractions:?}"
        );
    }

    #[test]
    fn every_constant_is_an_option() {
        let text = "interval=1M, run=9M, lengths=3, fraction=0.8, fractions=4, explore=2, draws=5, \
                    learn=no";
        let options = HomiOptions::parse(text).expect("valid");
        let expected = HomiOptions {
            unit: ClockUnit::Work,
            interval: 1_000_000,
            longest: 9_000_000,
            until_memory: false,
            lengths: 3,
            largest: 0.8,
            fractions: 4,
            exploring: 2,
            draws: 5,
            learns: false,
        };
        assert_eq!(options, expected);
        assert_eq!(options.run_lengths(), [3_000_000, 6_000_000, 9_000_000]);
    }

    #[test]
    fn lengths_follow_from_a_run_that_filled_the_memory() {
        let mut options = HomiOptions::parse("run=memory, explore=2").expect("valid");
        assert!(options.until_memory && options.unit == ClockUnit::Work);
        options.fit_to(80_000_000);
        assert_eq!((options.interval, options.longest), (3_000_000, 80_000_000));
        assert!(!options.until_memory);
        options.fit_to(1);
        assert_eq!(options.longest, LEAST_RUN);
    }

    #[test]
    fn mistakes_are_explained() {
        let cases = [
            ("run=memory,interval=1s", "sets the interval too"),
            ("interval", "is not KEY=VALUE"),
            ("speed=3", "unknown key `speed`"),
            ("interval=1s", "both `interval` and `run`"),
            ("interval=1s,run=5M", "both times, or both work"),
            ("fraction=1", "is not a fraction between 0 and 1"),
            ("lengths=0", "is not a number from 1 to"),
            ("interval=0s,run=1s", "expected a time"),
            ("interval=0,run=1", "expected a time"),
        ];
        for (text, why) in cases {
            let error = HomiOptions::parse(text).expect_err(text);
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}

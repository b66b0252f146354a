//! Whether greedy does on a program what it should.

use super::exploration::MeasuredExploration;

/// The most time of greedy, as a multiple of the time of the better half.
const MOST_TIMES: f64 = 1.5;

/// What a program needs.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ProgramGroup {
    Random,
    Solving,
    /// Random tests and solving on one path.
    Both,
}

impl ProgramGroup {
    /// The group that a name begins with.
    pub fn of(name: &str) -> Option<ProgramGroup> {
        match name.split_once('-')?.0 {
            "random" => Some(ProgramGroup::Random),
            "solving" => Some(ProgramGroup::Solving),
            "both" => Some(ProgramGroup::Both),
            _ => None,
        }
    }
}

/// The explorations with each half of greedy, by seed.
pub struct Halves<'a> {
    pub random: &'a [MeasuredExploration],
    pub solving: &'a [MeasuredExploration],
}

/// How greedy compares with its halves on a program.
pub struct Judgement {
    /// Seeds with which greedy covers less than the better half.
    covers_less: usize,
    /// The time of greedy to cover what the better half covers, as a multiple of the time of that
    /// half. Times are added up over the seeds; `None` if greedy never covers as much.
    pub ratio: Option<f64>,
    /// The program needs both halves, and greedy does not cover all of it with every seed.
    is_incomplete: bool,
    /// Remarks on halves that cover all of the program with some seed, against its group.
    too_easy: Vec<&'static str>,
    group: ProgramGroup,
}

impl Judgement {
    /// Compares explorations, in the same order of seeds.
    pub fn new(group: ProgramGroup, greedy: &[MeasuredExploration], halves: &Halves) -> Judgement {
        let (mut covers_less, mut own_time, mut better_time) = (0, 0.0, 0.0);
        for ((own, random), solving) in greedy.iter().zip(halves.random).zip(halves.solving) {
            let better = better(random, solving);
            match own.time_to(better.sides()) {
                Some(time) => {
                    own_time += time;
                    better_time += better.last_new();
                }
                None => covers_less += usize::from(better.sides() > 0),
            }
        }
        let is_easy =
            |runs: &[MeasuredExploration]| runs.iter().any(MeasuredExploration::is_complete);
        let easy = [
            (
                "random tests alone cover all",
                group != ProgramGroup::Random && is_easy(halves.random),
            ),
            ("solving alone covers all", group != ProgramGroup::Solving && is_easy(halves.solving)),
        ];
        let needs_both = group == ProgramGroup::Both;
        Judgement {
            covers_less,
            ratio: (better_time > 0.0).then(|| own_time / better_time),
            is_incomplete: needs_both && !greedy.iter().all(MeasuredExploration::is_complete),
            too_easy: easy.iter().filter(|half| half.1).map(|half| half.0).collect(),
            group,
        }
    }

    pub fn holds(&self) -> bool {
        let is_only_one = self.group != ProgramGroup::Both || self.too_easy.is_empty();
        let is_fast = self.ratio.is_some_and(|ratio| ratio <= MOST_TIMES);
        self.covers_less == 0 && is_fast && !self.is_incomplete && is_only_one
    }

    /// The verdict in words.
    pub fn verdict(&self) -> String {
        let mut parts = Vec::new();
        if self.holds() {
            parts.push("holds".to_owned());
        }
        if self.covers_less > 0 {
            parts.push(format!("covers less (seeds: {})", self.covers_less));
        }
        if self.ratio.is_some_and(|ratio| ratio > MOST_TIMES) {
            parts.push("too slow".to_owned());
        }
        if self.is_incomplete {
            parts.push("not covered completely".to_owned());
        }
        parts.extend(self.too_easy.iter().map(|&remark| remark.to_owned()));
        parts.join("; ")
    }
}

/// The one that covers more, or the same earlier.
fn better<'a>(a: &'a MeasuredExploration, b: &'a MeasuredExploration) -> &'a MeasuredExploration {
    let is_first = a.sides() > b.sides() || a.sides() == b.sides() && a.last_new() <= b.last_new();
    if is_first { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(group: ProgramGroup, steps: [&[(f64, u32)]; 3]) -> Judgement {
        let [greedy, random, solving] = steps.map(|steps| [MeasuredExploration::that_grew(steps)]);
        Judgement::new(group, &greedy, &Halves { random: &random, solving: &solving })
    }

    #[test]
    fn greedy_is_compared_with_the_better_half() {
        let good = judge(ProgramGroup::Random, [&[(1.4, 4)], &[(1.0, 4)], &[(0.1, 2)]]);
        assert!(good.holds() && good.ratio == Some(1.4), "{}", good.verdict());
        let slow = judge(ProgramGroup::Solving, [&[(1.6, 4)], &[(0.1, 2)], &[(1.0, 4)]]);
        assert!(!slow.holds() && slow.verdict() == "too slow");
        let less = judge(ProgramGroup::Random, [&[(1.0, 3)], &[(1.0, 4)], &[]]);
        assert!(!less.holds() && less.ratio.is_none());
        assert_eq!(less.verdict(), "covers less (seeds: 1)");
    }

    #[test]
    fn what_needs_both_is_covered_by_greedy_alone() {
        let both = |steps| judge(ProgramGroup::Both, steps);
        assert!(both([&[(1.0, 2), (3.0, 4)], &[(1.0, 1)], &[(1.0, 2)]]).holds());
        let incomplete = both([&[(1.0, 2)], &[(1.0, 1)], &[(1.0, 2)]]);
        assert_eq!(incomplete.verdict(), "not covered completely");
        let easy = both([&[(1.0, 4)], &[(1.0, 1)], &[(1.0, 4)]]);
        assert!(!easy.holds() && easy.verdict() == "solving alone covers all");
        // In the other groups it is worth a remark only.
        let remark = judge(ProgramGroup::Random, [&[(1.0, 4)], &[(1.0, 4)], &[(1.0, 4)]]);
        assert!(remark.holds() && remark.verdict() == "holds; solving alone covers all");
    }

    #[test]
    fn names_begin_with_a_group() {
        assert_eq!(ProgramGroup::of("both-magic-hash"), Some(ProgramGroup::Both));
        assert_eq!(ProgramGroup::of("other-hash"), None);
    }
}

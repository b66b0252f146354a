//! How the members of a portfolio shared the work over time, and the new coverage of each.
//!
//! Time is measured in work and divided into slices of equal width. The length of a run is
//! not known in advance, so whenever there are too many slices the width doubles and
//! neighbours are merged: a run ends with ten to twenty slices, or fewer if it was short.

use byway_base::Work;

/// Reaching this limit doubles the width and halves the number of slices.
const MOST_SLICES: usize = 20;

/// The initial width. Every width is this times a power of two, so records can be added.
const NARROWEST: Work = Work(10_000);

/// The work and the new coverage of one member in one slice.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct MemberShare {
    /// The work spent in its turns.
    pub work: Work,
    /// Branch sides and functions of user code that were first covered in its turns.
    pub gained: u64,
}

impl MemberShare {
    fn add(&mut self, other: MemberShare) {
        self.work += other.work;
        self.gained += other.gained;
    }
}

/// The shares of all members of one portfolio, slice by slice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PortfolioShares {
    /// The specification of the portfolio.
    pub name: String,
    /// The specifications of the members.
    pub members: Vec<String>,
    /// The work that one slice covers.
    pub width: Work,
    /// For each slice, the share of each member in the order of `members`.
    pub slices: Vec<Vec<MemberShare>>,
}

impl PortfolioShares {
    /// An empty record.
    pub fn new(name: String, members: Vec<String>) -> PortfolioShares {
        PortfolioShares { name, members, width: NARROWEST, slices: Vec::new() }
    }

    /// Records a turn that ended at `at`: its work is split over the slices it spans, its
    /// new coverage belongs to the last of them.
    pub fn record(&mut self, at: Work, member: usize, share: MemberShare) {
        while at.0.div_ceil(self.width.0) as usize > MOST_SLICES {
            self.widen();
        }
        let (mut end, mut left) = (at.0, share.work.0);
        self.add_at(end, member, MemberShare { work: Work::ZERO, gained: share.gained });
        while left > 0 {
            let begin = end.saturating_sub(1) / self.width.0 * self.width.0;
            // Work from before the start of the clock belongs to the first slice.
            let here = if begin == 0 { left } else { left.min(end - begin) };
            self.add_at(end, member, MemberShare { work: Work(here), gained: 0 });
            (end, left) = (begin, left - here);
        }
    }

    /// Adds to the slice that ends at `at` or contains it.
    fn add_at(&mut self, at: u64, member: usize, share: MemberShare) {
        let slice = (at.saturating_sub(1) / self.width.0) as usize;
        if self.slices.len() <= slice {
            self.slices.resize(slice + 1, vec![MemberShare::default(); self.members.len()]);
        }
        if let Some(entry) = self.slices[slice].get_mut(member) {
            entry.add(share);
        }
    }

    /// Adds the record of another worker that runs the same portfolio.
    pub fn add(&mut self, other: &PortfolioShares) {
        let mut other = other.clone();
        while self.width < other.width {
            self.widen();
        }
        while other.width < self.width {
            other.widen();
        }
        let none = vec![MemberShare::default(); self.members.len()];
        let slices = self.slices.len().max(other.slices.len());
        self.slices.resize(slices, none);
        for (slice, others) in self.slices.iter_mut().zip(&other.slices) {
            slice.iter_mut().zip(others).for_each(|(share, other)| share.add(*other));
        }
    }

    /// Doubles the width and merges pairs of slices.
    fn widen(&mut self) {
        self.width = Work(self.width.0 * 2);
        let pairs = self.slices.chunks(2).map(|pair| {
            let mut sum = pair[0].clone();
            for second in &pair[1..] {
                sum.iter_mut().zip(second).for_each(|(share, other)| share.add(*other));
            }
            sum
        });
        self.slices = pairs.collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alternating(work: u64, step: u64) -> PortfolioShares {
        let mut shares = PortfolioShares::new("both".into(), vec!["a".into(), "b".into()]);
        let mut now = 0;
        while now < work {
            let member = (now / step % 2) as usize;
            now += step;
            shares.record(Work(now), member, MemberShare { work: Work(step), gained: 1 });
        }
        shares
    }

    fn sums(shares: &PortfolioShares) -> (u64, u64) {
        let all = || shares.slices.iter().flatten();
        (all().map(|share| share.work.0).sum(), all().map(|share| share.gained).sum())
    }

    #[test]
    fn merging_slices_keeps_all_work() {
        for work in [10_000, 100_000, 1_000_000, 123_450_000] {
            let shares = alternating(work, 10_000);
            assert_eq!(sums(&shares), (work, work / 10_000));
            assert!(shares.slices.len() <= MOST_SLICES, "{}", shares.slices.len());
            assert!(work < 200_000 || shares.slices.len() >= MOST_SLICES / 2);
            // Every slice but the last is full.
            let full = |slice: &Vec<MemberShare>| slice.iter().map(|s| s.work.0).sum::<u64>();
            let (_, before) = shares.slices.split_last().expect("some");
            assert!(before.iter().all(|slice| full(slice) == shares.width.0));
        }
    }

    #[test]
    fn a_turn_is_split_over_the_slices_it_spans() {
        let mut shares = PortfolioShares::new("one".into(), vec!["a".into()]);
        shares.record(Work(5_000), 0, MemberShare { work: Work(5_000), gained: 1 });
        shares.record(Work(32_000), 0, MemberShare { work: Work(25_000), gained: 7 });
        let slices: Vec<(u64, u64)> =
            shares.slices.iter().map(|slice| (slice[0].work.0, slice[0].gained)).collect();
        assert_eq!(slices, [(8_000, 1), (10_000, 0), (10_000, 0), (2_000, 7)]);
    }

    #[test]
    fn records_of_workers_are_added_by_slice() {
        let (long, short) = (alternating(3_000_000, 10_000), alternating(50_000, 10_000));
        for (one, other) in [(&long, &short), (&short, &long)] {
            let mut sum = one.clone();
            sum.add(other);
            assert_eq!(sum.width, long.width);
            assert_eq!(sums(&sum), (3_050_000, 305));
            assert_eq!(sum.slices.len(), long.slices.len());
            let first =
                |shares: &PortfolioShares| shares.slices[0].iter().map(|s| s.work.0).sum::<u64>();
            assert_eq!(first(&sum), first(&long) + 50_000);
        }
    }
}

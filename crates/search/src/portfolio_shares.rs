//! What searchers that share the work had of it over time, and what each gained.
//!
//! Time is work, cut into slices of one width. How long a run will be nobody knows, so
//! the width doubles, and neighbours become one, whenever there are too many slices: at the
//! end there are ten to twenty, or fewer of a run that was short.

use byway_base::Work;

/// Twice as many slices as there are at the least once the width has doubled.
const MOST_SLICES: usize = 20;

/// The width that a run begins with; those of all portfolio_shares are this times a power of two.
const NARROWEST: Work = Work(10_000);

/// What a member had and gained in a slice.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct MemberShare {
    /// The work it had.
    pub work: Work,
    /// Sides of branches and functions of the user's code that it was the first to come to.
    pub gained: u64,
}

impl MemberShare {
    fn add(&mut self, other: MemberShare) {
        self.work += other.work;
        self.gained += other.gained;
    }
}

/// The shares of all members, slice by slice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PortfolioShares {
    /// What the members are called together.
    pub name: String,
    /// The names of the members.
    pub members: Vec<String>,
    /// How much work a slice is wide.
    pub width: Work,
    /// Of each slice, the share of each member.
    pub slices: Vec<Vec<MemberShare>>,
}

impl PortfolioShares {
    /// An empty one for these members, who are called so together.
    pub fn new(name: String, members: Vec<String>) -> PortfolioShares {
        PortfolioShares { name, members, width: NARROWEST, slices: Vec::new() }
    }

    /// Books a share of a member that was over at a time: its work in the slices it was done
    /// in, what it gained in the last of them.
    pub fn book(&mut self, at: Work, member: usize, share: MemberShare) {
        while at.0.div_ceil(self.width.0) as usize > MOST_SLICES {
            self.widen();
        }
        let (mut end, mut left) = (at.0, share.work.0);
        self.enter(end, member, MemberShare { work: Work::ZERO, gained: share.gained });
        while left > 0 {
            let begin = end.saturating_sub(1) / self.width.0 * self.width.0;
            // What was done before there was any work to be told from belongs to the first.
            let here = if begin == 0 { left } else { left.min(end - begin) };
            self.enter(end, member, MemberShare { work: Work(here), gained: 0 });
            (end, left) = (begin, left - here);
        }
    }

    /// Adds to the slice that ends then or contains that time.
    fn enter(&mut self, at: u64, member: usize, share: MemberShare) {
        let slice = (at.saturating_sub(1) / self.width.0) as usize;
        if self.slices.len() <= slice {
            self.slices.resize(slice + 1, vec![MemberShare::default(); self.members.len()]);
        }
        if let Some(entry) = self.slices[slice].get_mut(member) {
            entry.add(share);
        }
    }

    /// Adds that of another worker with the same members.
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

    /// Makes one slice of every two.
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

    fn booked(work: u64, step: u64) -> PortfolioShares {
        let mut ledger = PortfolioShares::new("both".into(), vec!["a".into(), "b".into()]);
        let mut now = 0;
        while now < work {
            let member = (now / step % 2) as usize;
            now += step;
            ledger.book(Work(now), member, MemberShare { work: Work(step), gained: 1 });
        }
        ledger
    }

    fn sums(ledger: &PortfolioShares) -> (u64, u64) {
        let all = || ledger.slices.iter().flatten();
        (all().map(|share| share.work.0).sum(), all().map(|share| share.gained).sum())
    }

    #[test]
    fn nothing_is_lost_however_long_it_takes() {
        for work in [10_000, 100_000, 1_000_000, 123_450_000] {
            let ledger = booked(work, 10_000);
            assert_eq!(sums(&ledger), (work, work / 10_000));
            assert!(ledger.slices.len() <= MOST_SLICES, "{}", ledger.slices.len());
            assert!(work < 200_000 || ledger.slices.len() >= MOST_SLICES / 2);
            // Every slice but the last is full.
            let full = |slice: &Vec<MemberShare>| slice.iter().map(|s| s.work.0).sum::<u64>();
            let (_, before) = ledger.slices.split_last().expect("some");
            assert!(before.iter().all(|slice| full(slice) == ledger.width.0));
        }
    }

    #[test]
    fn work_is_booked_where_it_was_done() {
        let mut ledger = PortfolioShares::new("one".into(), vec!["a".into()]);
        ledger.book(Work(5_000), 0, MemberShare { work: Work(5_000), gained: 1 });
        ledger.book(Work(32_000), 0, MemberShare { work: Work(25_000), gained: 7 });
        let slices: Vec<(u64, u64)> =
            ledger.slices.iter().map(|slice| (slice[0].work.0, slice[0].gained)).collect();
        assert_eq!(slices, [(8_000, 1), (10_000, 0), (10_000, 0), (2_000, 7)]);
    }

    #[test]
    fn workers_are_added_up_slice_by_slice() {
        let (long, short) = (booked(3_000_000, 10_000), booked(50_000, 10_000));
        for (one, other) in [(&long, &short), (&short, &long)] {
            let mut sum = one.clone();
            sum.add(other);
            assert_eq!(sum.width, long.width);
            assert_eq!(sums(&sum), (3_050_000, 305));
            assert_eq!(sum.slices.len(), long.slices.len());
            let first =
                |ledger: &PortfolioShares| ledger.slices[0].iter().map(|s| s.work.0).sum::<u64>();
            assert_eq!(first(&sum), first(&long) + 50_000);
        }
    }
}

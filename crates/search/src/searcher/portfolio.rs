//! A portfolio: several searchers share the work on the same states.
//!
//! Work is assigned in turns. Every member has a weight, and the next turn goes to the
//! member with the least work relative to its weight, so the shares of work match the
//! weights whatever a single pick costs. Weights are equal, or they follow the recent gain
//! of a member per unit of work. A branch side or function of user code is gained twice: when
//! a state reaches it first, and when a path ends whose test is the first to cover it. So a
//! member that reaches code without ever finishing a path has less than one that does both.
//! A fixed fraction is always shared equally, so a member without recent gains
//! gets another chance when the exploration has reached code that suits it.

use byway_base::{Rng, Work};

use crate::{
    Action, Delta, Knowledge, MemberShare, PortfolioShares, Searcher, SearcherRequirements, View,
};

/// The length of a turn in a long exploration: long enough to tell a gain from luck, short
/// enough that the other members do not wait long.
const LONGEST_TURN: u64 = 20_000;

/// The length of the first turns, and the number of turns that the work so far is divided
/// into: every member gets turns in a short exploration, too.
const FIRST_TURN: u64 = 1_000;
const TURNS_SO_FAR: u64 = 20;

/// The factor by which recent gain and work decay with each turn of a member.
const MEMORY: f64 = 0.8;

/// A gain that every member is credited with, so that an old gain stops mattering once no
/// member gains anything.
const BASE_GAIN: f64 = 0.02;

/// The fraction of the work that is shared equally.
const EQUAL_FRACTION: f64 = 0.25;

/// How the members share the work.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum SharePolicy {
    /// Equal shares.
    Equal,
    /// Shares that follow the recent new coverage per unit of work.
    ByGain,
}

/// Shares the work among its members.
pub struct Portfolio {
    members: Vec<PortfolioMember>,
    shares: SharePolicy,
    /// The member whose turn it is.
    turn: usize,
    /// When the turn began; shifted by work that this portfolio did not cause.
    began: Work,
    /// The branch sides and functions of user code first reached in this turn.
    covered: u64,
    /// Those that tests of paths which ended in this turn are the first to cover.
    tested: u64,
    /// The last action. Runs that this portfolio did not pick count for no member.
    picked: Option<Action>,
    /// The time of the last update.
    updated: Work,
    record: PortfolioShares,
}

struct PortfolioMember {
    searcher: Box<dyn Searcher>,
    /// Whether it gets turns yet.
    has_started: bool,
    /// The sum of its work, each turn divided by the weight the member had then.
    load: f64,
    recent_gain: f64,
    recent_work: f64,
}

impl PortfolioMember {
    /// Recent gain per unit of work.
    fn rate(&self) -> f64 {
        (self.recent_gain + BASE_GAIN) / (self.recent_work + FIRST_TURN as f64)
    }
}

impl Portfolio {
    /// A portfolio of named members. `name` is the name of the portfolio in its record.
    pub fn new(
        name: String,
        shares: SharePolicy,
        members: Vec<(String, Box<dyn Searcher>)>,
    ) -> Portfolio {
        let (names, members): (_, Vec<_>) = members.into_iter().unzip();
        let member = |searcher: Box<dyn Searcher>| PortfolioMember {
            has_started: !searcher.is_waiting(),
            searcher,
            load: 0.0,
            recent_gain: 0.0,
            recent_work: 0.0,
        };
        let mut members: Vec<_> = members.into_iter().map(member).collect();
        // If all wait, there is nothing to wait for.
        let is_any = members.iter().any(|member| member.has_started);
        members.iter_mut().for_each(|member| member.has_started |= !is_any);
        let first = members.iter().position(|member| member.has_started).unwrap_or(0);
        Portfolio {
            members,
            shares,
            turn: first,
            began: Work::ZERO,
            covered: 0,
            tested: 0,
            picked: None,
            updated: Work::ZERO,
            record: PortfolioShares::new(name, names),
        }
    }

    fn knowledge_name(&self) -> String {
        format!("{} of {}", self.record.name, self.record.members.join(", "))
    }

    /// The fraction of the work that a member should get.
    fn weight(&self, member: &PortfolioMember) -> f64 {
        let started = || self.members.iter().filter(|member| member.has_started);
        let equal = 1.0 / started().count().max(1) as f64;
        let all: f64 = started().map(PortfolioMember::rate).sum();
        match self.shares {
            SharePolicy::ByGain => {
                EQUAL_FRACTION * equal + (1.0 - EQUAL_FRACTION) * member.rate() / all
            }
            SharePolicy::Equal => equal,
        }
    }

    /// If the current turn is over, accounts for it and begins the next.
    fn take_turns(&mut self, now: Work) {
        let spent = now.since(self.began);
        if spent.0 < (now.0 / TURNS_SO_FAR).clamp(FIRST_TURN, LONGEST_TURN) {
            return;
        }
        self.end_turn(now, spent);
        self.began = now;
        self.start_members();
        self.next_turn();
    }

    /// Accounts for the work and the gain of the current turn.
    fn end_turn(&mut self, now: Work, spent: Work) {
        let covered = std::mem::take(&mut self.covered);
        let tested = std::mem::take(&mut self.tested);
        self.record.record(now, self.turn, MemberShare { work: spent, gained: covered });
        let member = &mut self.members[self.turn];
        member.recent_gain = member.recent_gain * MEMORY + (covered + tested) as f64;
        member.recent_work = member.recent_work * MEMORY + spent.0 as f64;
        let weight = self.weight(&self.members[self.turn]);
        self.members[self.turn].load += spent.0 as f64 / weight;
    }

    fn next_turn(&mut self) {
        let by_load =
            |&a: &usize, &b: &usize| self.members[a].load.total_cmp(&self.members[b].load);
        let started = (0..self.members.len()).filter(|&it| self.members[it].has_started);
        self.turn = started.min_by(by_load).unwrap_or(0);
    }

    /// Gives turns to members that have waited, from now on: they do not catch up on what the others
    /// have had.
    fn start_members(&mut self) {
        let started = self.members.iter().filter(|member| member.has_started);
        let least = started.map(|member| member.load).min_by(f64::total_cmp).unwrap_or(0.0);
        for member in &mut self.members {
            if !member.has_started && !member.searcher.is_waiting() {
                member.has_started = true;
                member.load = least;
            }
        }
    }
}

/// A number that is not negative, from its bits.
fn amount(bits: u64) -> f64 {
    Some(f64::from_bits(bits)).filter(|it| it.is_finite() && *it >= 0.0).unwrap_or(0.0)
}

impl Searcher for Portfolio {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        let now = view.work();
        match self.picked.take().is_some_and(|action| action.caused(delta)) {
            true => {
                self.covered += delta.new_coverage.len() as u64;
                self.tested += delta.newly_tested;
            }
            false => self.began += now.since(self.updated),
        }
        self.updated = now;
        self.members.iter_mut().for_each(|member| member.searcher.update(delta, view));
    }

    fn pick(&mut self, view: &dyn View, rng: &mut Rng) -> Action {
        self.take_turns(view.work());
        // A member with nothing to do passes its turn on.
        for i in 0..self.members.len() {
            let turn = (self.turn + i) % self.members.len();
            if !self.members[turn].has_started {
                continue;
            }
            match self.members[turn].searcher.pick(view, rng) {
                Action::Stop => {}
                action => {
                    self.picked = Some(action);
                    return action;
                }
            }
        }
        Action::Stop
    }

    fn requirements(&self) -> SearcherRequirements {
        let all = self.members.iter().map(|member| member.searcher.requirements());
        all.fold(SearcherRequirements::default(), SearcherRequirements::and)
    }

    fn inner(&self) -> Vec<&dyn Searcher> {
        self.members.iter().map(|it| &*it.searcher).collect()
    }

    fn inner_mut(&mut self) -> Vec<&mut dyn Searcher> {
        self.members.iter_mut().map(|it| &mut *it.searcher as &mut dyn Searcher).collect()
    }

    fn store(&self, knowledge: &mut Knowledge) {
        let row = |member: &PortfolioMember| {
            [member.recent_gain, member.recent_work].map(f64::to_bits).to_vec()
        };
        knowledge.add(self.knowledge_name(), self.members.iter().map(row).collect());
        self.inner().into_iter().for_each(|member| member.store(knowledge));
    }

    /// The shares of the work go on as they were; who had how much before does not matter.
    fn recall(&mut self, knowledge: &Knowledge) {
        let name = self.knowledge_name();
        for (member, row) in self.members.iter_mut().zip(knowledge.of_this_build(&name)) {
            let &[gain, work] = &row[..] else { continue };
            (member.recent_gain, member.recent_work) = (amount(gain), amount(work));
        }
        self.inner_mut().into_iter().for_each(|member| member.recall(knowledge));
    }

    fn portfolio_shares(&self) -> Vec<PortfolioShares> {
        let mut own = self.record.clone();
        let open = MemberShare { work: self.updated.since(self.began), gained: self.covered };
        if open != MemberShare::default() {
            own.record(self.updated, self.turn, open);
        }
        let inner = self.inner().into_iter().flat_map(|member| member.portfolio_shares());
        std::iter::once(own).chain(inner).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Always stops.
    struct Idle;

    impl Searcher for Idle {
        fn update(&mut self, _: &Delta, _: &dyn View) {}

        fn pick(&mut self, _: &dyn View, _: &mut Rng) -> Action {
            Action::Stop
        }
    }

    fn portfolio(shares: SharePolicy, count: usize) -> Portfolio {
        let members = (0..count).map(|i| (i.to_string(), Box::new(Idle) as Box<dyn Searcher>));
        Portfolio::new("all".into(), shares, members.collect())
    }

    /// Runs turns whose cost and gain `each` defines. Returns every member's share of work.
    fn simulate(
        mut portfolio: Portfolio,
        turns: u64,
        each: impl Fn(usize, u64) -> (u64, u64),
    ) -> Vec<f64> {
        let mut now = Work(0);
        let mut spent = vec![0.0; portfolio.members.len()];
        for turn in 0..turns {
            let (cost, gain) = each(portfolio.turn, turn);
            portfolio.covered += gain;
            spent[portfolio.turn] += cost as f64;
            now += Work(cost);
            portfolio.take_turns(now);
        }
        spent.into_iter().map(|work| work / now.0 as f64).collect()
    }

    fn near(share: f64, expected: f64) -> bool {
        (share - expected).abs() < 0.02
    }

    #[test]
    fn equal_shares_refer_to_work_not_turns() {
        let shares =
            simulate(portfolio(SharePolicy::Equal, 4), 4_000, |member, _| (20_000 << member, 1));
        assert!(shares.iter().all(|&share| near(share, 0.25)), "{shares:?}");
    }

    /// Waits until it has been asked 2,000 times.
    #[derive(Default)]
    struct Late(Cell<u32>);

    impl Searcher for Late {
        fn update(&mut self, _: &Delta, _: &dyn View) {}

        fn pick(&mut self, _: &dyn View, _: &mut Rng) -> Action {
            Action::Stop
        }

        fn is_waiting(&self) -> bool {
            self.0.set(self.0.get() + 1);
            self.0.get() <= 2_000
        }
    }

    #[test]
    fn a_late_member_does_not_catch_up() {
        for shares in [SharePolicy::Equal, SharePolicy::ByGain] {
            let late: Box<dyn Searcher> = Box::new(Late::default());
            let members = vec![("late".into(), late), ("idle".into(), Box::new(Idle))];
            let portfolio = Portfolio::new("all".into(), shares, members);
            let turned = |member: usize, turn| {
                assert!(member == 1 || turn >= 2_000, "a turn too early: {turn}");
                (20_000, 0)
            };
            let shares = simulate(portfolio, 4_000, turned);
            assert!(near(shares[0], 0.25), "{shares:?}");
        }
    }

    #[test]
    fn members_that_all_wait_begin() {
        let late: Box<dyn Searcher> = Box::new(Late::default());
        let portfolio =
            Portfolio::new("all".into(), SharePolicy::Equal, vec![("late".into(), late)]);
        assert_eq!(simulate(portfolio, 10, |_, _| (20_000, 0)), [1.0]);
    }

    #[test]
    fn members_with_gains_get_more_work_and_all_get_some() {
        let gain = |member: usize, _| (20_000, u64::from(member == 2));
        let shares = simulate(portfolio(SharePolicy::ByGain, 4), 4_000, gain);
        let equal = EQUAL_FRACTION / 4.0;
        assert!(near(shares[2], 1.0 - 3.0 * equal), "{shares:?}");
        assert!([0, 1, 3].iter().all(|&other| near(shares[other], equal)), "{shares:?}");
        // Twice the gain at twice the cost is the same rate.
        let gain = |member: usize, _| (20_000 << member, 1 << member);
        let shares = simulate(portfolio(SharePolicy::ByGain, 2), 4_000, gain);
        assert!(near(shares[0], 0.5), "{shares:?}");
    }

    #[test]
    fn old_gains_lose_their_weight() {
        let gain = |member: usize, turn| {
            let lately = if turn < 1_000 { 0 } else { 1 };
            (20_000, u64::from(member == lately))
        };
        let shares = simulate(portfolio(SharePolicy::ByGain, 2), 10_000, gain);
        assert!(shares[1] > 0.75, "{shares:?}");
    }

    /// The first member covers what any of them would have covered first.
    #[test]
    fn a_single_early_gain_does_not_dominate() {
        let gain = |member: usize, turn| (20_000, if turn == 0 && member == 0 { 300 } else { 0 });
        let shares = simulate(portfolio(SharePolicy::ByGain, 2), 10_000, gain);
        assert!(near(shares[0], 0.5), "{shares:?}");
    }

    #[test]
    fn a_short_exploration_has_turns_for_all_members() {
        let shares = simulate(portfolio(SharePolicy::Equal, 4), 40, |_, _| (250, 0));
        assert!(shares.iter().all(|&share| share >= 0.2), "{shares:?}");
    }

    #[test]
    fn without_gains_the_shares_are_equal() {
        let shares = simulate(portfolio(SharePolicy::ByGain, 3), 3_000, |_, _| (20_000, 0));
        assert!(shares.iter().all(|&share| near(share, 1.0 / 3.0)), "{shares:?}");
    }
}

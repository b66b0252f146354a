//! Several searchers that share the work, each on the same states.
//!
//! Work is dealt out in turns. Every member has a weight, and the next turn goes to the
//! one that has had the least work for its weight, so shares of work come out as the
//! weights say, whatever a single pick costs. Weights are equal, or they follow what a
//! member has lately gained: sides of branches and functions of the user's code that no
//! state had come to before, per unit of work.
//! A part of the work is dealt out evenly all the same, so that whoever gains nothing now
//! is heard again when the program has come to where it would.

use byway_base::{Rng, Work};

use crate::{
    Action, Delta, MemberShare, PortfolioShares, Searcher, SearcherRequirements, StateId, View,
};

/// How long a turn is once the exploration is long: long enough that a gain can be told from
/// luck, short enough that no one misses much by waiting.
const LONGEST_TURN: u64 = 20_000;

/// How long the first turns are, and how many turns the work so far is worth at the most: so
/// everybody is heard in a short exploration, too.
const FIRST_TURN: u64 = 1_000;
const TURNS_SO_FAR: u64 = 20;

/// What the gain of a turn still counts for at a member's next one.
const MEMORY: f64 = 0.8;

/// What everybody is taken to have gained lately, so that the last gain of long ago does not
/// count for ever where nobody gains anything any more.
const HOPE: f64 = 0.02;

/// The part of the work that is dealt out evenly.
const EVEN: f64 = 0.25;

/// How work is shared.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum SharePolicy {
    /// Evenly.
    Equal,
    /// By what members have lately gained.
    ByGain,
}

/// Shares the work among its members.
pub struct Portfolio {
    members: Vec<PortfolioMember>,
    shares: SharePolicy,
    /// Whose turn it is, and when it began.
    turn: usize,
    began: Work,
    /// What was come to for the first time in this turn.
    gained: u64,
    /// What it picked last; what others ran is nobody's cost or gain.
    picked: Option<StateId>,
    /// When it last heard of anything.
    heard: Work,
    ledger: PortfolioShares,
}

struct PortfolioMember {
    searcher: Box<dyn Searcher>,
    /// The work it has had, each piece divided by the weight it had then.
    load: f64,
    recent_gain: f64,
    recent_work: f64,
}

impl PortfolioMember {
    /// What it has lately gained per unit of work.
    fn rate(&self) -> f64 {
        (self.recent_gain + HOPE) / (self.recent_work + FIRST_TURN as f64)
    }
}

impl Portfolio {
    /// These searchers, each with its name; and what they are called together.
    pub fn new(
        name: String,
        shares: SharePolicy,
        members: Vec<(String, Box<dyn Searcher>)>,
    ) -> Portfolio {
        let (names, members): (_, Vec<_>) = members.into_iter().unzip();
        let member =
            |searcher| PortfolioMember { searcher, load: 0.0, recent_gain: 0.0, recent_work: 0.0 };
        let members = members.into_iter().map(member).collect();
        Portfolio {
            members,
            shares,
            turn: 0,
            began: Work::ZERO,
            gained: 0,
            picked: None,
            heard: Work::ZERO,
            ledger: PortfolioShares::new(name, names),
        }
    }

    /// How much of the work a member is to have.
    fn weight(&self, member: &PortfolioMember) -> f64 {
        let even = 1.0 / self.members.len() as f64;
        let all: f64 = self.members.iter().map(PortfolioMember::rate).sum();
        match self.shares {
            SharePolicy::ByGain => EVEN * even + (1.0 - EVEN) * member.rate() / all,
            SharePolicy::Equal => even,
        }
    }

    /// Ends a turn that is over, and begins the next.
    fn take_turns(&mut self, now: Work) {
        let spent = now.since(self.began);
        if spent.0 < (now.0 / TURNS_SO_FAR).clamp(FIRST_TURN, LONGEST_TURN) {
            return;
        }
        self.settle(now, spent);
        self.began = now;
        self.next_turn();
    }

    /// Books what the turn cost and gained.
    fn settle(&mut self, now: Work, spent: Work) {
        let gained = std::mem::take(&mut self.gained);
        self.ledger.book(now, self.turn, MemberShare { work: spent, gained });
        let member = &mut self.members[self.turn];
        member.recent_gain = member.recent_gain * MEMORY + gained as f64;
        member.recent_work = member.recent_work * MEMORY + spent.0 as f64;
        let weight = self.weight(&self.members[self.turn]);
        self.members[self.turn].load += spent.0 as f64 / weight;
    }

    fn next_turn(&mut self) {
        let by_load =
            |&a: &usize, &b: &usize| self.members[a].load.total_cmp(&self.members[b].load);
        self.turn = (0..self.members.len()).min_by(by_load).unwrap_or(0);
    }
}

impl Searcher for Portfolio {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        let now = view.work();
        match self.picked.is_some() && delta.ran == self.picked {
            true => self.gained += delta.new_coverage.len() as u64,
            false => self.began += now.since(self.heard),
        }
        self.heard = now;
        self.picked = None;
        self.members.iter_mut().for_each(|member| member.searcher.update(delta, view));
    }

    fn pick(&mut self, view: &dyn View, rng: &mut Rng) -> Action {
        self.take_turns(view.work());
        // One that has nothing to do leaves its turn to the one behind it.
        for i in 0..self.members.len() {
            let turn = (self.turn + i) % self.members.len();
            match self.members[turn].searcher.pick(view, rng) {
                Action::Stop => {}
                action => {
                    if let Action::Run { state, .. } = action {
                        self.picked = Some(state);
                    }
                    return action;
                }
            }
        }
        Action::Stop
    }

    fn requirements(&self) -> SearcherRequirements {
        let wants = self.members.iter().map(|member| member.searcher.requirements());
        wants.fold(SearcherRequirements::default(), SearcherRequirements::and)
    }

    fn portfolio_shares(&self) -> Vec<PortfolioShares> {
        let mut own = self.ledger.clone();
        let open = MemberShare { work: self.heard.since(self.began), gained: self.gained };
        if open != MemberShare::default() {
            own.book(self.heard, self.turn, open);
        }
        let inner = self.members.iter().flat_map(|member| member.searcher.portfolio_shares());
        std::iter::once(own).chain(inner).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Never has anything to do.
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

    /// Lets turns pass that cost and gain what the member in turn does; the shares of all.
    fn deal(
        mut portfolio: Portfolio,
        turns: u64,
        each: impl Fn(usize, u64) -> (u64, u64),
    ) -> Vec<f64> {
        let mut now = Work(0);
        let mut spent = vec![0.0; portfolio.members.len()];
        for turn in 0..turns {
            let (cost, gain) = each(portfolio.turn, turn);
            portfolio.gained += gain;
            spent[portfolio.turn] += cost as f64;
            now += Work(cost);
            portfolio.take_turns(now);
        }
        spent.into_iter().map(|work| work / now.0 as f64).collect()
    }

    fn near(share: f64, wanted: f64) -> bool {
        (share - wanted).abs() < 0.02
    }

    #[test]
    fn equal_shares_are_of_work_not_of_turns() {
        let shares =
            deal(portfolio(SharePolicy::Equal, 4), 4_000, |member, _| (20_000 << member, 1));
        assert!(shares.iter().all(|&share| near(share, 0.25)), "{shares:?}");
    }

    #[test]
    fn who_gains_gets_more_and_nobody_nothing() {
        let gain = |member: usize, _| (20_000, u64::from(member == 2));
        let shares = deal(portfolio(SharePolicy::ByGain, 4), 4_000, gain);
        let even = EVEN / 4.0;
        assert!(near(shares[2], 1.0 - 3.0 * even), "{shares:?}");
        assert!([0, 1, 3].iter().all(|&other| near(shares[other], even)), "{shares:?}");
        // Twice the gain, at twice the cost, is no better.
        let gain = |member: usize, _| (20_000 << member, 1 << member);
        let shares = deal(portfolio(SharePolicy::ByGain, 2), 4_000, gain);
        assert!(near(shares[0], 0.5), "{shares:?}");
    }

    #[test]
    fn a_gain_of_long_ago_is_forgotten() {
        let gain = |member: usize, turn| {
            let lately = if turn < 1_000 { 0 } else { 1 };
            (20_000, u64::from(member == lately))
        };
        let shares = deal(portfolio(SharePolicy::ByGain, 2), 10_000, gain);
        assert!(shares[1] > 0.75, "{shares:?}");
    }

    /// Which of them stands first does not matter, nor who found what everybody would have.
    #[test]
    fn the_last_gain_does_not_count_for_ever() {
        let gain = |member: usize, turn| (20_000, if turn == 0 && member == 0 { 300 } else { 0 });
        let shares = deal(portfolio(SharePolicy::ByGain, 2), 10_000, gain);
        assert!(near(shares[0], 0.5), "{shares:?}");
    }

    #[test]
    fn everybody_is_heard_in_a_short_exploration() {
        let shares = deal(portfolio(SharePolicy::Equal, 4), 40, |_, _| (250, 0));
        assert!(shares.iter().all(|&share| share >= 0.2), "{shares:?}");
    }

    #[test]
    fn nobody_gains_anything() {
        let shares = deal(portfolio(SharePolicy::ByGain, 3), 3_000, |_, _| (20_000, 0));
        assert!(shares.iter().all(|&share| near(share, 1.0 / 3.0)), "{shares:?}");
    }
}

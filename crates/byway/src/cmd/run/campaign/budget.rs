//! How the limits of a campaign are shared among its runs.

use std::time::Duration;

use byway_base::Work;
use byway_engine::Limits;

use byway_rundir::PlannedRunRecord;

/// Amounts of what the shared limits count: time, processor time, work. Times in microseconds.
pub type Amounts = [u64; 3];

/// The limits of a run or of a campaign on these; `None` is unlimited.
pub type SharedLimits = [Option<u64>; 3];

/// Of limits, those that a campaign shares.
pub fn shared_of(limits: &Limits) -> SharedLimits {
    let micros = |time: Option<Duration>| time.map(micros);
    [micros(limits.time), micros(limits.processor_time), limits.work.map(|work| work.0)]
}

/// Sets the limits that a campaign shares.
pub fn set_shared(limits: &mut Limits, shared: SharedLimits) {
    let [time, processor_time, work] = shared;
    limits.time = time.map(Duration::from_micros);
    limits.processor_time = processor_time.map(Duration::from_micros);
    limits.work = work.map(Work);
}

/// A time as an amount.
pub fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// What a campaign may use, and what each run wants of it.
#[derive(Clone, PartialEq, Debug)]
pub struct CampaignBudget {
    whole: SharedLimits,
    runs: Vec<RunDemand>,
}

/// A run's own limits, and the share it was given.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct RunDemand {
    pub own: SharedLimits,
    pub share: Option<f64>,
}

impl RunDemand {
    pub fn new(run: &PlannedRunRecord, own: SharedLimits) -> RunDemand {
        RunDemand { own, share: run.share }
    }
}

impl CampaignBudget {
    pub fn new(whole: SharedLimits, runs: Vec<RunDemand>) -> CampaignBudget {
        CampaignBudget { whole, runs }
    }

    /// The limits of a run that begins when so much is used.
    ///
    /// What earlier runs left unused is shared among it and the later ones.
    pub fn limits(&self, run: usize, used: Amounts) -> SharedLimits {
        std::array::from_fn(|which| {
            let own = self.runs.get(run).and_then(|demand| demand.own[which]);
            let Some(whole) = self.whole[which] else { return own };
            let left = whole.saturating_sub(used[which]);
            Some(match own {
                Some(own) => own.min(left),
                None => self.share_of(left, run, which),
            })
        })
    }

    /// Whether so much is all that the campaign may use.
    pub fn is_used_up(&self, used: Amounts) -> bool {
        self.whole.iter().zip(used).any(|(whole, used)| whole.is_some_and(|whole| used >= whole))
    }

    /// A run's part of what is left; runs with a limit of their own come before the others.
    fn share_of(&self, left: u64, run: usize, which: usize) -> u64 {
        let later = self.runs.get(run..).unwrap_or_default();
        let reserved = later.iter().filter_map(|demand| demand.own[which]);
        let left = left.saturating_sub(reserved.fold(0, u64::saturating_add));
        let sharing: Vec<&RunDemand> =
            self.runs.iter().filter(|demand| demand.own[which].is_none()).collect();
        let given: f64 = sharing.iter().filter_map(|demand| demand.share).sum();
        let others = sharing.iter().filter(|demand| demand.share.is_none()).count();
        let rest = (1.0 - given).max(0.0);
        let weight = |demand: &RunDemand| demand.share.unwrap_or(rest / others as f64);
        // If the shares add up to less than 1, the rest stays unused.
        let unused = if others == 0 { rest } else { 0.0 };
        let all: f64 = later.iter().filter(|it| it.own[which].is_none()).map(weight).sum();
        let part = later.first().map_or(0.0, weight) / (all + unused);
        // The last run takes everything in spite of rounding.
        if part > 1.0 - 1e-9 { left } else { (left as f64 * part) as u64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(work: u64, runs: &[(Option<u64>, Option<f64>)]) -> CampaignBudget {
        let demand = |&(work, share): &_| RunDemand { own: [None, None, work], share };
        CampaignBudget::new([None, None, Some(work)], runs.iter().map(demand).collect())
    }

    /// The limits of the runs if each uses these parts of its own, in percent.
    fn limits(budget: &CampaignBudget, used_percent: u64) -> Vec<u64> {
        let mut used = 0;
        let limit = |run| {
            let limit = budget.limits(run, [0, 0, used])[2].expect("a limit");
            used += limit * used_percent / 100;
            limit
        };
        (0..budget.runs.len()).map(limit).collect()
    }

    #[test]
    fn runs_without_shares_get_equal_parts_of_what_the_others_leave() {
        let equal = budget(1000, &[(None, None); 4]);
        assert_eq!(limits(&equal, 100), [250; 4]);
        let given = budget(1000, &[(None, Some(0.5)), (None, None), (None, None)]);
        assert_eq!(limits(&given, 100), [500, 250, 250]);
        let third = budget(100, &[(None, None); 3]);
        assert_eq!(limits(&third, 100), [33, 33, 34]);
    }

    #[test]
    fn what_a_run_leaves_is_shared_among_the_later_ones() {
        let equal = budget(1000, &[(None, None); 4]);
        assert_eq!(limits(&equal, 0), [250, 333, 500, 1000]);
        let given = budget(1000, &[(None, Some(0.6)), (None, Some(0.1)), (None, Some(0.3))]);
        assert_eq!(limits(&given, 50), [600, 175, 613]);
    }

    #[test]
    fn shares_below_one_leave_a_part_unused() {
        let half = budget(1000, &[(None, Some(0.25)), (None, Some(0.25))]);
        assert_eq!(limits(&half, 100), [250, 250]);
    }

    #[test]
    fn a_runs_own_limit_comes_first_and_the_campaigns_holds() {
        let own = budget(1000, &[(Some(100), None), (None, None), (Some(300), None), (None, None)]);
        assert_eq!(limits(&own, 100), [100, 300, 300, 300]);
        let large = budget(1000, &[(None, None), (Some(5000), None)]);
        assert_eq!(limits(&large, 100), [0, 1000]);
        let no_whole = CampaignBudget::new(
            [None; 3],
            vec![RunDemand { own: [Some(5), None, None], share: None }],
        );
        assert_eq!(no_whole.limits(0, [9, 9, 9]), [Some(5), None, None]);
        assert!(!no_whole.is_used_up([9, 9, 9]));
    }

    #[test]
    fn a_budget_is_used_up_when_one_limit_is_reached() {
        let budget = budget(1000, &[(None, None); 2]);
        assert!(!budget.is_used_up([u64::MAX, u64::MAX, 999]));
        assert!(budget.is_used_up([0, 0, 1000]));
        assert_eq!(budget.limits(1, [0, 0, 1200]), [None, None, Some(0)]);
    }

    #[test]
    fn limits_are_converted_without_loss() {
        let mut limits = Limits { states: Some(3), ..Limits::default() };
        let shared = [Some(1_500_000), None, Some(7)];
        set_shared(&mut limits, shared);
        assert_eq!((shared_of(&limits), limits.states), (shared, Some(3)));
        assert_eq!(limits.time, Some(Duration::from_millis(1500)));
        assert_eq!(micros(Duration::MAX), u64::MAX);
    }
}

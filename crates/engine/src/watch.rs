//! Watched points of a program: a path that gets there returns to the explorer.
//!
//! The code has an operation at each point, and a path that executes it while its watch is
//! active ends its run with [`Step::Watch`](crate::interp::Step::Watch). The explorer knows what
//! the watch is for, and may turn it on and off at any time. A program without watches has none
//! of these operations.

use std::cell::Cell;
use std::rc::Rc;

use byway_base::entity::SecondaryMap;
use byway_ir::FuncId;
use byway_ir::analysis::ProgramPoint;

/// The number of a watched point.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct WatchId(pub u32);

/// A watched point.
#[derive(Clone, Debug)]
pub struct Watch {
    /// The path is reported before the instruction here.
    pub point: ProgramPoint,
    /// Whether paths are reported. The code shares it.
    pub is_active: Rc<Cell<bool>>,
}

/// The watched points of a program.
#[derive(Debug, Default)]
pub struct Watches {
    /// By ascending point.
    all: Vec<(WatchId, Watch)>,
    /// The part of `all` that is in each function.
    of_func: SecondaryMap<FuncId, (u32, u32)>,
}

impl Watches {
    /// Watches for these points, numbered by ascending point; not active.
    pub fn new(points: &[ProgramPoint]) -> Watches {
        let mut sorted = points.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        let watch = |(id, point)| (WatchId(id), Watch { point, is_active: Rc::default() });
        let all: Vec<_> = (0..).zip(sorted).map(watch).collect();
        let mut of_func = SecondaryMap::new();
        for (index, (_, watch)) in all.iter().enumerate() {
            let range: &mut (u32, u32) = &mut of_func[watch.point.func];
            if range.1 == 0 {
                range.0 = index as u32;
            }
            range.1 = index as u32 + 1;
        }
        Watches { all, of_func }
    }

    /// The watches in a function, by ascending point.
    pub fn of(&self, func: FuncId) -> &[(WatchId, Watch)] {
        let (start, end) = self.of_func.get(func).copied().unwrap_or_default();
        &self.all[start as usize..end as usize]
    }

    /// The watch of a point.
    pub fn at(&self, point: ProgramPoint) -> Option<WatchId> {
        let index = self.all.binary_search_by_key(&point, |(_, watch)| watch.point).ok()?;
        Some(self.all[index].0)
    }

    /// The point of a watch.
    pub fn point(&self, watch: WatchId) -> Option<ProgramPoint> {
        self.all.get(watch.0 as usize).map(|(_, watch)| watch.point)
    }

    /// Whether a watch is on.
    pub fn is_active(&self, watch: WatchId) -> bool {
        self.all.get(watch.0 as usize).is_some_and(|(_, watch)| watch.is_active.get())
    }

    /// Turns a watch on or off.
    pub fn set_active(&self, watch: WatchId, is_active: bool) {
        if let Some((_, watch)) = self.all.get(watch.0 as usize) {
            watch.is_active.set(is_active);
        }
    }

    /// All watches.
    pub fn ids(&self) -> impl Iterator<Item = WatchId> + use<> {
        (0..self.all.len() as u32).map(WatchId)
    }
}

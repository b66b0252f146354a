//! The decision order: variables of recent conflicts first. A binary heap over activities;
//! the increment grows with every conflict, so that old activity decays.

use super::lit::Var;

/// Activities, and a heap of the variables that may need a decision.
#[derive(Default)]
pub struct VarOrder {
    activity: Vec<f64>,
    heap: Vec<Var>,
    /// Each variable's position in the heap; `OUT` if it is not in the heap.
    position: Vec<u32>,
    increment: f64,
}

const OUT: u32 = u32::MAX;

/// The decay of activities per conflict.
const DECAY: f64 = 0.9;

/// Activities are rescaled beyond this.
const MAX_ACTIVITY: f64 = 1e100;

impl VarOrder {
    /// Adds a variable, outside the heap.
    pub fn add_var(&mut self) {
        self.activity.push(0.0);
        self.position.push(OUT);
        if self.increment == 0.0 {
            self.increment = 1.0;
        }
    }

    fn before(&self, a: Var, b: Var) -> bool {
        let (x, y) = (self.activity[a.index()], self.activity[b.index()]);
        x > y || x == y && a < b
    }

    fn place_at(&mut self, at: usize, var: Var) {
        self.heap[at] = var;
        self.position[var.index()] = at as u32;
    }

    fn sift_up(&mut self, mut at: usize) {
        let var = self.heap[at];
        while at > 0 {
            let above = (at - 1) / 2;
            if !self.before(var, self.heap[above]) {
                break;
            }
            self.place_at(at, self.heap[above]);
            at = above;
        }
        self.place_at(at, var);
    }

    fn sift_down(&mut self, mut at: usize) {
        let var = self.heap[at];
        loop {
            let mut below = 2 * at + 1;
            if below >= self.heap.len() {
                break;
            }
            if below + 1 < self.heap.len() && self.before(self.heap[below + 1], self.heap[below]) {
                below += 1;
            }
            if !self.before(self.heap[below], var) {
                break;
            }
            self.place_at(at, self.heap[below]);
            at = below;
        }
        self.place_at(at, var);
    }

    /// Puts a variable into the heap, unless it is there.
    pub fn insert(&mut self, var: Var) {
        if self.position[var.index()] == OUT {
            self.heap.push(var);
            self.sift_up(self.heap.len() - 1);
        }
    }

    /// Takes the variable of the highest activity out of the heap.
    pub fn pop(&mut self) -> Option<Var> {
        let first = *self.heap.first()?;
        let last = self.heap.pop()?;
        self.position[first.index()] = OUT;
        if first != last {
            self.heap[0] = last;
            self.sift_down(0);
        }
        Some(first)
    }

    /// Increases the activity of a variable that took part in a conflict.
    pub fn bump(&mut self, var: Var) {
        self.activity[var.index()] += self.increment;
        if self.activity[var.index()] > MAX_ACTIVITY {
            self.activity.iter_mut().for_each(|activity| *activity /= MAX_ACTIVITY);
            self.increment /= MAX_ACTIVITY;
        }
        let position = self.position[var.index()];
        if position != OUT {
            self.sift_up(position as usize);
        }
    }

    /// Decays all activities, after a conflict.
    pub fn decay(&mut self) {
        self.increment /= DECAY;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pops_by_activity_then_by_number() {
        let mut order = VarOrder::default();
        (0..6).for_each(|_| order.add_var());
        for var in [5, 3, 1, 0, 4] {
            order.insert(Var(var));
        }
        order.bump(Var(4));
        order.decay();
        order.bump(Var(3));
        order.bump(Var(2));
        let popped: Vec<u32> = std::iter::from_fn(|| order.pop()).map(|var| var.0).collect();
        assert_eq!(popped, [3, 4, 0, 1, 5]);
    }

    #[test]
    fn activities_stay_finite() {
        let mut order = VarOrder::default();
        (0..2).for_each(|_| order.add_var());
        for _ in 0..20_000 {
            order.bump(Var(1));
            order.decay();
        }
        order.insert(Var(0));
        order.insert(Var(1));
        assert_eq!(order.pop(), Some(Var(1)));
        assert!(order.activity.iter().all(|activity| activity.is_finite()));
    }
}

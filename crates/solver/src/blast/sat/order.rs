//! The order in which variables are decided: those of recent conflicts first. A binary
//! heap over activities that grow by more and more, so that old conflicts fade.

use super::lit::Var;

/// Activities, and a heap of the variables that wait for a decision.
#[derive(Default)]
pub struct VarOrder {
    activity: Vec<f64>,
    heap: Vec<Var>,
    /// Where each variable stands in the heap; `OUT` if it does not.
    place: Vec<u32>,
    step: f64,
}

const OUT: u32 = u32::MAX;

/// What becomes of old activity at every conflict.
const DECAY: f64 = 0.9;

/// Activities are scaled down past this.
const MOST: f64 = 1e100;

impl VarOrder {
    /// Makes room for one more variable, which waits for nothing yet.
    pub fn grow(&mut self) {
        self.activity.push(0.0);
        self.place.push(OUT);
        if self.step == 0.0 {
            self.step = 1.0;
        }
    }

    fn before(&self, a: Var, b: Var) -> bool {
        let (x, y) = (self.activity[a.index()], self.activity[b.index()]);
        x > y || x == y && a < b
    }

    fn put(&mut self, at: usize, var: Var) {
        self.heap[at] = var;
        self.place[var.index()] = at as u32;
    }

    fn up(&mut self, mut at: usize) {
        let var = self.heap[at];
        while at > 0 {
            let above = (at - 1) / 2;
            if !self.before(var, self.heap[above]) {
                break;
            }
            self.put(at, self.heap[above]);
            at = above;
        }
        self.put(at, var);
    }

    fn down(&mut self, mut at: usize) {
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
            self.put(at, self.heap[below]);
            at = below;
        }
        self.put(at, var);
    }

    /// Lets a variable wait for a decision.
    pub fn insert(&mut self, var: Var) {
        if self.place[var.index()] == OUT {
            self.heap.push(var);
            self.up(self.heap.len() - 1);
        }
    }

    /// Takes the next variable out.
    pub fn pop(&mut self) -> Option<Var> {
        let first = *self.heap.first()?;
        let last = self.heap.pop()?;
        self.place[first.index()] = OUT;
        if first != last {
            self.heap[0] = last;
            self.down(0);
        }
        Some(first)
    }

    /// A variable took part in a conflict.
    pub fn bump(&mut self, var: Var) {
        self.activity[var.index()] += self.step;
        if self.activity[var.index()] > MOST {
            self.activity.iter_mut().for_each(|activity| *activity /= MOST);
            self.step /= MOST;
        }
        let place = self.place[var.index()];
        if place != OUT {
            self.up(place as usize);
        }
    }

    /// A conflict is over.
    pub fn fade(&mut self) {
        self.step /= DECAY;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_active_come_first_and_equals_in_order() {
        let mut order = VarOrder::default();
        (0..6).for_each(|_| order.grow());
        for var in [5, 3, 1, 0, 4] {
            order.insert(Var(var));
        }
        order.bump(Var(4));
        order.fade();
        order.bump(Var(3));
        order.bump(Var(2));
        let popped: Vec<u32> = std::iter::from_fn(|| order.pop()).map(|var| var.0).collect();
        assert_eq!(popped, [3, 4, 0, 1, 5]);
    }

    #[test]
    fn activities_stay_finite() {
        let mut order = VarOrder::default();
        (0..2).for_each(|_| order.grow());
        for _ in 0..20_000 {
            order.bump(Var(1));
            order.fade();
        }
        order.insert(Var(0));
        order.insert(Var(1));
        assert_eq!(order.pop(), Some(Var(1)));
        assert!(order.activity.iter().all(|activity| activity.is_finite()));
    }
}

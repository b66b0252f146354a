//! Seeds: given inputs, and which of them follow a path.
//!
//! A [`Seed`] gives bytes to inputs by name, and in its own order to those whose name it lacks.
//! All seeds start with the first state. When its
//! path creates an input, each seed provides its bytes for that name; when the path forks,
//! each takes the case that its bytes satisfy (`explore::seed_queue` does that). So a seed
//! follows exactly one path, and its bytes satisfy the path condition: the first seed of a
//! path is its witness, and no query is needed.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use byway_base::quantity::plural;
use byway_base::{ExprId, Input, Rng};
use byway_expr::{InputId, InputList, Model, Pool, Roots};

/// A given input.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Seed {
    /// A name for messages, such as that of its file.
    pub label: String,
    /// Bytes by the names of inputs.
    pub inputs: BTreeMap<String, Arc<[u8]>>,
    /// Names in `inputs` in the order in which the seed's own program created them. An input of
    /// another name has the bytes of the next one of its size; without one, it is zeros.
    pub order: Vec<String>,
    /// Bytes for the first input of the program, if `inputs` does not name it.
    pub first: Option<Arc<[u8]>>,
    /// The random seed from which the bytes of all inputs are drawn, if they are random.
    pub random: Option<u64>,
    /// Whether it was drawn instead of given: then it has no label and is not counted.
    pub is_drawn: bool,
}

impl Seed {
    /// A seed without a label. Of several inputs of one name, the first counts.
    pub fn named(inputs: impl IntoIterator<Item = (String, Arc<[u8]>)>) -> Seed {
        let mut seed = Seed::default();
        for (name, bytes) in inputs {
            seed.inputs.entry(name).or_insert(bytes);
        }
        seed
    }

    /// A seed that was drawn, from the inputs of a concrete run in their order.
    pub fn drawn(inputs: &[Input]) -> Seed {
        // A symbolic run numbers repeated names, a concrete one does not.
        let (mut pool, mut list) = (Pool::new(), InputList::default());
        let named = inputs.iter().map(|input| {
            let id = list.add(&mut pool, &input.name, input.bytes.len() as u32);
            (pool.input_object(id).name.to_string(), Arc::from(&*input.bytes))
        });
        Seed { is_drawn: true, ..Seed::named(named.collect::<Vec<_>>()) }
    }

    /// Its bytes for an input, and the position behind them in its order. `place` is the
    /// input's index on the path, `next` the position behind the bytes used before.
    fn bytes(&self, name: &str, size: u32, place: usize, next: usize) -> Option<SeedBytes> {
        if let Some(random) = self.random {
            return Some((draw(random, place, size), next));
        }
        if let Some(bytes) = self.inputs.get(name) {
            let position = self.order.iter().position(|own| own == name);
            return Some((bytes.clone(), position.map_or(next, |at| next.max(at + 1))));
        }
        if let Some(first) = self.first.as_ref().filter(|_| place == 0) {
            return Some((first.clone(), next));
        }
        let later = self.order.iter().enumerate().skip(next);
        let mut later = later.filter_map(|(at, own)| Some((self.inputs.get(own)?.clone(), at + 1)));
        later.find(|(bytes, _)| bytes.len() == size as usize)
    }
}

/// Bytes of a seed, and the position behind them in its order.
type SeedBytes = (Arc<[u8]>, usize);

/// Random bytes, the same for the same input of the same seed.
fn draw(random: u64, place: usize, size: u32) -> Arc<[u8]> {
    let mut rng = Rng::new(random.wrapping_add(place as u64));
    let mut bytes = Vec::with_capacity(size as usize + 8);
    while bytes.len() < size as usize {
        bytes.extend(rng.next_u64().to_le_bytes());
    }
    bytes.truncate(size as usize);
    bytes.into()
}

/// A seed that follows a path.
#[derive(Clone, Debug)]
pub struct PathSeed {
    pub seed: Arc<Seed>,
    /// Its number, which orders seeds.
    pub number: usize,
    /// Its bytes for the inputs created so far. They satisfy the path condition.
    pub model: Model,
    /// Whether all of its bytes had the size of their input.
    pub fits: bool,
    /// The position behind the bytes used last, in the seed's order.
    next: usize,
    /// Whether the seed had bytes for an input; otherwise, the first input created.
    matched: Result<(), Option<(String, u32)>>,
}

impl PathSeed {
    /// A seed that has given these bytes to inputs so far.
    pub fn new(seed: Arc<Seed>, number: usize, model: Model) -> PathSeed {
        PathSeed { seed, number, model, fits: true, next: 0, matched: Err(None) }
    }

    /// Why the seed has bytes for no input of the path; `None` if it has some, or has no bytes.
    pub fn mismatch(&self) -> Option<String> {
        let (name, bytes) = self.seed.inputs.first_key_value()?;
        let own = format!("it has '{name}' of {}", plural(bytes.len() as u64, "byte"));
        Some(match self.matched.as_ref().err()? {
            None => format!("{own}, and its path creates no input"),
            Some((input, size)) => {
                let size = plural((*size).into(), "byte");
                format!("{own}, and the program's first input is '{input}' of {size}")
            }
        })
    }
}

/// The seeds that follow a path, in their order. Most paths have none, which takes no memory
/// beyond a pointer.
#[derive(Clone, Debug, Default)]
pub struct PathSeeds(Option<Rc<Followers>>);

#[derive(Clone, Debug)]
struct Followers {
    /// Never empty.
    all: Vec<PathSeed>,
    /// Constraints added without a fork request. The first seed satisfies them; the others
    /// are checked at the next request.
    held: Vec<ExprId>,
}

impl PathSeeds {
    /// Seeds at the start of a program.
    pub fn all(seeds: &[Arc<Seed>]) -> PathSeeds {
        let follower = |(number, seed): (usize, &Arc<Seed>)| {
            PathSeed::new(Arc::clone(seed), number, Model::new())
        };
        PathSeeds::from(seeds.iter().enumerate().map(follower).collect::<Vec<_>>())
    }

    /// A single seed.
    pub fn only(seed: &Arc<Seed>) -> PathSeeds {
        PathSeeds::all(std::slice::from_ref(seed))
    }

    /// The seeds of each first state: one state for all of them, or one for each.
    pub fn of_first_states(mut self, is_apart: bool) -> Vec<PathSeeds> {
        if !is_apart || self.is_empty() {
            return vec![self];
        }
        self.take().0.into_iter().map(|seed| PathSeeds::from(vec![seed])).collect()
    }

    /// One seed with random bytes.
    pub fn drawn(random: u64) -> PathSeeds {
        let seed = Seed { random: Some(random), is_drawn: true, ..Seed::default() };
        PathSeeds::all(&[Arc::new(seed)])
    }

    /// Replaces the bytes of the first seed.
    pub fn adopt(&mut self, model: Model) {
        if let Some(first) = self.0.as_mut().and_then(|it| Rc::make_mut(it).all.first_mut()) {
            first.model = model;
        }
    }

    /// Whether no seed follows the path.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The seed whose bytes are the path's witness.
    pub fn first(&self) -> Option<&PathSeed> {
        self.0.as_ref()?.all.first()
    }

    /// Takes all seeds, and the constraints they were not checked against.
    pub fn take(&mut self) -> (Vec<PathSeed>, Vec<ExprId>) {
        let followers = self.0.take().map(Rc::unwrap_or_clone);
        followers.map_or_else(Default::default, |Followers { all, held }| (all, held))
    }

    /// Gives a new input the bytes of each seed, padded or cut to its size.
    pub fn fill(&mut self, input: InputId, name: &str, size: u32, place: usize) {
        let Some(followers) = &mut self.0 else { return };
        for follower in &mut Rc::make_mut(followers).all {
            let Some((bytes, next)) = follower.seed.bytes(name, size, place, follower.next) else {
                if follower.matched == Err(None) {
                    follower.matched = Err(Some((name.to_string(), size)));
                }
                continue;
            };
            follower.next = next;
            follower.matched = Ok(());
            if bytes.len() == size as usize {
                follower.model.set_object(input, &*bytes);
            } else {
                let mut sized = bytes.to_vec();
                sized.resize(size as usize, 0);
                follower.model.set_object(input, sized);
                follower.fits = false;
            }
        }
    }

    /// Records a constraint that was added without a fork request.
    pub fn hold(&mut self, condition: ExprId) {
        if let Some(followers) = &mut self.0
            && followers.all.len() > 1
        {
            Rc::make_mut(followers).held.push(condition);
        }
    }

    /// Keeps its terms alive in a collection.
    pub fn mark(&self, roots: &mut Roots) {
        let held = self.0.iter().flat_map(|followers| &followers.held);
        held.for_each(|&e| roots.keep(e));
    }
}

impl From<Vec<PathSeed>> for PathSeeds {
    fn from(all: Vec<PathSeed>) -> PathSeeds {
        PathSeeds((!all.is_empty()).then(|| Rc::new(Followers { all, held: Vec::new() })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seed(inputs: &[(&str, usize)]) -> Seed {
        let bytes = |&(name, size): &(&str, usize)| (name.to_string(), Arc::from(vec![1; size]));
        let order = inputs.iter().map(|(name, _)| name.to_string()).collect();
        Seed { order, ..Seed::named(inputs.iter().map(bytes)) }
    }

    /// The position behind the bytes for each input.
    fn positions(seed: &Seed, asked: &[(&str, u32)]) -> Vec<Option<usize>> {
        let mut next = 0;
        let mut position = |(place, &(name, size)): (usize, &(&str, u32))| {
            let (_, behind) = seed.bytes(name, size, place, next)?;
            next = behind;
            Some(behind)
        };
        asked.iter().enumerate().map(&mut position).collect()
    }

    #[test]
    fn names_come_before_order_and_order_only_goes_on() {
        let seed = seed(&[("a", 4), ("b", 1), ("c", 4), ("d", 4)]);
        assert_eq!(positions(&seed, &[("x", 4), ("y", 1), ("z", 4)]), [Some(1), Some(2), Some(3)]);
        assert_eq!(positions(&seed, &[("c", 9), ("x", 4), ("y", 4)]), [Some(3), Some(4), None]);
        assert_eq!(positions(&seed, &[("d", 4), ("a", 4), ("x", 4)]), [Some(4), Some(4), None]);
        assert_eq!(positions(&seed, &[("x", 2), ("y", 1)]), [None, Some(2)]);
        let unordered = Seed { order: Vec::new(), ..seed };
        assert_eq!(positions(&unordered, &[("x", 4), ("a", 4)]), [None, Some(0)]);
    }
}

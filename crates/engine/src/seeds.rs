//! Seeds: given inputs, and which of them follow a path.
//!
//! A [`Seed`] gives bytes to inputs by name. All seeds start with the first state. When its
//! path creates an input, each seed provides its bytes for that name; when the path forks,
//! each takes the case that its bytes satisfy (`explore::seed_queue` does that). So a seed
//! follows exactly one path, and its bytes satisfy the path condition: the first seed of a
//! path is its witness, and no query is needed.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use byway_base::{ExprId, Rng};
use byway_expr::{InputId, Model, Roots};

/// A given input.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Seed {
    /// A name for messages, such as that of its file.
    pub label: String,
    /// Bytes by the names of inputs. Inputs without a name here are zeros.
    pub inputs: BTreeMap<String, Arc<[u8]>>,
    /// Bytes for the first input of the program, if `inputs` does not name it.
    pub first: Option<Arc<[u8]>>,
    /// The random seed from which the bytes of all inputs are drawn, if they are random.
    pub random: Option<u64>,
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

    /// Its bytes for an input; `place` is the input's index on the path.
    fn bytes(&self, name: &str, size: u32, place: usize) -> Option<Arc<[u8]>> {
        if let Some(random) = self.random {
            return Some(draw(random, place, size));
        }
        self.inputs.get(name).or_else(|| self.first.as_ref().filter(|_| place == 0)).cloned()
    }
}

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
        let follower = |(number, seed): (usize, &Arc<Seed>)| PathSeed {
            seed: Arc::clone(seed),
            number,
            model: Model::new(),
            fits: true,
        };
        PathSeeds::from(seeds.iter().enumerate().map(follower).collect::<Vec<_>>())
    }

    /// One seed with random bytes.
    pub fn drawn(random: u64) -> PathSeeds {
        PathSeeds::all(&[Arc::new(Seed { random: Some(random), ..Seed::default() })])
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
            let Some(bytes) = follower.seed.bytes(name, size, place) else { continue };
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

//! Inputs to begin with, and which of them follow a path.
//!
//! A [`Seed`] says the bytes of inputs by their names. All seeds start with the first
//! state. When its path makes an input, each fills in what it has for that name; when
//! the path parts, each goes the way its bytes go (`explore::seeds` does that). So a
//! seed follows just one path, and its bytes satisfy that path's condition: the first
//! follower of a path is its witness, and nobody has to be asked whether it is
//! possible.

use std::rc::Rc;
use std::sync::Arc;

use byway_base::{ExprId, Rng};
use byway_expr::{InputId, Model, Roots};

/// An input to begin with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Seed {
    /// What a person knows it by, such as the name of its file.
    pub label: String,
    /// Bytes by the names of inputs. Inputs it does not name are zeros.
    pub inputs: Vec<(String, Arc<[u8]>)>,
    /// Bytes for the first input of the program, if that is none of those named.
    pub first: Option<Arc<[u8]>>,
    /// Where bytes for all inputs are drawn from, if they are random.
    pub random: Option<u64>,
}

impl Seed {
    /// What it says of an input of that size, the so-many-th of a path.
    fn bytes(&self, name: &str, size: u32, place: usize) -> Option<Arc<[u8]>> {
        if let Some(random) = self.random {
            return Some(draw(random, place, size));
        }
        let named = self.inputs.iter().find(|(own, _)| own == name).map(|(_, bytes)| bytes);
        named.or_else(|| self.first.as_ref().filter(|_| place == 0)).cloned()
    }
}

/// Random bytes: the same for the same input of the same seed.
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
    /// The seed.
    pub seed: Arc<Seed>,
    /// Its number: seeds are followed in their order.
    pub number: usize,
    /// Its bytes for the inputs made so far. They satisfy the path's condition.
    pub model: Model,
    /// Whether all of its bytes had just the size of their input.
    pub fits: bool,
}

/// The seeds that follow a path, in their order. Most paths have none: no bytes are spent
/// on them.
#[derive(Clone, Debug, Default)]
pub struct PathSeeds(Option<Rc<Followers>>);

/// Some seeds.
#[derive(Clone, Debug)]
struct Followers {
    /// At least one.
    all: Vec<PathSeed>,
    /// What the path was held to without a question. The first follower satisfies it;
    /// the others were not asked yet.
    held: Vec<ExprId>,
}

impl PathSeeds {
    /// These seeds, all of them at the start of a program.
    pub fn all(seeds: &[Arc<Seed>]) -> PathSeeds {
        let follower = |(number, seed): (usize, &Arc<Seed>)| PathSeed {
            seed: Arc::clone(seed),
            number,
            model: Model::new(),
            fits: true,
        };
        PathSeeds::from(seeds.iter().enumerate().map(follower).collect::<Vec<_>>())
    }

    /// One whose bytes are random.
    pub fn drawn(random: u64) -> PathSeeds {
        PathSeeds::all(&[Arc::new(Seed { random: Some(random), ..Seed::default() })])
    }

    /// Other bytes for the first.
    pub fn adopt(&mut self, model: Model) {
        if let Some(first) = self.0.as_mut().and_then(|it| Rc::make_mut(it).all.first_mut()) {
            first.model = model;
        }
    }

    /// Whether there are any.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The one whose bytes are the path's witness.
    pub fn first(&self) -> Option<&PathSeed> {
        self.0.as_ref()?.all.first()
    }

    /// All of them, and what they were not asked about yet.
    pub fn take(&mut self) -> (Vec<PathSeed>, Vec<ExprId>) {
        let followers = self.0.take().map(Rc::unwrap_or_clone);
        followers.map_or_else(Default::default, |Followers { all, held }| (all, held))
    }

    /// The path makes an input: each fills in its bytes, as many as the input has.
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

    /// The path is held to a condition that its witness satisfies.
    pub fn hold(&mut self, condition: ExprId) {
        if let Some(followers) = &mut self.0
            && followers.all.len() > 1
        {
            Rc::make_mut(followers).held.push(condition);
        }
    }

    /// Keeps terms alive in a collection.
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

//! The source of every random choice: xoshiro256++ seeded through SplitMix64
//! (Blackman and Vigna; Steele, Lea and Flood).
//!
//! Implemented here rather than taken from a library, because its numbers are part of a
//! run's result: the same seed must give the same numbers on every machine and
//! with every later version. Not for secrets.

/// A deterministic generator of random numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rng {
    state: [u64; 4],
}

impl Rng {
    /// A generator whose numbers depend on the seed alone. Every seed is suitable.
    pub fn new(seed: u64) -> Rng {
        let mut counter = seed;
        Rng { state: std::array::from_fn(|_| split_mix(&mut counter)) }
    }

    /// A second generator with independent numbers, for a component whose number of draws must
    /// not affect the others.
    pub fn split(&mut self) -> Rng {
        Rng::new(self.next_u64())
    }

    /// Sixty-four random bits.
    pub fn next_u64(&mut self) -> u64 {
        let [a, b, c, d] = &mut self.state;
        let result = a.wrapping_add(*d).rotate_left(23).wrapping_add(*a);
        let shifted = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(45);
        result
    }

    /// A uniformly distributed number below `n`.
    ///
    /// # Panics
    ///
    /// If `n` is zero.
    pub fn below(&mut self, n: u64) -> u64 {
        assert!(n != 0, "there is no number below zero");
        // The upper half of a product with n; the few draws that would bias the
        // result are rejected (Lemire).
        let uneven = n.wrapping_neg() % n;
        loop {
            let product = u128::from(self.next_u64()) * u128::from(n);
            if product as u64 >= uneven {
                return (product >> 64) as u64;
            }
        }
    }

    /// True with this probability; never for zero or less, always for one or more.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// A number from 0 to less than 1.
    pub fn unit(&mut self) -> f64 {
        // 53 bits are exact in an f64, so that every machine gets the same numbers.
        ((self.next_u64() >> 11) as f64) / ((1u64 << 53) as f64)
    }

    /// A uniformly random item; `None` if there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.below(items.len() as u64) as usize) }
    }
}

/// The next number of the SplitMix64 sequence.
fn split_mix(counter: &mut u64) -> u64 {
    *counter = counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *counter;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_numbers_are_reproduced() {
        let mut counter = 0;
        let mixed: Vec<u64> = (0..3).map(|_| split_mix(&mut counter)).collect();
        assert_eq!(mixed, [0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f]);
        let mut rng = Rng { state: [1, 2, 3, 4] };
        let drawn: Vec<u64> = (0..4).map(|_| rng.next_u64()).collect();
        assert_eq!(drawn, [41943041, 58720359, 3588806011781223, 3591011842654386]);
    }

    #[test]
    fn below_is_uniform_and_in_range() {
        let mut rng = Rng::new(7);
        let mut counts = [0u32; 6];
        for _ in 0..60_000 {
            counts[rng.below(6) as usize] += 1;
        }
        // A standard deviation is about 91.
        assert!(counts.iter().all(|&c| c.abs_diff(10_000) < 400), "{counts:?}");
        // With two thirds of the range, the remainder of a draw would lie in the lower half
        // twice as often, and a product without rejection would be even twice as often.
        let n = (u64::MAX / 3) * 2;
        let low = (0..10_000).filter(|_| rng.below(n) < n / 2).count();
        let even = (0..10_000).filter(|_| rng.below(n).is_multiple_of(2)).count();
        assert!(low.abs_diff(5_000) < 250 && even.abs_diff(5_000) < 250, "{low} {even}");
        assert!((0..100).all(|_| rng.below(1) == 0));
        assert!((0..100).all(|_| rng.below(u64::MAX) < u64::MAX));
    }

    #[test]
    fn chance_has_its_probability() {
        let mut rng = Rng::new(11);
        let hits = (0..100_000).filter(|_| rng.chance(0.3)).count();
        assert!(hits.abs_diff(30_000) < 700, "{hits}");
        assert!((0..1000).all(|_| !rng.chance(0.0) && rng.chance(1.0)));
    }

    #[test]
    fn split_streams_differ_and_repeat() {
        let draw = |mut rng: Rng| -> Vec<u64> { (0..8).map(|_| rng.next_u64()).collect() };
        let mut parent = Rng::new(3);
        let (first, second) = (parent.split(), parent.split());
        assert_ne!(draw(first.clone()), draw(second));
        assert_ne!(draw(first.clone()), draw(parent));
        assert_eq!(draw(first), draw(Rng::new(3).split()));
    }

    #[test]
    fn pick_reaches_every_item_and_handles_empty_slices() {
        let mut rng = Rng::new(5);
        let mut seen = [false; 3];
        for _ in 0..100 {
            seen[*rng.pick(&[0usize, 1, 2]).unwrap()] = true;
        }
        assert_eq!(seen, [true; 3]);
        assert_eq!(rng.pick::<u8>(&[]), None);
    }
}

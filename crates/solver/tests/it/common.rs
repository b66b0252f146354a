//! Random terms and queries over a few input bytes, few enough for brute force.

use byway_base::ExprId;
use byway_base::float::Format;
use byway_expr::{Evaluator, InputByte, Model, Op, PathCondition, Pool, RoundTo, VersionId};
use byway_solver::{Answer, Query};

/// A small deterministic generator of random numbers.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    pub fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }
}

/// Operators on two words with a result of the same width.
pub const ARITHMETIC: [Op; 13] = [
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::UDiv,
    Op::SDiv,
    Op::URem,
    Op::SRem,
    Op::Shl,
    Op::LShr,
    Op::AShr,
    Op::And,
    Op::Or,
    Op::Xor,
];

/// Generates random terms over the bytes of one input object.
pub struct Generator {
    pub random: Random,
    pub bytes: u32,
}

const WIDTHS: [u32; 12] = [1, 3, 8, 8, 8, 16, 16, 32, 32, 64, 64, 130];

impl Generator {
    pub fn new(seed: u64, bytes: u32) -> Generator {
        Generator { random: Random::new(seed), bytes }
    }

    pub fn byte(&mut self, pool: &mut Pool) -> ExprId {
        let object = pool.input("in", self.bytes);
        let at = self.random.below(self.bytes as usize) as u32;
        pool.input_byte(object, at)
    }

    fn number(&mut self, pool: &mut Pool, width: u32) -> ExprId {
        let value = match self.random.below(4) {
            0 => self.random.below(4) as u128,
            1 => u128::MAX - self.random.below(4) as u128,
            2 => 1 << self.random.below(width.min(127) as usize),
            _ => u128::from(self.random.next()),
        };
        pool.constant(width, value)
    }

    /// A term of the given width.
    pub fn term(&mut self, pool: &mut Pool, width: u32, depth: u32) -> ExprId {
        if depth == 0 || self.random.chance(12) {
            return self.leaf(pool, width);
        }
        match self.random.below(12) {
            0 => {
                let a = self.term(pool, width, depth - 1);
                pool.not(a)
            }
            1 => {
                let a = self.term(pool, width, depth - 1);
                pool.neg(a)
            }
            2 => {
                let c = self.condition(pool, depth - 1);
                let (a, b) = (self.term(pool, width, depth - 1), self.term(pool, width, depth - 1));
                pool.ite(c, a, b)
            }
            3 if width > 1 => {
                let low = 1 + self.random.below(width as usize - 1) as u32;
                let a = self.term(pool, width - low, depth - 1);
                let b = self.term(pool, low, depth - 1);
                pool.concat(a, b)
            }
            4 => {
                let wider = width + self.random.below(20) as u32;
                let low = self.random.below((wider - width) as usize + 1) as u32;
                let a = self.term(pool, wider, depth - 1);
                pool.extract(a, low, width)
            }
            5 | 6 if width > 1 => {
                let narrower = 1 + self.random.below(width as usize - 1) as u32;
                let a = self.term(pool, narrower, depth - 1);
                if self.random.chance(2) { pool.zext(a, width) } else { pool.sext(a, width) }
            }
            7 if width == 8 => {
                let version = self.memory(pool, depth - 1);
                let index = self.term(pool, 64, depth - 1);
                pool.read(version, index)
            }
            8 if width == 32 => self.float(pool, depth - 1),
            _ => {
                let op = self.random.pick(&ARITHMETIC);
                let (a, b) = (self.term(pool, width, depth - 1), self.term(pool, width, depth - 1));
                pool.binary(op, a, b)
            }
        }
    }

    /// The bits of a computed single.
    fn float(&mut self, pool: &mut Pool, depth: u32) -> ExprId {
        let (a, b) = (self.term(pool, 32, depth), self.term(pool, 32, depth));
        let f = Format::F32;
        match self.random.below(5) {
            0 => pool.fadd(f, a, b),
            1 => pool.fsub(f, a, b),
            2 => pool.fmul(f, a, b),
            3 => pool.ffrom_si(f, a),
            _ => pool.fround(f, RoundTo::Floor, a),
        }
        .expect("singles have terms")
    }

    fn leaf(&mut self, pool: &mut Pool, width: u32) -> ExprId {
        if self.random.chance(3) {
            return self.number(pool, width);
        }
        let byte = self.byte(pool);
        match width {
            ..8 => {
                let low = self.random.below(9 - width as usize) as u32;
                pool.extract(byte, low, width)
            }
            8 => byte,
            _ if self.random.chance(2) => pool.zext(byte, width),
            _ => pool.sext(byte, width),
        }
    }

    /// A small object with a symbolic byte or two, and writes at symbolic offsets.
    fn memory(&mut self, pool: &mut Pool, depth: u32) -> VersionId {
        let size = 1 + self.random.below(12);
        let bytes: Vec<u8> = (0..size).map(|_| self.random.below(6) as u8).collect();
        let at = self.random.below(size) as u64;
        let symbolic = self.byte(pool);
        let mut version = pool.base(bytes, [(at, symbolic)]);
        for _ in 0..self.random.below(3) {
            let mut index = self.term(pool, 64, depth.min(1));
            // A write at a constant offset never exceeds the object.
            if let Some(offset) = pool.value(index) {
                index = pool.constant(64, offset % size as u128);
            }
            let value = self.term(pool, 8, depth.min(1));
            version = pool.write(version, index, value);
        }
        version
    }

    /// A term of one bit.
    pub fn condition(&mut self, pool: &mut Pool, depth: u32) -> ExprId {
        let width = self.random.pick(&WIDTHS);
        let (a, b) = (self.term(pool, width, depth), self.term(pool, width, depth));
        let compare = [Op::Eq, Op::Ult, Op::Ule, Op::Slt, Op::Sle];
        match self.random.below(8) {
            2 if width == 32 => pool.flt(Format::F32, a, b).expect("singles have terms"),
            0 => self.term(pool, 1, depth),
            1 => {
                let same = pool.eq(a, b);
                pool.not(same)
            }
            _ => {
                let op = self.random.pick(&compare);
                pool.binary(op, a, b)
            }
        }
    }
}

/// All inputs of an object of one or two bytes.
pub fn all_models(pool: &mut Pool, bytes: u32) -> impl Iterator<Item = Model> + use<> {
    let object = pool.input("in", bytes);
    (0..1u32 << (8 * bytes)).map(move |value| {
        let mut model = Model::new();
        for byte in 0..bytes {
            model.set_byte(InputByte { object, byte }, (value >> (8 * byte)) as u8);
        }
        model
    })
}

/// An input that satisfies all terms.
pub fn brute_force(pool: &mut Pool, bytes: u32, terms: &[ExprId]) -> Option<Model> {
    let mut evaluator = Evaluator::new();
    all_models(pool, bytes).find(|model| {
        let mut evaluation = evaluator.under(pool, model);
        terms.iter().all(|&e| evaluation.holds(e))
    })
}

/// The conjunction of these terms; `None` if it is trivially false.
pub fn path_of(pool: &mut Pool, terms: &[ExprId]) -> Option<PathCondition> {
    let mut path = PathCondition::new();
    for &e in terms {
        if path.add(pool, e) == byway_expr::Added::False {
            return None;
        }
    }
    Some(path)
}

/// Verifies an answer by evaluation or by brute force; returns whether the query is
/// satisfiable.
pub fn verify(pool: &mut Pool, query: &Query, answer: &Answer, bytes: u32, context: &str) -> bool {
    match answer {
        Answer::Sat(model) => {
            let mut evaluator = Evaluator::new();
            let mut evaluation = evaluator.under(pool, model);
            let mut terms = query.path.conjuncts().chain([query.condition]);
            assert!(terms.all(|e| evaluation.holds(e)), "{context}: a wrong model");
            true
        }
        Answer::Unsat(core) => {
            let in_path = core.conjuncts.iter().all(|&e| query.path.contains(e));
            assert!(in_path, "{context}: a core of other terms");
            let mut core = core.conjuncts.to_vec();
            core.push(query.condition);
            assert_eq!(brute_force(pool, bytes, &core), None, "{context}: a wrong core");
            false
        }
        Answer::Unknown(reason) => panic!("{context}: {reason}"),
    }
}

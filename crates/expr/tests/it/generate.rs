//! Random terms, constants and models, deterministic by seed.

use byway_base::ExprId;
use byway_base::float::Format;
use byway_expr::{InputByte, InputId, Model, Op, Pool, RoundTo};

/// A small generator (xorshift), so that failures are reproducible.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() >> 33) as usize % end
    }

    /// A value, often a boundary value.
    pub fn number(&mut self) -> u128 {
        let random = u128::from(self.next()) << 64 | u128::from(self.next());
        match self.below(6) {
            0 => self.below(4) as u128,
            1 => u128::MAX - self.below(4) as u128,
            2 => 1 << self.below(128),
            3 => (1u128 << self.below(128)).wrapping_sub(1),
            4 => random >> self.below(128),
            _ => random,
        }
    }

    /// A byte, often a boundary value of floats and integers.
    pub fn byte(&mut self) -> u8 {
        const EDGES: [u8; 8] = [0x00, 0xff, 0x7f, 0x80, 0xf0, 0x3f, 0x01, 0x40];
        match self.below(3) {
            0 => self.next() as u8,
            _ => EDGES[self.below(EDGES.len())],
        }
    }
}

/// The number of input bytes in the terms.
pub const INPUT_BYTES: u32 = 16;

/// The input object of the terms.
pub fn input(pool: &mut Pool) -> InputId {
    pool.input("in", INPUT_BYTES)
}

/// A random model.
pub fn model(pool: &mut Pool, rng: &mut Rng) -> Model {
    let object = input(pool);
    let mut model = Model::new();
    for byte in 0..INPUT_BYTES {
        model.set_byte(InputByte { object, byte }, rng.byte());
    }
    model
}

/// One step of a recipe: an operator and the indices of its operands.
pub type RecipeStep = [u8; 6];

/// The operators that a recipe may use.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum OperatorSet {
    Integers,
    WithMemory,
    WithFloats,
}

const WIDTHS: [u32; 10] = [1, 7, 8, 16, 24, 32, 33, 64, 128, 160];

/// Builds the terms of a recipe. Their widths do not depend on the pool, so that the terms of
/// two pools can be compared one by one.
pub fn build_terms(pool: &mut Pool, operators: OperatorSet, recipe: &[RecipeStep]) -> Vec<ExprId> {
    let object = input(pool);
    let terms = (0..INPUT_BYTES).map(|i| pool.input_byte(object, i)).collect();
    cook_from(pool, operators, recipe, terms)
}

/// As [`build_terms`], over a single input byte.
pub fn build_terms_on_one_byte(
    pool: &mut Pool,
    operators: OperatorSet,
    recipe: &[RecipeStep],
) -> Vec<ExprId> {
    let object = input(pool);
    let byte = pool.input_byte(object, 3);
    cook_from(pool, operators, recipe, vec![byte])
}

fn cook_from(
    pool: &mut Pool,
    operators: OperatorSet,
    recipe: &[RecipeStep],
    mut terms: Vec<ExprId>,
) -> Vec<ExprId> {
    for step in recipe {
        let term = cook_step(pool, operators, &terms, step);
        terms.push(term);
    }
    terms
}

fn cook_step(
    pool: &mut Pool,
    operators: OperatorSet,
    terms: &[ExprId],
    step: &RecipeStep,
) -> ExprId {
    let [op, first, second, third, size, number] = step.map(usize::from);
    // Recent terms are more likely, so that terms get deep.
    let term = |i: usize| terms[terms.len() - 1 - i * i / 256 % terms.len().min(200)];
    let (x, y, z) = (term(first), term(second), term(third));
    let width = pool.width(x);
    let fit = |pool: &mut Pool, e: ExprId, width: u32| pool.resize(e, width);
    let constant = |pool: &mut Pool, width: u32| {
        let value = (number as u128) << (size % 120) >> (first % 8);
        let value = if second % 2 == 0 { value } else { value.wrapping_neg() };
        let small = pool.constant(width.min(128), value);
        pool.resize(small, width)
    };
    const BINARY: [Op; 18] = [
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
        Op::Eq,
        Op::Ult,
        Op::Ule,
        Op::Slt,
        Op::Sle,
    ];
    match op % 48 {
        i @ 0..=17 => {
            let y = fit(pool, y, width);
            pool.binary(BINARY[i], x, y)
        }
        i @ 18..=35 => {
            let c = constant(pool, width);
            let (a, b) = if third % 2 == 0 { (c, x) } else { (x, c) };
            pool.binary(BINARY[i - 18], a, b)
        }
        36 => pool.not(x),
        37 => pool.neg(x),
        38 | 39 if pool.width(x) + pool.width(y) <= 160 => pool.concat(x, y),
        38..=40 => {
            let low = size as u32 % width;
            let kept = 1 + number as u32 % (width - low);
            pool.extract(x, low, kept)
        }
        41 => {
            let to = WIDTHS[size % WIDTHS.len()].max(width);
            pool.zext(x, to)
        }
        42 => {
            let to = WIDTHS[size % WIDTHS.len()].max(width);
            pool.sext(x, to)
        }
        43 | 44 => {
            let cond = fit(pool, y, 1);
            let z = if op % 2 == 0 { constant(pool, width) } else { fit(pool, z, width) };
            if size % 2 == 0 { pool.ite(cond, x, z) } else { pool.ite(cond, z, x) }
        }
        _ => match operators {
            OperatorSet::Integers => fit(pool, x, WIDTHS[size % WIDTHS.len()]),
            OperatorSet::WithMemory => cook_read(pool, [x, y, z], [size, number]),
            OperatorSet::WithFloats => cook_float(pool, [x, y, z], [size, number]),
        },
    }
}

fn cook_read(pool: &mut Pool, [x, y, z]: [ExprId; 3], [size, number]: [usize; 2]) -> ExprId {
    let bytes: Vec<u8> = (0..8 + size % 9).map(|i| (i * number / 16) as u8).collect();
    let symbolic = pool.resize(z, 8);
    let mut version = pool.base(bytes, [((number % 8) as u64, symbolic)]);
    let index = |pool: &mut Pool, e: ExprId, bits: u32| {
        let low = pool.resize(e, bits);
        pool.resize(low, 64)
    };
    for (i, e) in [y, z].into_iter().enumerate() {
        if number >> i & 1 == 0 {
            let at = match size >> i & 1 {
                0 => pool.constant(64, (number % 11) as u128),
                _ => index(pool, e, 3),
            };
            let value = pool.resize(x, 8);
            version = pool.write(version, at, value);
        }
    }
    let at = index(pool, y, 2 + (size % 3) as u32);
    pool.read(version, at)
}

fn cook_float(pool: &mut Pool, [x, y, z]: [ExprId; 3], [size, number]: [usize; 2]) -> ExprId {
    let formats = [Format::F32, Format::F64, Format::F80];
    let format = formats[number % 3];
    let bits = format.bits();
    // Floats stay floats, so that chains form.
    let float = |pool: &mut Pool, e: ExprId| match pool.width(e) == bits {
        true => e,
        false if pool.width(e) <= 128 => pool.ffrom_si(format, e).expect("a format with terms"),
        false => pool.resize(e, bits),
    };
    let (a, b, c) = (float(pool, x), float(pool, y), float(pool, z));
    let result = match size % 25 {
        0 => pool.fadd(format, a, b),
        1 => pool.fsub(format, a, b),
        2 => pool.fmul(format, a, b),
        3 => pool.fdiv(format, a, b),
        4 => pool.fsqrt(format, a),
        5 => pool.ffma(format, a, b, c),
        6 => pool.fround(format, RoundTo::ALL[number / 3 % 5], a),
        7 => pool.feq(format, a, b),
        8 => pool.flt(format, a, b),
        9 => pool.fle(format, a, b),
        10 => pool.fis_nan(format, a),
        11 => pool.fto_si(format, a, 32),
        12 => pool.fto_si(format, a, 1 + number as u32 % 128),
        13 => pool.fto_ui(format, a, 1 + number as u32 % 128),
        14 => pool.fto_ui(format, a, 64),
        15 => pool.fto_si_sat(format, a, 1 + number as u32 % 128),
        16 => pool.fto_ui_sat(format, a, 1 + number as u32 % 128),
        17 => match pool.width(x) {
            ..=128 => pool.ffrom_ui(format, x),
            _ => Some(a),
        },
        18 => pool.fconvert(format, formats[(number + 1 + number / 3 % 2) % 3], a),
        19 => pool.fminimum(format, a, b),
        20 => pool.fmaximum_num(format, a, b),
        21 => pool.fclass(format, a, (number * 257) as u16 & 0x3ff),
        22 => Some(pool.fneg(format, a)),
        23 => pool.frem(format, a, b),
        _ => Some(pool.fabs(format, a)),
    };
    result.expect("a format with terms")
}

/// A random recipe.
pub fn recipe(rng: &mut Rng, steps: usize) -> Vec<RecipeStep> {
    (0..steps).map(|_| std::array::from_fn(|_| rng.next() as u8)).collect()
}

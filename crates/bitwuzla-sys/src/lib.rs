//! Declarations of the part of Bitwuzla's C interface that Byway calls: options, sorts, terms,
//! incremental instances, models, unsat cores, the termination callback, and the parser, with
//! which tests read the SMT-LIB text that Byway writes.
//!
//! For version 0.9.1, whose headers in `include/bitwuzla/c` document each function; a test
//! compares the numbers of kinds and options with the library. `byway-solver` has the safe
//! wrappers.
//!
//! Not stated in the headers: a term manager and everything created with it, including
//! instances, belong to one thread; every function that returns a term or a sort transfers one
//! reference, which the caller must release; returned strings and arrays are valid until the
//! next call of the same function.

use std::ffi::{c_char, c_int, c_void};

/// The options of a new instance.
#[repr(C)]
pub struct Options {
    _opaque: [u8; 0],
}

/// Owns sorts and terms.
#[repr(C)]
pub struct TermManager {
    _opaque: [u8; 0],
}

/// An incremental solver instance.
#[repr(C)]
pub struct Bitwuzla {
    _opaque: [u8; 0],
}

/// A parser of SMT-LIB text, with an instance of its own.
#[repr(C)]
pub struct BitwuzlaParser {
    _opaque: [u8; 0],
}

/// The target of a [`Sort`].
#[repr(C)]
pub struct SortData {
    _opaque: [u8; 0],
}

/// The target of a [`Term`].
#[repr(C)]
pub struct TermData {
    _opaque: [u8; 0],
}

/// A reference-counted sort.
pub type Sort = *mut SortData;

/// A reference-counted term.
pub type Term = *mut TermData;

/// Polled during a check; a nonzero result terminates it.
pub type TerminationCallback = extern "C" fn(state: *mut c_void) -> i32;

/// Called with a message on misuse, before the library would exit the process.
pub type AbortCallback = extern "C" fn(message: *const c_char);

/// The result of a check.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct CheckResult(pub c_int);

impl CheckResult {
    /// Satisfiable.
    pub const SAT: CheckResult = CheckResult(10);
    /// Unsatisfiable.
    pub const UNSAT: CheckResult = CheckResult(20);
    /// Undecided.
    pub const UNKNOWN: CheckResult = CheckResult(0);
}

/// Options, with the library's numbers.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(C)]
pub enum BitwuzlaOption {
    /// Allow models to be queried.
    ProduceModels = 1,
    /// Allow unsat cores to be queried.
    ProduceUnsatCores = 4,
    /// The seed of the random number generator.
    Seed = 5,
    /// 0 disables rewriting, 1 allows cheap rules, 2 all.
    RewriteLevel = 11,
    /// Preprocess the assertions.
    Preprocess = 44,
}

/// The rounding modes of floating-point operators.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(C)]
pub enum RoundingMode {
    /// To nearest, ties to even.
    NearestEven = 0,
    /// To nearest, ties away from zero.
    NearestAway = 1,
    /// Toward minus infinity.
    Down = 2,
    /// Toward infinity.
    Up = 3,
    /// Toward zero.
    Zero = 4,
}

/// The kinds of terms that Byway creates, with the library's numbers. They are named after and
/// mean SMT-LIB's operators.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(C)]
#[allow(missing_docs, reason = "the names are SMT-LIB's")]
pub enum Kind {
    And = 4,
    Equal = 6,
    Not = 9,
    Or = 10,
    Xor = 11,
    Ite = 12,
    BvAdd = 19,
    BvAnd = 20,
    BvAshr = 21,
    BvConcat = 23,
    BvMul = 26,
    BvNeg = 28,
    BvNot = 31,
    BvOr = 32,
    BvSdiv = 40,
    BvShl = 43,
    BvShr = 44,
    BvSle = 45,
    BvSlt = 46,
    BvSrem = 49,
    BvSub = 51,
    BvUdiv = 53,
    BvUle = 56,
    BvUlt = 57,
    BvUrem = 59,
    BvXor = 62,
    BvExtract = 63,
    BvSignExtend = 67,
    BvZeroExtend = 68,
    FpAbs = 69,
    FpAdd = 70,
    FpDiv = 71,
    FpEqual = 72,
    FpFma = 73,
    FpIsNan = 78,
    FpIsNeg = 79,
    FpLeq = 84,
    FpLt = 85,
    FpMul = 88,
    FpNeg = 89,
    FpRem = 90,
    FpRti = 91,
    FpSqrt = 92,
    FpSub = 93,
    FpToFpFromBv = 94,
    FpToFpFromFp = 95,
    FpToFpFromSbv = 96,
    FpToFpFromUbv = 97,
    FpToSbv = 98,
}

#[allow(missing_docs, reason = "the library's header documents them")]
unsafe extern "C" {
    pub fn bitwuzla_version() -> *const c_char;
    pub fn bitwuzla_kind_to_string(kind: Kind) -> *const c_char;
    pub fn bitwuzla_set_abort_callback(fun: AbortCallback);

    pub fn bitwuzla_options_new() -> *mut Options;
    pub fn bitwuzla_options_delete(options: *mut Options);
    pub fn bitwuzla_set_option(options: *mut Options, option: BitwuzlaOption, value: u64);
    pub fn bitwuzla_get_option(options: *mut Options, option: BitwuzlaOption) -> u64;

    pub fn bitwuzla_term_manager_new() -> *mut TermManager;
    pub fn bitwuzla_term_manager_delete(tm: *mut TermManager);

    pub fn bitwuzla_sort_release(sort: Sort);
    pub fn bitwuzla_mk_bv_sort(tm: *mut TermManager, size: u64) -> Sort;

    pub fn bitwuzla_term_copy(term: Term) -> Term;
    pub fn bitwuzla_term_release(term: Term);
    pub fn bitwuzla_term_is_bool(term: Term) -> bool;
    pub fn bitwuzla_term_is_bv(term: Term) -> bool;
    pub fn bitwuzla_term_is_fp(term: Term) -> bool;
    pub fn bitwuzla_term_bv_get_size(term: Term) -> u64;
    pub fn bitwuzla_term_value_get_str_fmt(term: Term, base: u8) -> *const c_char;
    pub fn bitwuzla_term_to_string(term: Term) -> *const c_char;

    pub fn bitwuzla_mk_true(tm: *mut TermManager) -> Term;
    pub fn bitwuzla_mk_false(tm: *mut TermManager) -> Term;
    pub fn bitwuzla_mk_bv_value(
        tm: *mut TermManager,
        sort: Sort,
        digits: *const c_char,
        base: u8,
    ) -> Term;
    pub fn bitwuzla_mk_bv_value_uint64(tm: *mut TermManager, sort: Sort, value: u64) -> Term;
    pub fn bitwuzla_mk_rm_value(tm: *mut TermManager, mode: RoundingMode) -> Term;
    pub fn bitwuzla_mk_const(tm: *mut TermManager, sort: Sort, symbol: *const c_char) -> Term;
    pub fn bitwuzla_mk_term(
        tm: *mut TermManager,
        kind: Kind,
        count: u32,
        operands: *const Term,
    ) -> Term;
    pub fn bitwuzla_mk_term_indexed(
        tm: *mut TermManager,
        kind: Kind,
        count: u32,
        operands: *const Term,
        index_count: u32,
        indices: *const u64,
    ) -> Term;

    pub fn bitwuzla_new(tm: *mut TermManager, options: *const Options) -> *mut Bitwuzla;
    pub fn bitwuzla_delete(instance: *mut Bitwuzla);
    pub fn bitwuzla_set_termination_callback(
        instance: *mut Bitwuzla,
        callback: TerminationCallback,
        state: *mut c_void,
    );
    pub fn bitwuzla_push(instance: *mut Bitwuzla, levels: u64);
    pub fn bitwuzla_pop(instance: *mut Bitwuzla, levels: u64);
    pub fn bitwuzla_assert(instance: *mut Bitwuzla, term: Term);
    pub fn bitwuzla_check_sat(instance: *mut Bitwuzla) -> CheckResult;
    pub fn bitwuzla_get_value(instance: *mut Bitwuzla, term: Term) -> Term;
    pub fn bitwuzla_get_unsat_core(instance: *mut Bitwuzla, size: *mut usize) -> *const Term;

    pub fn bitwuzla_parser_new(
        tm: *mut TermManager,
        options: *mut Options,
        language: *const c_char,
        base: u8,
        output: *const c_char,
    ) -> *mut BitwuzlaParser;
    pub fn bitwuzla_parser_delete(parser: *mut BitwuzlaParser);
    pub fn bitwuzla_parser_parse(
        parser: *mut BitwuzlaParser,
        input: *const c_char,
        parse_only: bool,
        input_is_file: bool,
        error: *mut *const c_char,
    );
}

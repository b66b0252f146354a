//! The path condition of a test, in the languages of solvers.

use byway_base::ExprId;
use byway_expr::{Pool, kquery, smtlib};

use crate::path_info::PathInfo;

/// The languages in which path conditions are reported.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct PathConditionLanguages {
    /// SMT-LIB 2.
    pub smtlib: bool,
    /// KLEE's KQuery.
    pub kquery: bool,
}

/// A path condition in these languages.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PathConditionText {
    /// SMT-LIB 2.
    pub smtlib: Option<String>,
    /// KLEE's KQuery.
    pub kquery: Option<String>,
}

impl PathConditionText {
    /// The path condition in the languages that are asked for. Where a language cannot express it,
    /// the text is a comment that says why.
    pub(super) fn new(
        pool: &mut Pool,
        path: &PathInfo,
        languages: PathConditionLanguages,
    ) -> Option<Box<PathConditionText>> {
        let PathConditionLanguages { smtlib, kquery } = languages;
        if !smtlib && !kquery {
            return None;
        }
        let conjuncts: Vec<ExprId> = path.condition.conjuncts().collect();
        let smtlib = smtlib.then(|| {
            smtlib::query(pool, &conjuncts).unwrap_or_else(|why| format!("; no text: {why}\n"))
        });
        let kquery = kquery.then(|| {
            kquery::query(pool, &conjuncts).unwrap_or_else(|why| format!("# no text: {why}\n"))
        });
        Some(Box::new(PathConditionText { smtlib, kquery }))
    }
}

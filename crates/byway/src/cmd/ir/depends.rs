//! What the lines of functions depend on.

use byway_ir::analysis::Dependences;
use byway_ir::{FuncId, Module, Origin};

/// Prints the dependences of these functions, or of all that the user wrote if there are none.
pub fn print(module: &Module, funcs: &[FuncId], dot: bool) -> String {
    let is_user = |func: &FuncId| {
        let body = &module.funcs[*func];
        body.origin == Origin::User && !body.is_declaration()
    };
    let user: Vec<FuncId> = module.funcs.keys().filter(is_user).collect();
    let printed = if funcs.is_empty() { &user } else { funcs };
    // Dependences between functions need both, so all functions of the user take part.
    let mut analysed = [&user[..], funcs].concat();
    analysed.sort_unstable();
    analysed.dedup();
    let points_to = byway_engine::points_to(module);
    let dependences = Dependences::new(module, &points_to, &analysed);
    if dot {
        return dependences.dot(module, printed);
    }
    let texts = printed.iter().map(|&func| dependences.print_function(module, func));
    texts.collect::<Vec<_>>().join("\n")
}

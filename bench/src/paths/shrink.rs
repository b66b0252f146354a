//! Reduces a program while it still shows a defect.
//!
//! Parts are left out or replaced by parts of themselves, large ones first. The
//! compiler rejects results that are not valid C; these do not show the defect.

use super::tree::{Role, SourceTree};

/// Smaller and smaller trees, until none is left that `still` holds for or it has been
/// asked `attempts` times.
pub fn shrink(
    tree: &SourceTree,
    mut attempts: usize,
    mut still: impl FnMut(&SourceTree) -> bool,
) -> SourceTree {
    let mut best = tree.clone();
    loop {
        let before = best.size();
        let mut place = 0;
        while place < best.size() && attempts > 0 {
            let mut progress = false;
            for candidate in candidates(&best, place) {
                if attempts == 0 {
                    break;
                }
                attempts -= 1;
                if still(&candidate) {
                    best = candidate;
                    progress = true;
                    break;
                }
            }
            // The replacement may be reduced further.
            place += usize::from(!progress);
        }
        if best.size() == before || attempts == 0 {
            return best;
        }
    }
}

/// Trees in which the node at this position is smaller.
fn candidates(tree: &SourceTree, place: usize) -> Vec<SourceTree> {
    let mut tree = tree.clone();
    let Some(here) = tree.at(place).cloned() else { return Vec::new() };
    let smaller = match here.role {
        Role::List => lists(&here),
        Role::Value(of) => values(&here, of),
        Role::Statement | Role::Fixed => Vec::new(),
    };
    let with = |instead: SourceTree| {
        let mut whole = tree.clone();
        if let Some(here) = whole.at(place) {
            *here = instead;
        }
        whole
    };
    smaller.into_iter().map(with).collect()
}

/// A list without some of its parts, or with the inside of one in its place.
fn lists(list: &SourceTree) -> Vec<SourceTree> {
    let kids = &list.kids;
    let mut smaller = Vec::new();
    let mut length = kids.len();
    while length > 0 {
        for from in (0..kids.len()).step_by(length) {
            let mut rest = kids.clone();
            rest.drain(from..(from + length).min(kids.len()));
            smaller.push(SourceTree::list(rest));
        }
        length /= 2;
    }
    for (at, kid) in kids.iter().enumerate().filter(|(_, kid)| kid.role == Role::Statement) {
        for inner in kid.kids.iter().filter(|inner| inner.role == Role::List) {
            let mut spliced = kids.clone();
            spliced.splice(at..=at, inner.kids.iter().cloned());
            smaller.push(SourceTree::list(spliced));
        }
    }
    smaller
}

/// A constant, or a number the number is made of.
fn values(value: &SourceTree, of: &'static str) -> Vec<SourceTree> {
    if value.kids.is_empty() {
        return Vec::new();
    }
    let mut smaller: Vec<_> =
        (0..2).map(|n| SourceTree::value(of, format!("(({of}){n})"), vec![])).collect();
    for kid in numbers_in(value) {
        let same = kid.role == Role::Value(of) || kid.kids.is_empty();
        smaller.push(match same {
            true => kid.clone(),
            false => SourceTree::value(of, format!("(({of})$0)"), vec![kid.clone()]),
        });
    }
    // A cast in place of a cast would go on for ever.
    smaller.retain(|tree| tree.size() < value.size());
    smaller
}

/// The outermost numbers in a number.
fn numbers_in(tree: &SourceTree) -> Vec<&SourceTree> {
    let mut found = Vec::new();
    for kid in &tree.kids {
        match kid.role {
            Role::Value(_) => found.push(kid),
            _ => found.extend(numbers_in(kid)),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(text: &str) -> SourceTree {
        SourceTree::value("i32", text, vec![])
    }

    #[test]
    fn only_what_matters_is_left() {
        let sum = |a, b| SourceTree::value("i32", "($0 + $1)", vec![a, b]);
        let set = |to: &str, value| SourceTree::statement(format!("{to} = $0;"), vec![value]);
        let inner =
            SourceTree::list(vec![set("a", leaf("1")), set("b", sum(leaf("x"), leaf("y")))]);
        let tree = SourceTree::list(vec![
            set("c", leaf("2")),
            SourceTree::statement("if (z) {\n$0}", vec![inner]),
            set("d", leaf("3")),
        ]);
        let small = shrink(&tree, 1000, |tree| {
            let text = tree.print();
            text.contains("b =") && text.contains('y')
        });
        assert_eq!(small.print(), "b = y;\n");
    }

    #[test]
    fn attempts_are_limited() {
        let tree = SourceTree::list((0..64).map(|_| leaf("x")).collect());
        let mut asked = 0;
        shrink(&tree, 10, |_| {
            asked += 1;
            false
        });
        assert_eq!(asked, 10);
    }
}

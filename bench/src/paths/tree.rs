//! A random program as a tree: C text with holes, and the subtrees that fill them.
//!
//! The text is printed; the tree exists so that a program that shows a
//! defect can be made smaller, by parts, without knowing C.

/// A piece of a program.
#[derive(Clone, Debug)]
pub struct SourceTree {
    /// The permitted replacements.
    pub role: Role,
    /// C, with `$0` to `$9` where the kids go. Statements have no text.
    pub text: String,
    /// The subtrees that fill the holes.
    pub kids: Vec<SourceTree>,
}

/// The replacements of a node that keep the program valid.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Role {
    /// A number of this type: by any other number, cast.
    Value(&'static str),
    /// A list of which any part may be left out; each kid begins a line.
    List,
    /// One statement: by the statements in it.
    Statement,
    /// Nothing else.
    Fixed,
}

impl SourceTree {
    /// A number.
    pub fn value(of: &'static str, text: impl Into<String>, kids: Vec<SourceTree>) -> SourceTree {
        SourceTree { role: Role::Value(of), text: text.into(), kids }
    }

    /// A statement.
    pub fn statement(text: impl Into<String>, kids: Vec<SourceTree>) -> SourceTree {
        SourceTree { role: Role::Statement, text: text.into(), kids }
    }

    /// Text that stays; only its subtrees may be replaced.
    pub fn fixed(text: impl Into<String>, kids: Vec<SourceTree>) -> SourceTree {
        SourceTree { role: Role::Fixed, text: text.into(), kids }
    }

    /// Statements or declarations, each on a line of its own.
    pub fn list(kids: Vec<SourceTree>) -> SourceTree {
        SourceTree { role: Role::List, text: String::new(), kids }
    }

    /// The program as C.
    pub fn print(&self) -> String {
        let mut flat = String::new();
        self.flatten(&mut flat);
        indent(&flat)
    }

    fn flatten(&self, out: &mut String) {
        if self.role == Role::List {
            for kid in &self.kids {
                kid.flatten(out);
                out.push('\n');
            }
            return;
        }
        let mut pieces = self.text.split('$');
        out.push_str(pieces.next().unwrap_or_default());
        for piece in pieces {
            let hole = piece.chars().next().and_then(|c| c.to_digit(10)).unwrap_or(0);
            if let Some(kid) = self.kids.get(hole as usize) {
                kid.flatten(out);
            }
            out.push_str(piece.get(1..).unwrap_or_default());
        }
    }

    /// How many pieces it consists of.
    pub fn size(&self) -> usize {
        1 + self.kids.iter().map(SourceTree::size).sum::<usize>()
    }

    /// The piece at a place, counted from the root downwards.
    pub fn at(&mut self, mut place: usize) -> Option<&mut SourceTree> {
        if place == 0 {
            return Some(self);
        }
        place -= 1;
        for kid in &mut self.kids {
            let size = kid.size();
            if place < size {
                return kid.at(place);
            }
            place -= size;
        }
        None
    }
}

/// Indents lines by the braces open at their beginning.
fn indent(flat: &str) -> String {
    let mut out = String::new();
    let mut depth = 0_usize;
    for line in flat.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let closing = line.chars().take_while(|c| *c == '}').count();
        let label = line.starts_with("case ") || line.starts_with("default:");
        let levels = depth.saturating_sub(closing).saturating_sub(usize::from(label));
        out.push_str(&"    ".repeat(levels));
        out.push_str(line);
        out.push('\n');
        let count = |brace| line.chars().filter(|c| *c == brace).count();
        depth = (depth + count('{')).saturating_sub(count('}'));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> SourceTree {
        let sum = SourceTree::value(
            "i32",
            "($0 + $1)",
            vec![SourceTree::value("u8", "a", vec![]), SourceTree::value("u8", "b", vec![])],
        );
        let inner = SourceTree::list(vec![SourceTree::statement("x = $0;", vec![sum])]);
        SourceTree::statement("if (c) {\n$0}", vec![inner])
    }

    #[test]
    fn holes_are_filled_and_lines_indented() {
        assert_eq!(sample().print(), "if (c) {\n    x = (a + b);\n}\n");
    }

    #[test]
    fn every_piece_has_a_place() {
        let mut tree = sample();
        assert_eq!(tree.size(), 6);
        let texts: Vec<_> = (0..6).filter_map(|n| tree.at(n).map(|t| t.text.clone())).collect();
        assert_eq!(texts, ["if (c) {\n$0}", "", "x = $0;", "($0 + $1)", "a", "b"]);
        assert!(tree.at(6).is_none());
    }
}

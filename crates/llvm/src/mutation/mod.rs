//! Where a C source can be changed, and into what: its syntax tree, as libclang has it,
//! tells where operators, literals and statements are, to the byte.
//!
//! ```text
//! source ──[`clang`]──▶ tree ──walk──▶ places ──[`replace`]──▶ MutationPoints
//! ```
//!
//! Only bodies of functions are changed, in the main file and in headers of the user's.
//! What comes out of a macro's definition is left alone and counted; what is written in
//! its arguments is text like any other. Each place is checked against the bytes that
//! are there: between two operands there must be an operator and nothing else.

// The names are libclang's.
#![allow(non_upper_case_globals)]

mod clang;
mod replace;
mod text;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

use byway_base::{Lines, Mutation, MutationOperator, MutationPoints};
use clang_sys::*;

use clang::{AstCursor, ClangFile, FileContents, FilePosition, TranslationUnit};
use replace::OperandTypes;

/// Finds what can be changed in a source that is compiled with these options.
pub fn find(source: &Path, options: &[OsString]) -> Result<MutationPoints, String> {
    clang::load()?;
    let unit = TranslationUnit::parse(source, options)?;
    let mut walk = MutationVisitor {
        texts: FileContents::default(),
        found: BTreeSet::new(),
        hidden: BTreeSet::new(),
    };
    for declaration in unit.root().children() {
        walk.declaration(declaration);
    }
    Ok(MutationPoints {
        mutations: walk.found.into_iter().collect(),
        in_macros: walk.hidden.into_iter().collect(),
    })
}

struct MutationVisitor {
    texts: FileContents,
    found: BTreeSet<Mutation>,
    /// Places whose text is in a macro's definition: file and line.
    hidden: BTreeSet<(String, u32)>,
}

/// What is around a node.
#[derive(Clone)]
struct MutationContext {
    function: String,
    within: Lines,
    /// The lines of the whole expression or declaration it is in, if it is in any.
    reach: Option<Lines>,
    /// The lines of what the innermost `switch` around it looks at.
    dispatch: Option<Lines>,
}

impl MutationVisitor {
    fn declaration(&mut self, declaration: AstCursor) {
        if declaration.kind() != CXCursor_FunctionDecl || declaration.is_systems() {
            return;
        }
        let body = declaration.children().into_iter().find(|it| it.kind() == CXCursor_CompoundStmt);
        let (Some(body), Some(within)) = (body, declaration.lines()) else { return };
        let around =
            MutationContext { function: declaration.name(), within, reach: None, dispatch: None };
        // A list of what is left to do, not calls: expressions nest without limit.
        let mut waiting = vec![(body, around)];
        while let Some((node, mut around)) = waiting.pop() {
            let whole = node.is_expression()
                || matches!(node.kind(), CXCursor_DeclStmt | CXCursor_ReturnStmt);
            if whole && around.reach.is_none() {
                around.reach = node.lines();
            }
            let children = node.children();
            self.node(node, &children, &around);
            for statement in statements(node, &children) {
                self.deletion(statement, &around);
            }
            let labels = match node.kind() {
                CXCursor_CaseStmt => children.len().saturating_sub(1),
                _ => 0,
            };
            if node.kind() == CXCursor_SwitchStmt {
                around.dispatch = children.first().and_then(|looked_at| looked_at.lines());
            }
            for (index, child) in children.into_iter().enumerate() {
                let mut around = around.clone();
                if index < labels {
                    // Whoever comes to the switch compares, wherever it goes then.
                    around.reach = around.reach.or(around.dispatch.clone());
                }
                waiting.push((child, around));
            }
        }
    }

    fn node(&mut self, node: AstCursor, children: &[AstCursor], around: &MutationContext) {
        match (node.kind(), children) {
            (CXCursor_BinaryOperator | CXCursor_CompoundAssignOperator, [left, right]) => {
                self.binary(node, *left, *right, around);
            }
            (CXCursor_UnaryOperator, [operand]) => self.unary(node, *operand, around),
            (CXCursor_IntegerLiteral, _) => {
                self.literal(node, around, |text| text[0].is_ascii_digit(), replace::integer);
            }
            (CXCursor_FloatingLiteral, _) => {
                let looks = |text: &[u8]| text[0].is_ascii_digit() || text[0] == b'.';
                self.literal(node, around, looks, replace::floating);
            }
            (CXCursor_CharacterLiteral, _) => {
                let looks = |text: &[u8]| text.ends_with(b"'");
                self.literal(node, around, looks, replace::character);
            }
            _ => {}
        }
    }

    fn binary(
        &mut self,
        node: AstCursor,
        left: AstCursor,
        right: AstCursor,
        around: &MutationContext,
    ) {
        let (Some((_, after)), Some((before, _))) = (left.extent(), right.extent()) else { return };
        let between = self.bytes(after, before).and_then(|bytes| {
            let (at, operator) = text::core(bytes)?;
            Some((at, std::str::from_utf8(operator).ok()?.to_string()))
        });
        let operands = operands(&[left, right]);
        let others = between.and_then(|(at, operator)| {
            let (kind, others) = replace::binary(&operator, operands)?;
            Some((at, operator.len(), kind, others))
        });
        match others {
            Some((at, length, kind, others)) => {
                let begin = after.offset + at;
                let place = (after.file, begin, begin + length);
                others.iter().for_each(|other| self.add(place, kind, (*other).into(), around));
            }
            // Nothing but an operator that has no others, such as `=`, is no loss.
            None if self.is_written(after, before) => {}
            None => self.hide(node),
        }
    }

    /// Whether there is an operator of some kind in the text between two operands.
    fn is_written(&mut self, after: FilePosition, before: FilePosition) -> bool {
        let core = self.bytes(after, before).and_then(text::core);
        core.is_some_and(|(_, operator)| operator == b"=" || operator == b",")
    }

    fn unary(&mut self, node: AstCursor, operand: AstCursor, around: &MutationContext) {
        let (Some((begin, end)), Some((inner, behind))) = (node.extent(), operand.extent()) else {
            return;
        };
        let sign = |bytes: &[u8]| {
            let (at, sign) = text::core(bytes)?;
            Some((at, std::str::from_utf8(sign).ok()?.to_string()))
        };
        let file = begin.file;
        if let Some((0, operator)) = self.bytes(begin, inner).and_then(sign) {
            let Some((kind, other)) = replace::prefix(&operator) else { return };
            let place = (file, begin.offset, begin.offset + operator.len());
            self.add(place, kind, other.into(), around);
            if kind == MutationOperator::Increment
                && let Some(operand) = self.words(inner, behind)
            {
                let place = (file, begin.offset, behind.offset);
                self.add(place, kind, format!("({operand}){operator}"), around);
            }
        } else if let Some((at, operator)) = self.bytes(behind, end).and_then(sign) {
            let Some((kind, other)) = replace::prefix(&operator) else { return };
            let sign = behind.offset + at;
            self.add((file, sign, sign + operator.len()), kind, other.into(), around);
            if let Some(operand) = self.words(begin, behind) {
                let place = (file, begin.offset, end.offset);
                self.add(place, kind, format!("{operator}({operand})"), around);
            }
        } else {
            self.hide(node);
        }
    }

    fn literal(
        &mut self,
        node: AstCursor,
        around: &MutationContext,
        looks: impl Fn(&[u8]) -> bool,
        others: impl Fn(&str) -> Vec<String>,
    ) {
        let Some((begin, end)) = node.extent() else { return };
        let written = self.bytes(begin, end).filter(|text| !text.is_empty() && looks(text));
        // What is not UTF-8 is a character of another set.
        let none = || vec!["0".into()];
        match written.map(|text| std::str::from_utf8(text).map_or_else(|_| none(), &others)) {
            Some(others) => {
                let place = (begin.file, begin.offset, end.offset);
                for other in others {
                    self.add(place, MutationOperator::Constant, other, around);
                }
            }
            None => self.hide(node),
        }
    }

    fn deletion(&mut self, statement: AstCursor, around: &MutationContext) {
        let (Some((begin, end)), Some(lines)) = (statement.extent(), statement.lines()) else {
            return;
        };
        let closed = match self.texts.of(end.file) {
            Some((_, text)) => text.get(text::skip(text, end.offset)) == Some(&b';'),
            None => false,
        };
        let kept = match self.bytes(begin, end) {
            Some([.., b'}']) => "{}",
            // A loop with nothing in it ends with its own.
            Some([.., b';']) => ";",
            Some([_, ..]) if closed => "",
            // Where a statement does not end with what ends one, a macro is at work.
            _ => return self.hide(statement),
        };
        let around =
            MutationContext { reach: around.reach.clone().or(Some(lines)), ..around.clone() };
        let place = (begin.file, begin.offset, end.offset);
        self.add(place, MutationOperator::Deletion, kept.into(), &around);
    }

    /// The bytes between two places; `None` if they are not places of one file, in order.
    fn bytes(&mut self, from: FilePosition, to: FilePosition) -> Option<&[u8]> {
        let (_, text) = self.texts.of(from.file).filter(|_| from.file == to.file)?;
        text.get(from.offset..to.offset)
    }

    fn words(&mut self, from: FilePosition, to: FilePosition) -> Option<String> {
        let bytes = self.bytes(from, to).filter(|bytes| !bytes.is_empty())?;
        std::str::from_utf8(bytes).ok().map(str::to_string)
    }

    fn add(
        &mut self,
        (file, begin, end): (ClangFile, usize, usize),
        operator: MutationOperator,
        mut replacement: String,
        around: &MutationContext,
    ) {
        let Some((name, text)) = self.texts.of(file) else { return };
        let Some(original) = text.get(begin..end) else { return };
        replacement = text::apart(text, (begin, end), &replacement);
        // So that all that follows stays on its line.
        let lines = |text: &[u8]| text.iter().filter(|&&byte| byte == b'\n').count();
        let lost = lines(original).saturating_sub(lines(replacement.as_bytes()));
        replacement.push_str(&"\n".repeat(lost));
        let (line, column) = text::position(text, begin);
        self.found.insert(Mutation {
            file: name.into(),
            begin,
            end,
            replacement,
            operator,
            function: around.function.clone(),
            line,
            column,
            reach: around.reach.clone().unwrap_or_else(|| around.within.clone()),
            within: around.within.clone(),
        });
    }

    fn hide(&mut self, node: AstCursor) {
        let Some((begin, _)) = node.extent() else { return };
        let name = self.texts.of(begin.file).map(|(name, _)| name.to_string()).unwrap_or_default();
        self.hidden.insert((name, begin.line));
    }
}

/// The children that are statements which can do without.
fn statements(node: AstCursor, children: &[AstCursor]) -> Vec<AstCursor> {
    let inside: &[AstCursor] = match node.kind() {
        CXCursor_CompoundStmt => children,
        CXCursor_IfStmt => children.get(1..).unwrap_or_default(),
        CXCursor_DoStmt => children.get(..1).unwrap_or_default(),
        CXCursor_ForStmt | CXCursor_WhileStmt | CXCursor_SwitchStmt | CXCursor_CaseStmt
        | CXCursor_DefaultStmt | CXCursor_LabelStmt => {
            children.get(children.len().saturating_sub(1)..).unwrap_or_default()
        }
        _ => &[],
    };
    let deletable = |statement: &AstCursor| match statement.kind() {
        CXCursor_IfStmt
        | CXCursor_SwitchStmt
        | CXCursor_WhileStmt
        | CXCursor_DoStmt
        | CXCursor_ForStmt
        | CXCursor_GotoStmt
        | CXCursor_ContinueStmt
        | CXCursor_BreakStmt => true,
        // Whoever waits for a value must be given one.
        CXCursor_ReturnStmt => statement.children().is_empty(),
        _ => statement.is_expression(),
    };
    inside.iter().copied().filter(deletable).collect()
}

fn operands(operands: &[AstCursor]) -> OperandTypes {
    let any = |kinds: &[CXTypeKind]| operands.iter().any(|it| kinds.contains(&it.type_kind()));
    let pointers = [
        CXType_Pointer,
        CXType_ConstantArray,
        CXType_IncompleteArray,
        CXType_VariableArray,
        CXType_FunctionProto,
        CXType_FunctionNoProto,
    ];
    if any(&pointers) {
        OperandTypes::Pointers
    } else if any(&[CXType_Float, CXType_Double, CXType_LongDouble, CXType_Float128, CXType_Half]) {
        OperandTypes::Floats
    } else {
        OperandTypes::Integers
    }
}

//! Mutation points of a C source: the byte ranges of operators, literals and statements in
//! clang's syntax tree, and their replacements.
//!
//! ```text
//! source ──[`clang`]──▶ tree ──visit──▶ byte ranges ──[`replace`]──▶ MutationPoints
//! ```
//!
//! Only function bodies are mutated, in the main file and in the user's headers. Text from
//! a macro's definition is not mutated but counted; text in a macro's arguments is mutated
//! like any other. Each byte range is checked against the file: between two operands there
//! must be one operator and nothing else but blanks and comments.

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

/// Finds the mutation points of a source that is compiled with these options.
pub fn find(source: &Path, options: &[OsString]) -> Result<MutationPoints, String> {
    clang::load()?;
    let unit = TranslationUnit::parse(source, options)?;
    let mut visitor = MutationVisitor {
        contents: FileContents::default(),
        found: BTreeSet::new(),
        in_macros: BTreeSet::new(),
    };
    for declaration in unit.root().children() {
        visitor.declaration(declaration);
    }
    Ok(MutationPoints {
        mutations: visitor.found.into_iter().collect(),
        in_macros: visitor.in_macros.into_iter().collect(),
    })
}

struct MutationVisitor {
    contents: FileContents,
    found: BTreeSet<Mutation>,
    /// File and line of nodes whose text comes from a macro's definition.
    in_macros: BTreeSet<(String, u32)>,
}

/// What surrounds a node.
#[derive(Clone)]
struct MutationContext {
    function: String,
    within: Lines,
    /// The lines of the outermost expression or declaration around the node, if any.
    reach: Option<Lines>,
    /// The lines of the operand of the innermost `switch` around the node.
    dispatch: Option<Lines>,
}

impl MutationVisitor {
    fn declaration(&mut self, declaration: AstCursor) {
        if declaration.kind() != CXCursor_FunctionDecl || declaration.is_in_system_header() {
            return;
        }
        let body = declaration.children().into_iter().find(|it| it.kind() == CXCursor_CompoundStmt);
        let (Some(body), Some(within)) = (body, declaration.lines()) else { return };
        let context =
            MutationContext { function: declaration.name(), within, reach: None, dispatch: None };
        // A worklist instead of recursion: expressions nest without limit.
        let mut worklist = vec![(body, context)];
        while let Some((node, mut context)) = worklist.pop() {
            let whole = node.is_expression()
                || matches!(node.kind(), CXCursor_DeclStmt | CXCursor_ReturnStmt);
            if whole && context.reach.is_none() {
                context.reach = node.lines();
            }
            let children = node.children();
            self.node(node, &children, &context);
            for statement in statements(node, &children) {
                self.deletion(statement, &context);
            }
            let labels = match node.kind() {
                CXCursor_CaseStmt => children.len().saturating_sub(1),
                _ => 0,
            };
            if node.kind() == CXCursor_SwitchStmt {
                context.dispatch = children.first().and_then(|operand| operand.lines());
            }
            for (index, child) in children.into_iter().enumerate() {
                let mut context = context.clone();
                if index < labels {
                    // Reaching the switch evaluates its labels, whichever case is taken.
                    context.reach = context.reach.or(context.dispatch.clone());
                }
                worklist.push((child, context));
            }
        }
    }

    fn node(&mut self, node: AstCursor, children: &[AstCursor], context: &MutationContext) {
        match (node.kind(), children) {
            (CXCursor_BinaryOperator | CXCursor_CompoundAssignOperator, [left, right]) => {
                self.binary(node, *left, *right, context);
            }
            (CXCursor_UnaryOperator, [operand]) => self.unary(node, *operand, context),
            (CXCursor_IntegerLiteral, _) => {
                self.literal(node, context, |text| text[0].is_ascii_digit(), replace::integer);
            }
            (CXCursor_FloatingLiteral, _) => {
                let looks = |text: &[u8]| text[0].is_ascii_digit() || text[0] == b'.';
                self.literal(node, context, looks, replace::floating);
            }
            (CXCursor_CharacterLiteral, _) => {
                let looks = |text: &[u8]| text.ends_with(b"'");
                self.literal(node, context, looks, replace::character);
            }
            _ => {}
        }
    }

    fn binary(
        &mut self,
        node: AstCursor,
        left: AstCursor,
        right: AstCursor,
        context: &MutationContext,
    ) {
        let (Some((_, after)), Some((before, _))) = (left.extent(), right.extent()) else { return };
        let between = self.bytes(after, before).and_then(|bytes| {
            let (at, operator) = text::trim(bytes)?;
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
                let range = (after.file, begin, begin + length);
                others.iter().for_each(|other| self.add(range, kind, (*other).into(), context));
            }
            // An operator without replacements, such as `=`, is not counted.
            None if self.is_irreplaceable(after, before) => {}
            None => self.count_in_macro(node),
        }
    }

    /// Whether the operator between two operands is one without replacements.
    fn is_irreplaceable(&mut self, after: FilePosition, before: FilePosition) -> bool {
        let between = self.bytes(after, before).and_then(text::trim);
        between.is_some_and(|(_, operator)| operator == b"=" || operator == b",")
    }

    fn unary(&mut self, node: AstCursor, operand: AstCursor, context: &MutationContext) {
        let (Some((begin, end)), Some((inner, behind))) = (node.extent(), operand.extent()) else {
            return;
        };
        let sign = |bytes: &[u8]| {
            let (at, sign) = text::trim(bytes)?;
            Some((at, std::str::from_utf8(sign).ok()?.to_string()))
        };
        let file = begin.file;
        if let Some((0, operator)) = self.bytes(begin, inner).and_then(sign) {
            let Some((kind, other)) = replace::prefix(&operator) else { return };
            let range = (file, begin.offset, begin.offset + operator.len());
            self.add(range, kind, other.into(), context);
            if kind == MutationOperator::Increment
                && let Some(operand) = self.text_between(inner, behind)
            {
                let range = (file, begin.offset, behind.offset);
                self.add(range, kind, format!("({operand}){operator}"), context);
            }
        } else if let Some((at, operator)) = self.bytes(behind, end).and_then(sign) {
            let Some((kind, other)) = replace::prefix(&operator) else { return };
            let sign = behind.offset + at;
            self.add((file, sign, sign + operator.len()), kind, other.into(), context);
            if let Some(operand) = self.text_between(begin, behind) {
                let range = (file, begin.offset, end.offset);
                self.add(range, kind, format!("{operator}({operand})"), context);
            }
        } else {
            self.count_in_macro(node);
        }
    }

    fn literal(
        &mut self,
        node: AstCursor,
        context: &MutationContext,
        looks: impl Fn(&[u8]) -> bool,
        others: impl Fn(&str) -> Vec<String>,
    ) {
        let Some((begin, end)) = node.extent() else { return };
        let written = self.bytes(begin, end).filter(|text| !text.is_empty() && looks(text));
        // A character literal in another encoding need not be UTF-8.
        let none = || vec!["0".into()];
        match written.map(|text| std::str::from_utf8(text).map_or_else(|_| none(), &others)) {
            Some(others) => {
                let range = (begin.file, begin.offset, end.offset);
                for other in others {
                    self.add(range, MutationOperator::Constant, other, context);
                }
            }
            None => self.count_in_macro(node),
        }
    }

    fn deletion(&mut self, statement: AstCursor, context: &MutationContext) {
        let (Some((begin, end)), Some(lines)) = (statement.extent(), statement.lines()) else {
            return;
        };
        let closed = match self.contents.of(end.file) {
            Some((_, text)) => text.get(text::skip(text, end.offset)) == Some(&b';'),
            None => false,
        };
        let kept = match self.bytes(begin, end) {
            Some([.., b'}']) => "{}",
            // A loop with an empty body includes its own semicolon.
            Some([.., b';']) => ";",
            Some([_, ..]) if closed => "",
            // A statement without its terminator comes from a macro.
            _ => return self.count_in_macro(statement),
        };
        let context =
            MutationContext { reach: context.reach.clone().or(Some(lines)), ..context.clone() };
        let range = (begin.file, begin.offset, end.offset);
        self.add(range, MutationOperator::Deletion, kept.into(), &context);
    }

    /// The bytes between two positions; `None` unless they are in one file and in order.
    fn bytes(&mut self, from: FilePosition, to: FilePosition) -> Option<&[u8]> {
        let (_, text) = self.contents.of(from.file).filter(|_| from.file == to.file)?;
        text.get(from.offset..to.offset)
    }

    fn text_between(&mut self, from: FilePosition, to: FilePosition) -> Option<String> {
        let bytes = self.bytes(from, to).filter(|bytes| !bytes.is_empty())?;
        std::str::from_utf8(bytes).ok().map(str::to_string)
    }

    fn add(
        &mut self,
        (file, begin, end): (ClangFile, usize, usize),
        operator: MutationOperator,
        mut replacement: String,
        context: &MutationContext,
    ) {
        let Some((name, text)) = self.contents.of(file) else { return };
        let Some(original) = text.get(begin..end) else { return };
        replacement = text::separated(text, (begin, end), &replacement);
        // Keep the line numbers of the text that follows.
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
            function: context.function.clone(),
            line,
            column,
            reach: context.reach.clone().unwrap_or_else(|| context.within.clone()),
            within: context.within.clone(),
        });
    }

    fn count_in_macro(&mut self, node: AstCursor) {
        let Some((begin, _)) = node.extent() else { return };
        let name =
            self.contents.of(begin.file).map(|(name, _)| name.to_string()).unwrap_or_default();
        self.in_macros.insert((name, begin.line));
    }
}

/// The children that are statements which can be deleted.
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
        // A caller that expects a value must get one.
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

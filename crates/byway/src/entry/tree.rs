//! Unconstrained input as a tree: parameters and variables, with their types and values, and the
//! objects that their pointers refer to below them.

use std::collections::HashSet;

use byway_engine::{InputShape, PointerTarget, ShapeKind, ShapeObject};
use byway_ir::{DebugMember, DebugTy, DebugTyId, Module};

use super::c_types::CTypes;

/// Elements of an array of numbers that are shown.
const MOST_ELEMENTS: usize = 16;

/// Lines of a tree.
const MOST_LINES: usize = 400;

/// How deep the tree may nest.
const MOST_NESTING: usize = 100;

/// The tree of an input, a line for each value, without indentation of its own.
pub fn render(shape: &InputShape, module: &Module) -> Vec<String> {
    let mut tree =
        InputTree { shape, types: CTypes::new(module), lines: Vec::new(), shown: HashSet::new() };
    // Parameters first, then variables.
    for globals in [false, true] {
        for (index, object) in shape.objects.iter().enumerate() {
            let head = match &object.kind {
                ShapeKind::Parameter(_) if !globals => object.name.clone(),
                ShapeKind::Global(name) if globals && object.is_accessed => {
                    format!("global {name}")
                }
                _ => continue,
            };
            tree.shown.insert(index);
            tree.value(object, object.ty, 0, &head, 0);
        }
    }
    if tree.lines.is_empty() {
        tree.lines.push("no parameters, and no variables that were read".into());
    }
    if tree.lines.len() > MOST_LINES {
        let more = tree.lines.len() - MOST_LINES;
        tree.lines.truncate(MOST_LINES);
        tree.lines.push(format!("... and {more} more values"));
    }
    tree.lines
}

struct InputTree<'a> {
    shape: &'a InputShape,
    types: CTypes<'a>,
    lines: Vec<String>,
    /// The objects that were shown, for those that several pointers refer to.
    shown: HashSet<usize>,
}

impl InputTree<'_> {
    fn line(&mut self, nesting: usize, text: String) {
        if self.lines.len() <= 2 * MOST_LINES {
            self.lines.push("  ".repeat(nesting) + &text);
        }
    }

    /// Adds the value of a type at an offset of an object.
    fn value(
        &mut self,
        object: &ShapeObject,
        ty: Option<DebugTyId>,
        offset: u64,
        name: &str,
        nesting: usize,
    ) {
        if nesting > MOST_NESTING {
            return;
        }
        let head = format!("{name}: {}", self.types.name(ty));
        let pointer = object.pointers.iter().find(|pointer| pointer.offset == offset);
        match (self.types.resolve(ty), pointer) {
            (Some(DebugTy::Pointer(_)) | None, Some(pointer)) => {
                let head = match ty {
                    Some(_) => head,
                    None => format!("{name}: void *"),
                };
                self.pointer(&pointer.target, &head, nesting);
            }
            (Some(DebugTy::Pointer(_)), None) => self.line(nesting, format!("{head} = null")),
            (Some(DebugTy::Struct { members, .. }), _) => {
                self.line(nesting, head);
                self.members(object, members, offset, nesting + 1);
            }
            (Some(DebugTy::Array { element, count }), _) => {
                let size = self.types.size(Some(*element)).max(1);
                let room = (object.bytes.len() as u64).saturating_sub(offset) / size;
                let count = count.unwrap_or(room).min(room);
                self.elements(object, Some(*element), offset, count, &head, nesting);
            }
            (None, None) => {
                let bytes = object.bytes.get(offset as usize..).unwrap_or_default();
                self.line(nesting, format!("{name} = {}", hex(bytes)));
            }
            _ => {
                let number = self.number(object, ty, offset);
                self.line(nesting, format!("{head} = {number}"));
            }
        }
    }

    /// Adds the members of a structure at an offset of an object.
    fn members(
        &mut self,
        object: &ShapeObject,
        members: &[DebugMember],
        offset: u64,
        nesting: usize,
    ) {
        for DebugMember { name, offset_bits, bits, ty } in members {
            if bits % 8 == 0 && offset_bits % 8 == 0 {
                self.value(object, *ty, offset + offset_bits / 8, name, nesting);
            } else {
                let value = bit_field(&object.bytes, offset * 8 + offset_bits, *bits);
                let ty = self.types.name(*ty);
                self.line(nesting, format!("{name}: {ty} : {bits} = {value}"));
            }
        }
    }

    fn pointer(&mut self, target: &PointerTarget, head: &str, nesting: usize) {
        let index = match target {
            PointerTarget::Null => return self.line(nesting, format!("{head} = null")),
            PointerTarget::Function(name) => {
                return self.line(nesting, format!("{head} -> the function {name}"));
            }
            PointerTarget::Object(index) => *index,
        };
        let Some(object) = self.shape.objects.get(index) else { return };
        if !self.shown.insert(index) {
            return self.line(nesting, format!("{head} -> the same object as {}", object.name));
        }
        let size = object.bytes.len();
        if !object.is_accessed {
            return self.line(nesting, format!("{head} -> {size} bytes that are never read"));
        }
        match (object.ty, object.count) {
            (None, _) => {
                let bytes = hex(&object.bytes);
                self.line(nesting, format!("{head} -> {size} bytes {bytes}"));
            }
            (ty, 1) => {
                self.line(nesting, format!("{head} ->"));
                match self.types.resolve(ty) {
                    Some(DebugTy::Struct { members, .. }) => {
                        self.members(object, members, 0, nesting + 1);
                    }
                    _ => self.value(object, ty, 0, "*", nesting + 1),
                }
            }
            (ty, count) => {
                let head = format!("{head} -> {}[{count}]", self.types.name(ty));
                self.elements(object, ty, 0, count, &head, nesting);
            }
        }
    }

    /// Adds an array: in one line, if its elements are numbers.
    fn elements(
        &mut self,
        object: &ShapeObject,
        ty: Option<DebugTyId>,
        offset: u64,
        count: u64,
        head: &str,
        nesting: usize,
    ) {
        let size = self.types.size(ty).max(1);
        match self.types.resolve(ty) {
            Some(DebugTy::Base { bits: 8, float: false, .. }) => {
                let range = offset as usize..(offset + count) as usize;
                let bytes = object.bytes.get(range).unwrap_or_default();
                self.line(nesting, format!("{head} = \"{}\"", bytes.escape_ascii()));
            }
            Some(DebugTy::Base { .. } | DebugTy::Enum { .. }) => {
                let shown = count.min(MOST_ELEMENTS as u64);
                let numbers: Vec<String> =
                    (0..shown).map(|i| self.number(object, ty, offset + i * size)).collect();
                let more = if shown < count { ", ..." } else { "" };
                self.line(nesting, format!("{head} = {{{}{more}}}", numbers.join(", ")));
            }
            _ => {
                self.line(nesting, head.to_string());
                for index in 0..count {
                    let at = offset + index * size;
                    self.value(object, ty, at, &format!("[{index}]"), nesting + 1);
                }
            }
        }
    }

    /// A number at an offset, as its type says.
    fn number(&self, object: &ShapeObject, ty: Option<DebugTyId>, offset: u64) -> String {
        let size = self.types.size(ty);
        let bytes = object.bytes.get(offset as usize..).unwrap_or_default();
        let bytes = bytes.get(..(size as usize).min(16)).unwrap_or_default();
        let mut word = [0; 16];
        word[..bytes.len()].copy_from_slice(bytes);
        let unsigned = u128::from_le_bytes(word);
        let unused = 128 - 8 * bytes.len() as u32;
        let signed = if unused == 128 { 0 } else { ((unsigned << unused) as i128) >> unused };
        match self.types.resolve(ty) {
            Some(DebugTy::Base { float: true, bits: 32, .. }) => {
                format!("{:?}", f32::from_bits(unsigned as u32))
            }
            Some(DebugTy::Base { float: true, bits: 64, .. }) => {
                format!("{:?}", f64::from_bits(unsigned as u64))
            }
            Some(DebugTy::Base { float: true, .. }) => hex(bytes),
            Some(DebugTy::Base { signed: true, .. }) => signed.to_string(),
            Some(DebugTy::Enum { values, .. }) => {
                let named = values.iter().find(|(_, value)| i128::from(*value) == signed);
                named.map_or(unsigned.to_string(), |(name, _)| name.clone())
            }
            _ => unsigned.to_string(),
        }
    }
}

fn bit_field(bytes: &[u8], offset: u64, bits: u64) -> u64 {
    let bit =
        |at: u64| bytes.get((at / 8) as usize).map_or(0, |byte| u64::from(byte >> (at % 8) & 1));
    (0..bits.min(64)).fold(0, |value, index| value | bit(offset + index) << index)
}

fn hex(bytes: &[u8]) -> String {
    let shown: String = bytes.iter().take(32).map(|byte| format!("{byte:02x}")).collect();
    let more = if bytes.len() > 32 { "..." } else { "" };
    format!("0x{shown}{more}")
}

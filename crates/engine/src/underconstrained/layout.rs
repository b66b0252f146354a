//! The layout of types by their debug information: sizes, and the places of pointers.
//!
//! Debug information is input like any other: it may be incomplete, or contradict itself. What it
//! does not describe is bytes.

use byway_ir::{DebugInfo, DebugTy, DebugTyId, Module};

use super::UnconstrainedOptions;

/// The largest object of unconstrained input; of a larger type, the rest is zero.
const MOST_BYTES: u64 = 1 << 16;

/// The most pointers and other fields of one object.
const MOST_FIELDS: usize = 1 << 10;

/// How deep types may nest.
const MOST_NESTING: u32 = 64;

/// A part of an object that is not plain bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpecialField {
    /// Its offset in the object.
    pub offset: u64,
    /// Its position in the source, such as `.next` or `[2].name`.
    pub path: String,
    /// What it is.
    pub kind: FieldKind,
}

/// What is not plain bytes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum FieldKind {
    /// A pointer to an object of this type; `None` if unknown.
    Pointer(Option<DebugTyId>),
    /// A pointer to a function of this type.
    Function(DebugTyId),
    /// A `_Bool`: a byte of which one bit counts.
    Bool,
    /// The last element of an array of characters: zero.
    Terminator,
}

/// An object of some type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectLayout {
    /// The type of its elements.
    pub element: Option<DebugTyId>,
    /// How many there are.
    pub count: u64,
    /// Its size in bytes.
    pub size: u64,
}

/// The types of a module.
#[derive(Copy, Clone)]
pub struct DebugLayout<'m> {
    debug: &'m DebugInfo,
    options: UnconstrainedOptions,
}

impl<'m> DebugLayout<'m> {
    /// The types of a module, under these bounds.
    pub fn new(module: &'m Module, options: UnconstrainedOptions) -> Self {
        DebugLayout { debug: &module.debug, options }
    }

    /// The type that a type stands for, without the names that `typedef` gives it; `None` is
    /// `void` or unknown.
    pub fn resolve(&self, ty: Option<DebugTyId>) -> Option<(DebugTyId, &'m DebugTy)> {
        let mut at = ty?;
        for _ in 0..=self.debug.types.len() {
            match self.debug.types.get(at)? {
                DebugTy::Typedef { of, .. } => at = (*of)?,
                DebugTy::Unknown => return None,
                other => return Some((at, other)),
            }
        }
        None
    }

    /// The size of a type in bytes; `None` if it is unknown, or only declared.
    pub fn size(&self, ty: Option<DebugTyId>) -> Option<u64> {
        self.size_within(ty, MOST_NESTING)
    }

    fn size_within(&self, ty: Option<DebugTyId>, nesting: u32) -> Option<u64> {
        let size = match self.resolve(ty)?.1 {
            DebugTy::Base { bits, .. } | DebugTy::Enum { bits, .. } => u64::from(bits.div_ceil(8)),
            DebugTy::Pointer(_) => 8,
            DebugTy::Struct { size, .. } => *size,
            DebugTy::Array { element, count: Some(count) } => {
                self.size_within(Some(*element), nesting.checked_sub(1)?)?.checked_mul(*count)?
            }
            _ => 0,
        };
        (size > 0).then_some(size)
    }

    /// The object that a pointer to a type refers to: one structure or array, or an array of
    /// scalars.
    pub fn pointee(&self, ty: Option<DebugTyId>) -> ObjectLayout {
        let elements = self.options.elements;
        let bytes = ObjectLayout { element: None, count: 1, size: (8 * elements).min(MOST_BYTES) };
        let Some(size) = self.size(ty) else { return bytes };
        let (element, count, size) = match self.resolve(ty) {
            Some((_, DebugTy::Struct { .. })) => (ty, 1, size + self.flexible_bytes(ty)),
            Some((_, DebugTy::Array { .. })) => (ty, 1, size),
            _ => (ty, elements, size.saturating_mul(elements)),
        };
        ObjectLayout { element, count, size: size.min(MOST_BYTES) }
    }

    /// The bytes of the flexible array at the end of a structure.
    fn flexible_bytes(&self, ty: Option<DebugTyId>) -> u64 {
        let Some((_, DebugTy::Struct { members, union: false, .. })) = self.resolve(ty) else {
            return 0;
        };
        match members.last().and_then(|last| self.resolve(last.ty)) {
            Some((_, DebugTy::Array { element, count: None | Some(0) })) => {
                self.size(Some(*element)).unwrap_or(1).saturating_mul(self.options.elements)
            }
            _ => 0,
        }
    }

    /// The parts of an object that are not plain bytes.
    pub fn fields(&self, object: &ObjectLayout) -> Vec<SpecialField> {
        let mut fields = FieldCollector { types: self, size: object.size, found: Vec::new() };
        let (ty, count) = (object.element, object.count);
        match count {
            1 => fields.add(ty, 0, String::new(), MOST_NESTING),
            _ => fields.array(ty, Some(count), 0, "", MOST_NESTING),
        }
        if self.options.terminated && count > 1 && self.is_char(ty) {
            let (offset, path) = (object.size - 1, format!("[{}]", count - 1));
            fields.found.push(SpecialField { offset, path, kind: FieldKind::Terminator });
        }
        fields.found
    }

    /// Whether it is `char`: arrays of it are texts. `unsigned char` and `uint8_t` are numbers.
    fn is_char(&self, ty: Option<DebugTyId>) -> bool {
        matches!(self.resolve(ty), Some((_, DebugTy::Base { name, bits: 8, .. })) if name == "char")
    }

    /// A text that two function types share if one can be called as the other.
    pub fn signature(&self, function: DebugTyId) -> Option<String> {
        let (_, DebugTy::Function { result, variadic, .. }) = self.resolve(Some(function))? else {
            return None;
        };
        let mut text = self.class(*result);
        for param in self.parameters(Some(function))? {
            text += &format!(",{param}");
        }
        Some(if *variadic { text + ",..." } else { text })
    }

    /// How the parameters of a function type are passed, roughly.
    pub fn parameters(&self, function: Option<DebugTyId>) -> Option<Vec<String>> {
        let (_, DebugTy::Function { params, .. }) = self.resolve(function)? else { return None };
        Some(params.iter().map(|&param| self.class(param)).collect())
    }

    /// How a value of a type is passed, roughly.
    fn class(&self, ty: Option<DebugTyId>) -> String {
        match self.resolve(ty) {
            None => "void".into(),
            Some((_, DebugTy::Pointer(_) | DebugTy::Array { .. } | DebugTy::Function { .. })) => {
                "pointer".into()
            }
            Some((_, DebugTy::Base { bits, float, .. })) => {
                format!("{}{bits}", if *float { "float" } else { "int" })
            }
            Some((_, DebugTy::Enum { bits, .. })) => format!("int{bits}"),
            Some((id, _)) => format!("struct{}", self.size(Some(id)).unwrap_or(0)),
        }
    }
}

fn is_bool(ty: &DebugTy) -> bool {
    matches!(ty, DebugTy::Base { name, bits: 8, .. } if name == "_Bool" || name == "bool")
}

/// Collects the fields of one object.
struct FieldCollector<'a, 'm> {
    types: &'a DebugLayout<'m>,
    /// The size of the object.
    size: u64,
    found: Vec<SpecialField>,
}

impl FieldCollector<'_, '_> {
    fn push(&mut self, offset: u64, bytes: u64, path: String, kind: FieldKind) {
        let fits = offset.checked_add(bytes).is_some_and(|end| end <= self.size);
        if fits && self.found.len() < MOST_FIELDS {
            self.found.push(SpecialField { offset, path, kind });
        }
    }

    fn add(&mut self, ty: Option<DebugTyId>, offset: u64, path: String, nesting: u32) {
        let Some(nesting) = nesting.checked_sub(1) else { return };
        let Some((_, of)) = self.types.resolve(ty) else { return };
        match of {
            DebugTy::Pointer(to) => {
                let kind = match self.types.resolve(*to) {
                    Some((function, DebugTy::Function { .. })) => FieldKind::Function(function),
                    _ => FieldKind::Pointer(*to),
                };
                self.push(offset, 8, path, kind);
            }
            DebugTy::Array { element, count } => {
                self.array(Some(*element), *count, offset, &path, nesting);
                if let Some(last) = count.and_then(|count| count.checked_sub(1))
                    && self.types.options.terminated
                    && self.types.is_char(Some(*element))
                {
                    let path = format!("{path}[{last}]");
                    self.push(offset.saturating_add(last), 1, path, FieldKind::Terminator);
                }
            }
            DebugTy::Struct { union, members, .. } => {
                for member in members {
                    let before = self.found.len();
                    let path = match member.name.is_empty() {
                        true => path.clone(),
                        false => format!("{path}.{}", member.name),
                    };
                    let at = offset.saturating_add(member.offset_bits / 8);
                    self.add(member.ty, at, path, nesting);
                    // Members of a union overlap: the first with a pointer counts.
                    if *union && self.found.len() > before {
                        break;
                    }
                }
            }
            ty if is_bool(ty) => self.push(offset, 1, path, FieldKind::Bool),
            _ => {}
        }
    }

    fn array(
        &mut self,
        element: Option<DebugTyId>,
        count: Option<u64>,
        offset: u64,
        path: &str,
        nesting: u32,
    ) {
        let Some(size) = self.types.size(element) else { return };
        let room = self.size.saturating_sub(offset) / size;
        for index in 0..count.unwrap_or(room).min(room) {
            let before = self.found.len();
            self.add(element, offset + index * size, format!("{path}[{index}]"), nesting);
            // Most arrays are of plain bytes: one element is enough to know.
            if self.found.len() == before {
                break;
            }
        }
    }
}

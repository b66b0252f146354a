//! Types of the source as C: their names for people, and declarations of the same layout for a
//! harness, which has none of the program's headers.

use byway_ir::{DebugInfo, DebugMember, DebugTy, DebugTyId, Module};

/// How deep types may nest: debug information may contradict itself.
const MOST_NESTING: u32 = 32;

/// The types of a module.
#[derive(Copy, Clone)]
pub struct CTypes<'m> {
    debug: &'m DebugInfo,
}

impl<'m> CTypes<'m> {
    pub fn new(module: &'m Module) -> Self {
        CTypes { debug: &module.debug }
    }

    /// The type without the names that `typedef` gives it; `None` is `void` or unknown.
    pub fn resolve(&self, ty: Option<DebugTyId>) -> Option<&'m DebugTy> {
        let mut at = ty?;
        for _ in 0..=self.debug.types.len() {
            match self.debug.types.get(at)? {
                DebugTy::Typedef { of, .. } => at = (*of)?,
                DebugTy::Unknown => return None,
                other => return Some(other),
            }
        }
        None
    }

    /// The size of a type in bytes; zero if unknown.
    pub fn size(&self, ty: Option<DebugTyId>) -> u64 {
        self.size_within(ty, MOST_NESTING)
    }

    fn size_within(&self, ty: Option<DebugTyId>, nesting: u32) -> u64 {
        let Some(nesting) = nesting.checked_sub(1) else { return 0 };
        match self.resolve(ty) {
            Some(DebugTy::Base { bits, .. } | DebugTy::Enum { bits, .. }) => {
                u64::from(bits.div_ceil(8))
            }
            Some(DebugTy::Pointer(_)) => 8,
            Some(DebugTy::Struct { size, .. }) => *size,
            Some(DebugTy::Array { element, count: Some(count) }) => {
                self.size_within(Some(*element), nesting).saturating_mul(*count)
            }
            _ => 0,
        }
    }

    /// Its name in the source.
    pub fn name(&self, ty: Option<DebugTyId>) -> String {
        self.name_within(ty, MOST_NESTING)
    }

    fn name_within(&self, ty: Option<DebugTyId>, nesting: u32) -> String {
        let (Some(nesting), Some(ty)) = (nesting.checked_sub(1), ty) else { return "void".into() };
        let named = |keyword: &str, name: &str| match name.is_empty() {
            true => keyword.to_string(),
            false => format!("{keyword} {name}"),
        };
        match self.debug.types.get(ty) {
            None | Some(DebugTy::Unknown) => "void".into(),
            Some(DebugTy::Base { name, .. } | DebugTy::Typedef { name, .. }) => name.clone(),
            Some(DebugTy::Struct { name, union, .. }) => {
                named(if *union { "union" } else { "struct" }, name)
            }
            Some(DebugTy::Enum { name, .. }) => named("enum", name),
            Some(DebugTy::Pointer(to)) => match self.resolve(*to) {
                Some(DebugTy::Function { result, .. }) => {
                    format!("{} (*)()", self.name_within(*result, nesting))
                }
                _ => {
                    let to = self.name_within(*to, nesting);
                    let gap = if to.ends_with('*') { "" } else { " " };
                    format!("{to}{gap}*")
                }
            },
            Some(DebugTy::Array { element, count }) => {
                let count = count.map_or(String::new(), |count| count.to_string());
                format!("{}[{count}]", self.name_within(Some(*element), nesting))
            }
            Some(DebugTy::Function { result, .. }) => {
                format!("{} ()", self.name_within(*result, nesting))
            }
        }
    }

    /// A declaration of `name` with a type of the same layout, passed in the same way.
    pub fn declaration(&self, ty: Option<DebugTyId>, name: &str) -> String {
        self.declaration_within(ty, name, MOST_NESTING)
    }

    fn declaration_within(&self, ty: Option<DebugTyId>, name: &str, nesting: u32) -> String {
        let Some(nesting) = nesting.checked_sub(1) else { return format!("char {name}") };
        match self.resolve(ty) {
            None => format!("char {name}"),
            Some(DebugTy::Base { name: own, bits, signed, float }) => {
                format!("{} {name}", scalar(own, *bits, *signed, *float))
            }
            Some(DebugTy::Enum { bits, .. }) => {
                format!("{} {name}", scalar("", *bits, false, false))
            }
            Some(DebugTy::Pointer(_) | DebugTy::Function { .. }) => format!("void *{name}"),
            Some(DebugTy::Array { element, count }) => {
                let name = format!("{name}[{}]", count.unwrap_or(0));
                self.declaration_within(Some(*element), &name, nesting)
            }
            Some(DebugTy::Struct { union, members, .. }) => {
                let keyword = if *union { "union" } else { "struct" };
                let member = |(index, member): (usize, &DebugMember)| {
                    let mut name = format!("m{index}");
                    if member.bits != 8 * self.size(member.ty) && !self.is_array(member.ty) {
                        name += &format!(" : {}", member.bits);
                    }
                    self.declaration_within(member.ty, &name, nesting) + "; "
                };
                let members: String = members.iter().enumerate().map(member).collect();
                format!("{keyword} {{ {members}}} {name}")
            }
            Some(_) => format!("char {name}"),
        }
    }

    fn is_array(&self, ty: Option<DebugTyId>) -> bool {
        matches!(self.resolve(ty), Some(DebugTy::Array { .. }))
    }
}

fn scalar(name: &str, bits: u32, signed: bool, float: bool) -> &'static str {
    match (bits, signed, float) {
        (_, _, true) if name.contains("complex") || name.contains("Complex") => match bits {
            64 => "_Complex float",
            128 => "_Complex double",
            _ => "_Complex long double",
        },
        (16, _, true) => "_Float16",
        (32, _, true) => "float",
        (64, _, true) => "double",
        (_, _, true) if name.contains("128") => "__float128",
        (_, _, true) => "long double",
        (8, _, _) if name == "_Bool" || name == "bool" => "_Bool",
        (0..=8, true, _) => "signed char",
        (0..=8, false, _) => "unsigned char",
        (9..=16, true, _) => "short",
        (9..=16, false, _) => "unsigned short",
        (17..=32, true, _) => "int",
        (17..=32, false, _) => "unsigned",
        (33..=64, true, _) => "long",
        (33..=64, false, _) => "unsigned long",
        (_, true, _) => "__int128",
        (_, false, _) => "unsigned __int128",
    }
}

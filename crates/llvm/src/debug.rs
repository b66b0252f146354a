//! Debug information: locations with their inlined-at chains, and types.
//!
//! Types may form cycles, and chains of pointers may be long. So a type gets its id when
//! it is first referenced and its contents later, from a worklist.

use std::collections::VecDeque;

use byway_ir::{
    DebugInfo, DebugMember, DebugTy, DebugTyId, Loc, LocId, Scope, ScopeId, SourceFile,
    SourceFileId,
};
use rustc_hash::FxHashMap;

use crate::ffi::{self, MetadataPtr, type_kind};
use crate::llvm::LlvmValue;

/// Collects the debug information of a module.
#[derive(Default)]
pub struct DebugInfoBuilder {
    info: DebugInfo,
    files: FxHashMap<MetadataPtr, SourceFileId>,
    files_by_path: FxHashMap<SourceFile, SourceFileId>,
    scopes: FxHashMap<MetadataPtr, ScopeId>,
    /// One unnamed scope per file, for declarations outside of functions.
    file_scopes: FxHashMap<SourceFileId, ScopeId>,
    locs: FxHashMap<MetadataPtr, LocId>,
    locs_by_content: FxHashMap<Loc, LocId>,
    types: FxHashMap<MetadataPtr, DebugTyId>,
    /// Types with an id whose contents are still [`DebugTy::Unknown`].
    pending_types: VecDeque<(MetadataPtr, DebugTyId)>,
}

// SAFETY of the calls below: every node comes from LLVM itself (an instruction, a
// function, a global or another node of the right kind) and lives as long as the
// context, which is never freed.

impl DebugInfoBuilder {
    /// The source location of an instruction.
    pub fn instruction(&mut self, inst: LlvmValue) -> Option<LocId> {
        self.loc(inst.location())
    }

    /// The scope of a function, and its type in the source.
    pub fn function(&mut self, function: LlvmValue) -> Option<(ScopeId, Option<DebugTyId>)> {
        let subprogram = function.subprogram();
        let scope = self.scope(subprogram)?;
        let ty = unsafe { ffi::bw_subprogram(subprogram) }.ty;
        if !function.is_declaration() {
            self.info.scopes[scope].params = function.parameter_names();
        }
        Some((scope, self.ty(ty)))
    }

    /// The type of a global, and the location of its declaration.
    pub fn global(&mut self, global: LlvmValue) -> (Option<DebugTyId>, Option<LocId>) {
        let mut found = std::mem::MaybeUninit::uninit();
        if !unsafe { ffi::bw_global_variable(global.0, found.as_mut_ptr()) } {
            return (None, None);
        }
        // SAFETY: the shim returned true, so it filled `found`.
        let variable = unsafe { found.assume_init() };
        let file = self.file(variable.file);
        let scope = self.scope(variable.subprogram).unwrap_or_else(|| self.file_scope(file));
        let loc = Loc { file, line: variable.line, column: 0, scope, inlined_at: None };
        (self.ty(variable.ty), Some(self.info.locs.push(loc)))
    }

    /// The complete debug information, with the contents of all types.
    pub fn finish(&mut self) -> DebugInfo {
        while let Some((node, id)) = self.pending_types.pop_front() {
            self.info.types[id] = self.describe(node);
        }
        std::mem::take(&mut self.info)
    }

    fn loc(&mut self, node: MetadataPtr) -> Option<LocId> {
        // Builds the chain from the outermost call inwards, without recursion.
        let mut chain = Vec::new();
        let mut at = node;
        while !at.is_null() && !self.locs.contains_key(&at) {
            let location = unsafe { ffi::bw_location(at) };
            chain.push((at, location));
            at = location.inlined_at;
        }
        for (node, location) in chain.into_iter().rev() {
            let file = self.file(location.file);
            let scope = self.scope(location.subprogram).unwrap_or_else(|| self.file_scope(file));
            let inlined_at = self.locs.get(&location.inlined_at).copied();
            let loc = Loc { file, line: location.line, column: location.column, scope, inlined_at };
            let locs = &mut self.info.locs;
            let id = *self.locs_by_content.entry(loc).or_insert_with_key(|l| locs.push(l.clone()));
            self.locs.insert(node, id);
        }
        self.locs.get(&node).copied()
    }

    fn scope(&mut self, node: MetadataPtr) -> Option<ScopeId> {
        if node.is_null() {
            return None;
        }
        if let Some(&known) = self.scopes.get(&node) {
            return Some(known);
        }
        let subprogram = unsafe { ffi::bw_subprogram(node) };
        let file = self.file(subprogram.file);
        let name = unsafe { subprogram.name.to_text() };
        let id =
            self.info.scopes.push(Scope { name, file, line: subprogram.line, params: Vec::new() });
        self.scopes.insert(node, id);
        Some(id)
    }

    fn file_scope(&mut self, file: SourceFileId) -> ScopeId {
        let scopes = &mut self.info.scopes;
        *self.file_scopes.entry(file).or_insert_with(|| {
            scopes.push(Scope { name: String::new(), file, line: 0, params: Vec::new() })
        })
    }

    fn file(&mut self, node: MetadataPtr) -> SourceFileId {
        if let Some(&known) = self.files.get(&node) {
            return known;
        }
        let file = if node.is_null() {
            SourceFile { directory: String::new(), name: "<unknown>".into(), md5: None }
        } else {
            let file = unsafe { ffi::bw_file(node) };
            let [directory, name, md5] =
                [file.directory, file.name, file.md5].map(|text| unsafe { text.to_text() });
            SourceFile { directory, name, md5: Some(md5).filter(|md5| !md5.is_empty()) }
        };
        let files = &mut self.info.files;
        let id = *self.files_by_path.entry(file).or_insert_with_key(|f| files.push(f.clone()));
        self.files.insert(node, id);
        id
    }

    /// The id of a type; `None` is `void`.
    fn ty(&mut self, node: MetadataPtr) -> Option<DebugTyId> {
        let node = unqualified(node);
        if node.is_null() {
            return None;
        }
        if let Some(&known) = self.types.get(&node) {
            return Some(known);
        }
        let id = self.info.types.push(DebugTy::Unknown);
        self.types.insert(node, id);
        self.pending_types.push_back((node, id));
        Some(id)
    }

    fn describe(&mut self, node: MetadataPtr) -> DebugTy {
        let ty = unsafe { ffi::bw_type(node) };
        let name = unsafe { ty.name.to_text() };
        match ty.kind {
            type_kind::BASE => DebugTy::Base {
                name,
                bits: ty.bits as u32,
                signed: ty.is_signed,
                float: ty.is_float,
            },
            type_kind::POINTER => DebugTy::Pointer(self.ty(ty.target)),
            type_kind::TYPEDEF => DebugTy::Typedef { name, of: self.ty(ty.target) },
            type_kind::STRUCT | type_kind::UNION => DebugTy::Struct {
                name,
                size: ty.bits / 8,
                union: ty.kind == type_kind::UNION,
                members: self.members(node, &ty),
            },
            type_kind::ARRAY => self.array(node, &ty),
            type_kind::ENUM => {
                let value = |e: ffi::RawElement| (unsafe { e.name.to_text() }, e.value);
                let values = elements(node, &ty).map(value).collect();
                DebugTy::Enum { name, bits: ty.bits as u32, values }
            }
            type_kind::FUNCTION => {
                let result = self.ty(ty.target);
                let all: Vec<ffi::RawElement> = elements(node, &ty).collect();
                let variadic = all.last().is_some_and(|e| e.variadic);
                let fixed = all.iter().filter(|e| !e.variadic);
                let params = fixed.map(|e| self.ty(e.ty)).collect();
                DebugTy::Function { result, params, variadic }
            }
            _ => DebugTy::Unknown,
        }
    }

    fn members(&mut self, node: MetadataPtr, ty: &ffi::RawType) -> Vec<DebugMember> {
        elements(node, ty)
            .map(|e| DebugMember {
                name: unsafe { e.name.to_text() },
                offset_bits: e.offset,
                bits: e.bits,
                ty: self.ty(e.ty),
            })
            .collect()
    }

    /// LLVM lists all dimensions in one node; the IR nests one array per dimension.
    fn array(&mut self, node: MetadataPtr, ty: &ffi::RawType) -> DebugTy {
        let element = self.ty(ty.target).unwrap_or_else(|| self.info.types.push(DebugTy::Unknown));
        let counts: Vec<Option<u64>> =
            elements(node, ty).map(|e| u64::try_from(e.value).ok()).collect();
        let Some((&outermost, inner)) = counts.split_first() else {
            return DebugTy::Array { element, count: None };
        };
        let element = inner.iter().rev().fold(element, |element, &count| {
            self.info.types.push(DebugTy::Array { element, count })
        });
        DebugTy::Array { element, count: outermost }
    }
}

/// The type without qualifiers such as `const` and `volatile`.
fn unqualified(mut node: MetadataPtr) -> MetadataPtr {
    while !node.is_null() {
        let ty = unsafe { ffi::bw_type(node) };
        if ty.kind != type_kind::QUALIFIER {
            break;
        }
        node = ty.target;
    }
    node
}

fn elements(node: MetadataPtr, ty: &ffi::RawType) -> impl Iterator<Item = ffi::RawElement> + use<> {
    (0..ty.elements).filter_map(move |n| {
        let mut out = std::mem::MaybeUninit::uninit();
        // SAFETY: the shim fills `out` where it returns true.
        unsafe { ffi::bw_type_element(node, n, out.as_mut_ptr()).then(|| out.assume_init()) }
    })
}

//! Safe wrappers of the parts of libclang that mutation needs. The library is loaded at
//! run time, so that only mutation depends on it.

use std::collections::HashMap;
use std::ffi::{CStr, CString, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;

use byway_base::Lines;
use clang_sys::{
    CXChildVisit_Continue, CXChildVisitResult, CXClientData, CXCursor, CXCursorKind,
    CXDiagnostic_Error, CXFile, CXIndex, CXSourceLocation, CXString, CXTranslationUnit,
    CXTranslationUnit_None, CXTypeKind,
};

/// A source parsed by clang.
pub struct TranslationUnit {
    index: CXIndex,
    unit: CXTranslationUnit,
}

/// A node of the syntax tree; must not outlive its translation unit.
#[derive(Copy, Clone)]
pub struct AstCursor(CXCursor);

/// A position in a file; for text from a macro's definition, that of the macro's use.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct FilePosition {
    /// The file.
    pub file: ClangFile,
    /// In bytes from the start of the file.
    pub offset: usize,
    /// Counted from 1.
    pub line: u32,
}

/// A file of a translation unit.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct ClangFile(CXFile);

/// Loads libclang from the path in `LIBCLANG_PATH`, which the parent process sets.
pub fn load() -> Result<(), String> {
    clang_sys::load().map_err(|why| format!("cannot load libclang: {why}"))
}

impl TranslationUnit {
    /// Parses a source with these options of clang.
    pub fn parse(source: &Path, options: &[OsString]) -> Result<TranslationUnit, String> {
        let text = |bytes: &[u8]| CString::new(bytes).map_err(|_| "an option contains a zero byte");
        let source = text(source.as_os_str().as_bytes())?;
        let options: Result<Vec<CString>, _> = options.iter().map(|o| text(o.as_bytes())).collect();
        let options = options?;
        let pointers: Vec<_> = options.iter().map(|option| option.as_ptr()).collect();
        let count = i32::try_from(pointers.len()).map_err(|_| "too many options")?;
        // SAFETY: the library is loaded, and all texts live until the call returns.
        let parsed = unsafe {
            let mut unit = TranslationUnit {
                index: clang_sys::clang_createIndex(0, 0),
                unit: ptr::null_mut(),
            };
            let code = clang_sys::clang_parseTranslationUnit2(
                unit.index,
                source.as_ptr(),
                pointers.as_ptr(),
                count,
                ptr::null_mut(),
                0,
                CXTranslationUnit_None,
                &mut unit.unit,
            );
            if code == 0 { Ok(unit) } else { Err(code) }
        };
        let unit =
            parsed.map_err(|code| format!("clang cannot parse the source (error {code})"))?;
        match unit.first_error() {
            Some(error) => Err(error),
            None => Ok(unit),
        }
    }

    /// The first error of clang, formatted by clang.
    fn first_error(&self) -> Option<String> {
        // SAFETY: the unit is alive, and each diagnostic is disposed of once.
        unsafe {
            for number in 0..clang_sys::clang_getNumDiagnostics(self.unit) {
                let diagnostic = clang_sys::clang_getDiagnostic(self.unit, number);
                let severity = clang_sys::clang_getDiagnosticSeverity(diagnostic);
                let options = clang_sys::clang_defaultDiagnosticDisplayOptions();
                let message = take(clang_sys::clang_formatDiagnostic(diagnostic, options));
                clang_sys::clang_disposeDiagnostic(diagnostic);
                if severity >= CXDiagnostic_Error {
                    return Some(message);
                }
            }
        }
        None
    }

    /// The root of the tree.
    pub fn root(&self) -> AstCursor {
        // SAFETY: the unit lives.
        AstCursor(unsafe { clang_sys::clang_getTranslationUnitCursor(self.unit) })
    }
}

impl Drop for TranslationUnit {
    fn drop(&mut self) {
        // SAFETY: both are disposed of once; a unit may be null.
        unsafe {
            if !self.unit.is_null() {
                clang_sys::clang_disposeTranslationUnit(self.unit);
            }
            clang_sys::clang_disposeIndex(self.index);
        }
    }
}

impl AstCursor {
    /// The kind of node.
    pub fn kind(self) -> CXCursorKind {
        self.0.kind
    }

    /// The children in source order.
    pub fn children(self) -> Vec<AstCursor> {
        extern "C" fn visit(
            child: CXCursor,
            _: CXCursor,
            data: CXClientData,
        ) -> CXChildVisitResult {
            // SAFETY: the data is the vector below, which is not used during the visit.
            unsafe { (*data.cast::<Vec<AstCursor>>()).push(AstCursor(child)) };
            CXChildVisit_Continue
        }
        let mut children: Vec<AstCursor> = Vec::new();
        // SAFETY: the cursor is of a living unit; the callback only pushes.
        unsafe { clang_sys::clang_visitChildren(self.0, visit, (&raw mut children).cast()) };
        children
    }

    /// The positions of its start and end.
    pub fn extent(self) -> Option<(FilePosition, FilePosition)> {
        // SAFETY: the cursor is of a living unit.
        let (begin, end) = unsafe {
            let range = clang_sys::clang_getCursorExtent(self.0);
            (clang_sys::clang_getRangeStart(range), clang_sys::clang_getRangeEnd(range))
        };
        Some((position(begin)?, position(end)?))
    }

    /// The lines of its text and of the macro uses it comes from.
    pub fn lines(self) -> Option<Lines> {
        let (begin, end) = self.extent()?;
        // SAFETY: the cursor is of a living unit.
        let (from, to) = unsafe {
            let range = clang_sys::clang_getCursorExtent(self.0);
            (clang_sys::clang_getRangeStart(range), clang_sys::clang_getRangeEnd(range))
        };
        let (used, last_used) = (expansion_line(from), expansion_line(to));
        let ((file, presumed), (last_file, last_presumed)) = (presumed(from), presumed(to));
        let shift = |presumed: u32, used: u32| i64::from(presumed) - i64::from(used);
        let moved = shift(presumed, used);
        if (last_file, shift(last_presumed, last_used)) != (file.clone(), moved) {
            return Some(Lines { file, first: 0, last: 0 });
        }
        let line = |line: u32| u32::try_from(i64::from(line) + moved).unwrap_or(0);
        let (first, last) = (begin.line.min(used), begin.line.max(end.line));
        Some(Lines { file, first: line(first), last: line(last) })
    }

    /// Whether it is in a system header.
    pub fn is_in_system_header(self) -> bool {
        // SAFETY: the cursor is of a living unit.
        unsafe {
            clang_sys::clang_Location_isInSystemHeader(clang_sys::clang_getCursorLocation(self.0))
                != 0
        }
    }

    /// The declared name.
    pub fn name(self) -> String {
        // SAFETY: the cursor is of a living unit.
        take(unsafe { clang_sys::clang_getCursorSpelling(self.0) })
    }

    /// The kind of its canonical type.
    pub fn type_kind(self) -> CXTypeKind {
        // SAFETY: the cursor is of a living unit.
        unsafe { clang_sys::clang_getCanonicalType(clang_sys::clang_getCursorType(self.0)).kind }
    }

    /// Whether it is an expression.
    pub fn is_expression(self) -> bool {
        // SAFETY: takes a number.
        unsafe { clang_sys::clang_isExpression(self.0.kind) != 0 }
    }
}

/// The line of a location; inside a macro, the line of the macro's use.
fn expansion_line(location: CXSourceLocation) -> u32 {
    let mut line = 0;
    let (file, rest) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: the location is of a living unit, and the line is written.
    unsafe { clang_sys::clang_getExpansionLocation(location, file, &mut line, rest, rest) };
    line
}

/// The file and line of a location, with `#line` directives applied.
fn presumed(location: CXSourceLocation) -> (String, u32) {
    let (mut name, mut line) = (CXString::default(), 0);
    // SAFETY: the location is of a living unit, and name and line are written.
    unsafe {
        clang_sys::clang_getPresumedLocation(location, &mut name, &mut line, ptr::null_mut());
    }
    (take(name), line)
}

fn position(location: CXSourceLocation) -> Option<FilePosition> {
    let (mut file, mut line, mut offset): (CXFile, u32, u32) = (ptr::null_mut(), 0, 0);
    // SAFETY: the location is of a living unit, and all three are written.
    unsafe {
        clang_sys::clang_getFileLocation(
            location,
            &mut file,
            &mut line,
            ptr::null_mut(),
            &mut offset,
        );
    }
    (!file.is_null()).then_some(FilePosition {
        file: ClangFile(file),
        offset: offset as usize,
        line,
    })
}

/// Copies and disposes of a string of libclang.
fn take(text: CXString) -> String {
    // SAFETY: the string is zero-terminated and lives until it is disposed of.
    unsafe {
        let bytes = clang_sys::clang_getCString(text);
        let owned = match bytes.is_null() {
            true => String::new(),
            false => CStr::from_ptr(bytes).to_string_lossy().into_owned(),
        };
        clang_sys::clang_disposeString(text);
        owned
    }
}

/// The contents of files, each read once.
#[derive(Default)]
pub struct FileContents {
    files: HashMap<ClangFile, Option<(String, Vec<u8>)>>,
}

impl FileContents {
    /// The name of a file, as clang reports it, and its contents; `None` if it cannot be read.
    pub fn of(&mut self, file: ClangFile) -> Option<(&str, &[u8])> {
        let read = || {
            // SAFETY: the file is of a living unit.
            let name = take(unsafe { clang_sys::clang_getFileName(file.0) });
            let bytes = std::fs::read(&name).ok()?;
            Some((name, bytes))
        };
        let known = self.files.entry(file).or_insert_with(read);
        known.as_ref().map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
    }
}

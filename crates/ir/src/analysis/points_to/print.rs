//! The result for people to read.

use std::fmt::Write as _;

use super::{
    AbstractLocation, AbstractObjectKind, MemoryAccess, MemoryAccessKind, ObjectId, Offsets,
    PointsTo,
};
use crate::{FuncId, Inst, InstId, LocId, Module, Val};

impl PointsTo {
    /// What the pointers of a function can point to, what its instructions can access, and
    /// what its calls through pointers can reach, in the order of its instructions. `place` is
    /// the text of a source location.
    pub fn print_function(
        &self,
        module: &Module,
        func: FuncId,
        place: &dyn Fn(LocId) -> String,
    ) -> String {
        let body = &module.funcs[func];
        if !self.is_reached(func) {
            return format!("@{}: no call reaches it\n", body.name);
        }
        let mut out = format!("@{}\n", body.name);
        let value = |out: &mut String, val: Val| {
            let locations = self.of_value(func, val);
            if !locations.is_empty() {
                let _ = writeln!(out, "  {val} -> {}", self.names(module, &locations, place));
            }
        };
        body.params.iter().for_each(|&val| value(&mut out, val));
        for block in body.layout() {
            body.blocks[block].params.iter().for_each(|&val| value(&mut out, val));
            for inst in body.blocks[block].inst_ids() {
                body.insts[inst].for_each_def(|val| value(&mut out, val));
                for line in self.access_lines(module, func, inst, place) {
                    let at = body.loc(inst).map(|loc| format!("  ; {}", place(loc)));
                    let _ = writeln!(out, "  {line}{}", at.unwrap_or_default());
                }
            }
        }
        out
    }

    fn access_lines(
        &self,
        module: &Module,
        func: FuncId,
        inst: InstId,
        place: &dyn Fn(LocId) -> String,
    ) -> Vec<String> {
        let mut lines = Vec::new();
        if let Inst::Call { .. } = module.funcs[func].insts[inst] {
            let name = |callee: &FuncId| format!("@{}", module.funcs[*callee].name);
            let names: Vec<_> = self.callees(func, inst).iter().map(name).collect();
            lines.push(format!("{inst} calls {}", or_nothing(names.join(", "))));
        }
        for MemoryAccess { kind, locations, len, .. } in self.accesses(module, func, inst) {
            let kind = match kind {
                MemoryAccessKind::Read => "reads",
                MemoryAccessKind::Write => "writes",
            };
            let len = match len {
                Some(1) => "1 byte".to_owned(),
                Some(len) => format!("{len} bytes"),
                None => "bytes".to_owned(),
            };
            let names = or_nothing(self.names(module, &locations, place));
            lines.push(format!("{inst} {kind} {len} of {names}"));
        }
        lines
    }

    fn names(
        &self,
        module: &Module,
        locations: &[AbstractLocation],
        place: &dyn Fn(LocId) -> String,
    ) -> String {
        let name = |it: &AbstractLocation| {
            self.object_name(module, it.object, place) + &offset_text(it.offsets)
        };
        locations.iter().map(name).collect::<Vec<_>>().join(", ")
    }

    /// The name of an object.
    pub fn object_name(
        &self,
        module: &Module,
        object: ObjectId,
        place: &dyn Fn(LocId) -> String,
    ) -> String {
        self.kind_name(module, self.objects()[object].kind, place)
    }

    /// The name of an object of a kind, whether or not a pointer can point to it.
    pub fn kind_name(
        &self,
        module: &Module,
        kind: AbstractObjectKind,
        place: &dyn Fn(LocId) -> String,
    ) -> String {
        let at = |func: FuncId, inst| {
            let body = &module.funcs[func];
            let at = body.loc(inst).map_or(format!("{inst}"), place);
            (&body.name, at)
        };
        match kind {
            AbstractObjectKind::Global(id) => format!("@{}", module.globals[id].name),
            AbstractObjectKind::Function(id) => format!("@{}", module.funcs[id].name),
            AbstractObjectKind::Local(func, inst) => {
                let (function, at) = at(func, inst);
                match &module.funcs[func].insts[inst] {
                    Inst::Alloca { name, .. } if !name.is_empty() => {
                        format!("{name} of @{function}")
                    }
                    _ => format!("local of @{function} ({at})"),
                }
            }
            AbstractObjectKind::Heap(func, inst) => {
                let (function, at) = at(func, inst);
                format!("heap of @{function} ({at})")
            }
            AbstractObjectKind::Variadic(func) => {
                format!("variadic of @{}", module.funcs[func].name)
            }
            AbstractObjectKind::Arguments => "arguments".to_owned(),
            AbstractObjectKind::Difference(of) => {
                format!("difference from {}", self.object_name(module, of, place))
            }
            AbstractObjectKind::Unknown => "unknown".to_owned(),
        }
    }
}

fn or_nothing(text: String) -> String {
    if text.is_empty() { "nothing".to_owned() } else { text }
}

/// `+8` for one offset, `+8+16n` for every sixteenth from there on, `+?` for all.
fn offset_text(offsets: Offsets) -> String {
    let Offsets { start, stride } = offsets;
    match (start, stride) {
        (0, 0) => String::new(),
        (_, 1) => "+?".to_owned(),
        (start, 0) => format!("{start:+}"),
        (0, stride) => format!("+{stride}n"),
        (start, stride) => format!("{start:+}+{stride}n"),
    }
}

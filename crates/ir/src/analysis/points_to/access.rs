//! Which locations an instruction accesses.

use super::generate::constant;
use super::{AbstractLocation, AbstractObjectKind, Offsets, PointsTo};
use crate::{FuncId, Inst, InstId, Module, Operand, VarArg};

/// How memory is accessed.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MemoryAccessKind {
    /// Bytes are read.
    Read,
    /// Bytes are written.
    Write,
}

/// An access to memory by an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryAccess {
    /// Whether it reads or writes.
    pub kind: MemoryAccessKind,
    /// The first byte, as the instruction names it; `None` if the instruction implies it.
    pub address: Option<Operand>,
    /// Where the first byte can be.
    pub locations: Vec<AbstractLocation>,
    /// The number of bytes; `None` if it is not known.
    pub len: Option<u64>,
}

/// Where the first byte of an access can be.
#[derive(Copy, Clone)]
pub enum AccessedPlace {
    /// Where an operand points to.
    Operand(Operand),
    /// Variadic arguments of a callee.
    Passed(AbstractLocation),
}

/// An access, its place, and the number of bytes if it is known.
type PlacedAccess = (MemoryAccessKind, AccessedPlace, Option<u64>);

impl PointsTo {
    /// The accesses of an instruction itself, not of functions with a body that it calls.
    pub fn accesses(&self, module: &Module, func: FuncId, inst: InstId) -> Vec<MemoryAccess> {
        let access = |(kind, place, len)| {
            let (address, locations) = match place {
                AccessedPlace::Operand(op) => (Some(op), self.of_operand(module, func, op)),
                AccessedPlace::Passed(location) => (None, vec![location]),
            };
            MemoryAccess { kind, address, locations, len }
        };
        self.accessed_places(module, func, inst).into_iter().map(access).collect()
    }

    /// As [`PointsTo::accesses`], without listing the locations.
    pub(in crate::analysis) fn accessed_places(
        &self,
        module: &Module,
        func: FuncId,
        inst: InstId,
    ) -> Vec<PlacedAccess> {
        use MemoryAccessKind::{Read, Write};
        let body = &module.funcs[func];
        let access = |kind, address: Operand, len| (kind, AccessedPlace::Operand(address), len);
        let number =
            |len: Operand| constant(body, len).map(|len| u64::try_from(len).unwrap_or(u64::MAX));
        match &body.insts[inst] {
            Inst::Load { dst, addr, .. } => {
                vec![access(Read, *addr, Some(body.vals[*dst].store_bytes()))]
            }
            Inst::Store { addr, value, .. } => {
                vec![access(Write, *addr, Some(body.operand_ty(*value).store_bytes()))]
            }
            Inst::MemCopy { dst, src, len, .. } => {
                vec![access(Read, *src, number(*len)), access(Write, *dst, number(*len))]
            }
            Inst::MemSet { dst, len, .. } => vec![access(Write, *dst, number(*len))],
            Inst::VaStart { list, .. } => vec![access(Write, *list, Some(24))],
            Inst::Call { args, varargs, .. } => {
                let mut all = Vec::new();
                for &callee in self.callees(func, inst) {
                    let effect = self.effect(callee);
                    let at = |index: &usize| args.get(*index).copied();
                    all.extend(effect.reads.iter().filter_map(at).map(|op| access(Read, op, None)));
                    let writes = effect.writes.iter().filter_map(at);
                    all.extend(writes.map(|op| access(Write, op, None)));
                    all.extend(self.passed(module, callee, varargs));
                }
                all
            }
            _ => Vec::new(),
        }
    }

    /// The writes of a call to the variadic arguments of a function.
    fn passed(&self, module: &Module, callee: FuncId, varargs: &[VarArg]) -> Vec<PlacedAccess> {
        let area = self.object_of(AbstractObjectKind::Variadic(callee));
        let Some(object) = area.filter(|_| module.funcs[callee].variadic) else {
            return Vec::new();
        };
        let write = |arg: &VarArg| {
            let at = AbstractLocation { object, offsets: Offsets::exactly(arg.offset.into()) };
            let len = arg.by_value.unwrap_or(u64::from(arg.operands) * 16);
            (MemoryAccessKind::Write, AccessedPlace::Passed(at), Some(len))
        };
        varargs.iter().map(write).collect()
    }
}

//! Lowering of initialisers: an LLVM constant as bytes and relocations.

use byway_ir::{Init, Reloc};
use llvm_sys::LLVMTypeKind as K;

use super::ProgramLowering;
use super::constants::FoldedConstant;
use super::types::{StorageUnit, leaves_per_lane, scalar};
use crate::llvm::{LlvmValue, ValueKind};

impl ProgramLowering {
    /// The initial contents of a global of this size. An unsupported part is zero; its
    /// description is added to `problems`.
    pub fn initial_contents(
        &mut self,
        constant: LlvmValue,
        size: u64,
        problems: &mut Vec<String>,
    ) -> Init {
        let mut writer = InitWriter { init: Init::default(), size, problems };
        writer.write(self, constant, 0);
        let Init { mut bytes, mut relocs } = writer.init;
        let used = bytes.iter().rposition(|&b| b != 0).map_or(0, |last| last + 1);
        bytes.truncate(used);
        relocs.sort_by_key(|r| r.offset);
        Init { bytes, relocs }
    }
}

struct InitWriter<'a> {
    init: Init,
    size: u64,
    problems: &'a mut Vec<String>,
}

impl InitWriter<'_> {
    fn write(&mut self, program: &mut ProgramLowering, constant: LlvmValue, at: u64) {
        match constant.kind() {
            ValueKind::Zero | ValueKind::Undefined => {}
            ValueKind::Data => self.put(at, constant.data_bytes()),
            ValueKind::Aggregate => self.write_members(program, constant, at),
            ValueKind::Integer if constant.ty().kind() == K::LLVMIntegerTypeKind => {
                let width = constant.int_bits().1;
                let words = (0..width.div_ceil(64)).map(|n| constant.int_word(n).to_le_bytes());
                let bytes: Vec<u8> = words.flatten().take(width.div_ceil(8) as usize).collect();
                self.put(at, &bytes);
            }
            _ => self.write_scalar(program, constant, at),
        }
    }

    fn write_members(&mut self, program: &mut ProgramLowering, constant: LlvmValue, at: u64) {
        let ty = constant.ty();
        match ty.kind() {
            K::LLVMStructTypeKind => {
                for (n, member) in constant.operands().enumerate() {
                    let offset = program.module.member_offset(ty, n as u32);
                    self.write(program, member, at + offset);
                }
            }
            K::LLVMArrayTypeKind => {
                let stride = program.module.alloc_size(ty.element());
                for (n, element) in constant.operands().enumerate() {
                    self.write(program, element, at + n as u64 * stride);
                }
            }
            _ => self.write_vector(program, constant, at),
        }
    }

    fn write_vector(&mut self, program: &mut ProgramLowering, constant: LlvmValue, at: u64) {
        let Ok(layout) = program.types.layout(constant.ty()) else {
            self.problems.push(format!("a constant of type {}", constant.ty().describe()));
            return;
        };
        match layout.units[..] {
            [unit] if unit.lanes > 1 => self.write_packed(program, constant, unit, at),
            _ => {
                let per_lane = leaves_per_lane(constant.ty());
                let lanes = layout.units.iter().step_by(per_lane);
                for (first, element) in lanes.zip(constant.operands()) {
                    self.write(program, element, at + first.offset);
                }
            }
        }
    }

    fn write_packed(
        &mut self,
        program: &mut ProgramLowering,
        constant: LlvmValue,
        unit: StorageUnit,
        at: u64,
    ) {
        let lane_bits = unit.ty.bits();
        let mut bytes = vec![0; (lane_bits * unit.lanes).div_ceil(8) as usize];
        for (element, lane) in constant.operands().zip(0..) {
            let Ok(FoldedConstant::Bits(bits)) = program.fold(element) else { continue };
            for bit in (0..lane_bits).filter(|n| bits >> n & 1 == 1) {
                let position = lane * lane_bits + bit;
                bytes[(position / 8) as usize] |= 1 << (position % 8);
            }
        }
        self.put(at, &bytes);
    }

    fn write_scalar(&mut self, program: &mut ProgramLowering, constant: LlvmValue, at: u64) {
        let Some(ty) = scalar(constant.ty()) else {
            self.problems.push(format!("a constant of type {}", constant.ty().describe()));
            return;
        };
        match program.fold(constant) {
            Ok(FoldedConstant::Bits(bits)) => {
                self.put(at, &bits.to_le_bytes()[..ty.store_bytes() as usize]);
            }
            Ok(FoldedConstant::Address { plus, minus, addend }) => {
                let width = ty.store_bytes().min(8) as u8;
                self.init.relocs.push(Reloc { offset: at, width, plus, minus, addend });
            }
            Err(what) => self.problems.push(what),
        }
    }

    fn put(&mut self, at: u64, bytes: &[u8]) {
        let end = at + bytes.len() as u64;
        if end > self.size || bytes.iter().all(|&b| b == 0) {
            return;
        }
        if self.init.bytes.len() < end as usize {
            self.init.bytes.resize(end as usize, 0);
        }
        self.init.bytes[at as usize..end as usize].copy_from_slice(bytes);
    }
}

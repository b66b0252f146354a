//! Lowering of vector and aggregate instructions. With constant indices, extractions and
//! insertions emit no instructions.

use byway_ir::{Icmp, Operand};

use super::func::FunctionLowering;
use super::types::{lane, leaves_per_lane};
use crate::llvm::{LlvmType, LlvmValue};

impl FunctionLowering<'_> {
    /// One lane of a vector.
    pub fn extract_element(&mut self, inst: LlvmValue) -> Result<(), String> {
        let vector = self.leaves(inst.operand(0))?;
        let index = self.scalar(inst.operand(1))?;
        let lanes: Vec<&[Operand]> = vector.as_slice().chunks(leaves_per_lane(inst.ty())).collect();
        let lane = match self.as_number(index) {
            Some(n) => usize::try_from(n).ok().and_then(|n| lanes.get(n)).map(|l| l.to_vec()),
            None => {
                let mut result = lanes.first().map(|l| l.to_vec());
                for (n, lane) in lanes.iter().enumerate().skip(1) {
                    let here = self.index_is(index, n);
                    for (result, &leaf) in result.iter_mut().flatten().zip(*lane) {
                        *result = self.b.select(here, leaf, *result);
                    }
                }
                result
            }
        };
        let lane = match lane {
            Some(lane) => lane,
            None => self.zeros(inst.ty())?,
        };
        self.define(inst, &lane);
        Ok(())
    }

    /// The value for an index out of range, which is poison and therefore zero.
    fn zeros(&mut self, ty: LlvmType) -> Result<Vec<Operand>, String> {
        let layout = self.layout(ty)?;
        Ok(layout.leaves.iter().map(|&ty| self.b.bits(ty, 0)).collect())
    }

    fn index_is(&mut self, index: Operand, n: usize) -> Operand {
        let number = self.b.bits(self.b.ty(index), n as u128);
        self.b.icmp(Icmp::Eq, index, number)
    }

    /// A vector with one lane replaced.
    pub fn insert_element(&mut self, inst: LlvmValue) -> Result<(), String> {
        let mut leaves = self.leaves(inst.operand(0))?.as_slice().to_vec();
        let value = self.leaves(inst.operand(1))?;
        let value = value.as_slice();
        let index = self.scalar(inst.operand(2))?;
        let mut lanes = leaves.chunks_mut(value.len());
        match self.as_number(index) {
            Some(n) => {
                if let Some(lane) = usize::try_from(n).ok().and_then(|n| lanes.nth(n)) {
                    lane.copy_from_slice(value);
                }
            }
            None => {
                for (n, lane) in lanes.enumerate() {
                    let here = self.index_is(index, n);
                    for (leaf, &value) in lane.iter_mut().zip(value) {
                        *leaf = self.b.select(here, value, *leaf);
                    }
                }
            }
        }
        self.define(inst, &leaves);
        Ok(())
    }

    /// Lanes selected from two vectors.
    pub fn shuffle(&mut self, inst: LlvmValue) -> Result<(), String> {
        let a = self.leaves(inst.operand(0))?;
        let b = self.leaves(inst.operand(1))?;
        let leaves = [a.as_slice(), b.as_slice()].concat();
        let lanes: Vec<&[Operand]> = leaves.chunks(leaves_per_lane(inst.ty())).collect();
        let zeros = self.zeros(lane(inst.ty()))?;
        let mut results = Vec::new();
        for pick in inst.shuffle_mask() {
            let lane = pick.and_then(|n| lanes.get(n as usize)).copied();
            results.extend_from_slice(lane.unwrap_or(&zeros));
        }
        self.define(inst, &results);
        Ok(())
    }

    /// A member of an aggregate.
    pub fn extract_value(&mut self, inst: LlvmValue) -> Result<(), String> {
        let aggregate = inst.operand(0);
        let layout = self.layout(aggregate.ty())?;
        let leaves = self.leaves(aggregate)?;
        let (start, part) = layout.shape.part(inst.indices()).ok_or("extractvalue")?;
        self.define(inst, &leaves.as_slice()[start..start + part.leaf_count()]);
        Ok(())
    }

    /// An aggregate with one member replaced.
    pub fn insert_value(&mut self, inst: LlvmValue) -> Result<(), String> {
        let aggregate = inst.operand(0);
        let layout = self.layout(aggregate.ty())?;
        let mut leaves = self.leaves(aggregate)?.as_slice().to_vec();
        let member = self.leaves(inst.operand(1))?;
        let (start, part) = layout.shape.part(inst.indices()).ok_or("insertvalue")?;
        leaves[start..start + part.leaf_count()].copy_from_slice(member.as_slice());
        self.define(inst, &leaves);
        Ok(())
    }
}

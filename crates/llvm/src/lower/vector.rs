//! Vectors and aggregates: with constant indices, taking apart and putting
//! together are mere renames.

use byway_ir::{Icmp, Operand};

use super::func::Lowering;
use crate::llvm::Value;

impl Lowering<'_> {
    /// One lane of a vector.
    pub fn extract_element(&mut self, inst: Value) -> Result<(), String> {
        let vector = self.leaves(inst.operand(0))?;
        let index = self.scalar(inst.operand(1))?;
        let lanes = vector.as_slice();
        let result = match self.as_number(index) {
            Some(n) => self.lane_or_zero(lanes, n, inst)?,
            None => {
                let first = self.lane_or_zero(lanes, 0, inst)?;
                let mut result = first;
                for (n, &lane) in lanes.iter().enumerate().skip(1) {
                    let here = self.index_is(index, n);
                    result = self.b.select(here, lane, result);
                }
                result
            }
        };
        self.define(inst, &[result]);
        Ok(())
    }

    /// An index past the end is poison, which is zero.
    fn lane_or_zero(&mut self, lanes: &[Operand], n: u128, inst: Value) -> Result<Operand, String> {
        if let Some(&lane) = usize::try_from(n).ok().and_then(|n| lanes.get(n)) {
            return Ok(lane);
        }
        let ty = self.layout(inst.ty())?.leaves.first().map(|l| l.ty).ok_or("an empty lane")?;
        Ok(self.b.bits(ty, 0))
    }

    fn index_is(&mut self, index: Operand, n: usize) -> Operand {
        let number = self.b.bits(self.b.ty(index), n as u128);
        self.b.icmp(Icmp::Eq, index, number)
    }

    /// A vector with one lane replaced.
    pub fn insert_element(&mut self, inst: Value) -> Result<(), String> {
        let mut lanes = self.leaves(inst.operand(0))?.as_slice().to_vec();
        let value = self.scalar(inst.operand(1))?;
        let index = self.scalar(inst.operand(2))?;
        match self.as_number(index) {
            Some(n) => {
                if let Some(lane) = usize::try_from(n).ok().and_then(|n| lanes.get_mut(n)) {
                    *lane = value;
                }
            }
            None => {
                for (n, lane) in lanes.iter_mut().enumerate() {
                    let here = self.index_is(index, n);
                    *lane = self.b.select(here, value, *lane);
                }
            }
        }
        self.define(inst, &lanes);
        Ok(())
    }

    /// Lanes picked from two vectors.
    pub fn shuffle(&mut self, inst: Value) -> Result<(), String> {
        let a = self.leaves(inst.operand(0))?;
        let b = self.leaves(inst.operand(1))?;
        let lanes = [a.as_slice(), b.as_slice()].concat();
        let mut results = Vec::new();
        for pick in inst.shuffle_mask() {
            let lane = pick.and_then(|n| lanes.get(n as usize)).copied();
            results.push(match lane {
                Some(lane) => lane,
                None => {
                    let ty = lanes.first().map(|&l| self.b.ty(l)).ok_or("an empty shuffle")?;
                    self.b.bits(ty, 0)
                }
            });
        }
        self.define(inst, &results);
        Ok(())
    }

    /// A member of an aggregate.
    pub fn extract_value(&mut self, inst: Value) -> Result<(), String> {
        let aggregate = inst.operand(0);
        let layout = self.layout(aggregate.ty())?;
        let leaves = self.leaves(aggregate)?;
        let (start, part) = layout.shape.part(inst.indices()).ok_or("extractvalue")?;
        self.define(inst, &leaves.as_slice()[start..start + part.leaf_count()]);
        Ok(())
    }

    /// An aggregate with one member replaced.
    pub fn insert_value(&mut self, inst: Value) -> Result<(), String> {
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

//! LLVM types as shapes, with the place of every scalar in memory.

use std::rc::Rc;

use byway_ir::Ty;
use llvm_sys::LLVMTypeKind as K;
use rustc_hash::FxHashMap;

use crate::llvm::{LlvmModule, Type};
use crate::shape::Shape;

/// A value of more scalars than this is not worth spreading out.
const MAX_LEAVES: usize = 1 << 14;

/// The shape of a type and how its scalars lie in memory.
#[derive(Debug)]
pub struct Layout {
    /// The shape.
    pub shape: Shape,
    /// The scalars in order.
    pub leaves: Vec<Leaf>,
    /// A vector whose lanes are no whole bytes lies in memory as one integer of
    /// this many bits, lane zero lowest.
    pub packed_bits: Option<u32>,
}

/// One scalar of a type.
#[derive(Copy, Clone, Debug)]
pub struct Leaf {
    /// Its type.
    pub ty: Ty,
    /// Where it begins, in bytes.
    pub offset: u64,
}

impl Layout {
    /// The scalar types in order.
    pub fn types(&self) -> Vec<Ty> {
        self.leaves.iter().map(|l| l.ty).collect()
    }
}

/// The types met so far.
pub struct Types {
    module: LlvmModule,
    known: FxHashMap<Type, Result<Rc<Layout>, String>>,
}

impl Types {
    /// For types of this module.
    pub fn new(module: LlvmModule) -> Types {
        Types { module, known: FxHashMap::default() }
    }

    /// The layout of a first-class type, or what about it is not supported.
    pub fn layout(&mut self, ty: Type) -> Result<Rc<Layout>, String> {
        if let Some(known) = self.known.get(&ty) {
            return known.clone();
        }
        let layout = self.work_out(ty).map(Rc::new);
        self.known.insert(ty, layout.clone());
        layout
    }

    fn work_out(&mut self, ty: Type) -> Result<Layout, String> {
        if let Some(scalar) = scalar(ty) {
            let leaves = vec![Leaf { ty: scalar, offset: 0 }];
            return Ok(Layout { shape: Shape::Scalar(scalar), leaves, packed_bits: None });
        }
        let unsupported = || Err(format!("a value of type {}", ty.describe()));
        match ty.kind() {
            K::LLVMVoidTypeKind => {
                Ok(Layout { shape: Shape::Void, leaves: Vec::new(), packed_bits: None })
            }
            K::LLVMVectorTypeKind => {
                let Some(lane) = scalar(ty.element()) else { return unsupported() };
                let lanes = ty.vector_len();
                let bits = lane.bits() * lanes;
                let packed_bits = (lane.bits() % 8 != 0).then_some(bits);
                if lanes as usize > MAX_LEAVES || packed_bits.is_some_and(|b| b > Ty::MAX_INT_BITS)
                {
                    return unsupported();
                }
                let offset = |i: u32| u64::from(i) * u64::from(lane.bits() / 8);
                let leaves = (0..lanes).map(|i| Leaf { ty: lane, offset: offset(i) }).collect();
                Ok(Layout { shape: Shape::Vector(lane, lanes), leaves, packed_bits })
            }
            K::LLVMStructTypeKind if !ty.is_opaque() && !ty.is_scalable() => {
                let mut shapes = Vec::new();
                let mut leaves = Vec::new();
                for (n, member) in ty.members().into_iter().enumerate() {
                    let layout = self.layout(member)?;
                    let start = self.module.member_offset(ty, n as u32);
                    append(&mut leaves, &layout, start).ok_or_else(|| describe(ty))?;
                    shapes.push(layout.shape.clone());
                }
                Ok(Layout { shape: Shape::Struct(shapes), leaves, packed_bits: None })
            }
            K::LLVMArrayTypeKind if !ty.is_scalable() => {
                let element = self.layout(ty.element())?;
                let stride = self.module.alloc_size(ty.element());
                let len = ty.array_len();
                if len > MAX_LEAVES as u64 {
                    return unsupported();
                }
                let mut leaves = Vec::new();
                for n in 0..len {
                    append(&mut leaves, &element, n * stride).ok_or_else(|| describe(ty))?;
                }
                let shape = Shape::Array(Box::new(element.shape.clone()), len as u32);
                Ok(Layout { shape, leaves, packed_bits: None })
            }
            _ => unsupported(),
        }
    }
}

fn describe(ty: Type) -> String {
    format!("a value of type {}", ty.describe())
}

/// `None` if the whole grows too large or the part is packed bitwise.
fn append(leaves: &mut Vec<Leaf>, part: &Layout, start: u64) -> Option<()> {
    if part.packed_bits.is_some() || leaves.len() + part.leaves.len() > MAX_LEAVES {
        return None;
    }
    leaves.extend(part.leaves.iter().map(|l| Leaf { ty: l.ty, offset: start + l.offset }));
    Some(())
}

/// The scalar an LLVM type is, if it is one.
pub fn scalar(ty: Type) -> Option<Ty> {
    match ty.kind() {
        K::LLVMIntegerTypeKind => {
            let width = ty.int_width();
            (width <= Ty::MAX_INT_BITS).then_some(Ty::Int(width as u8))
        }
        K::LLVMPointerTypeKind => Some(Ty::Ptr),
        K::LLVMHalfTypeKind => Some(Ty::F16),
        K::LLVMBFloatTypeKind => Some(Ty::Bf16),
        K::LLVMFloatTypeKind => Some(Ty::F32),
        K::LLVMDoubleTypeKind => Some(Ty::F64),
        K::LLVMX86_FP80TypeKind => Some(Ty::F80),
        K::LLVMFP128TypeKind => Some(Ty::F128),
        _ => None,
    }
}

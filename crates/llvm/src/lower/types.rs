//! The shape of each LLVM type, and the location of every scalar in memory.

use std::rc::Rc;

use byway_ir::Ty;
use llvm_sys::LLVMTypeKind as K;
use rustc_hash::FxHashMap;

use crate::llvm::{LlvmModule, LlvmType};
use crate::shape::{LIMB_BITS, Shape, integer};

/// A value with more scalars than this is not decomposed.
const MAX_LEAVES: usize = 1 << 14;

/// An integer wider than this is not decomposed: a product takes a multiplication per pair
/// of limbs.
const MAX_WIDE_BITS: u32 = 1024;

/// The shape of a type, and the locations of its scalars in memory.
#[derive(Debug)]
pub struct TypeLayout {
    /// The structure of the leaves.
    pub shape: Shape,
    /// The scalars in order.
    pub leaves: Vec<Ty>,
    /// The locations of the leaves in memory, in the same order.
    pub units: Vec<StorageUnit>,
}

/// Scalars that are loaded and stored together: one scalar, or all lanes of a vector whose
/// lanes are not whole bytes and therefore packed, lane zero lowest.
#[derive(Copy, Clone, Debug)]
pub struct StorageUnit {
    /// The type of each scalar.
    pub ty: Ty,
    /// The number of scalars.
    pub lanes: u32,
    /// Offset in bytes from the start of the value.
    pub offset: u64,
}

impl StorageUnit {
    /// The types of the accesses for packed lanes, in memory order.
    pub fn stored(&self) -> Vec<Ty> {
        integer(self.ty.bits() * self.lanes)
    }
}

impl TypeLayout {
    /// A layout without packed lanes, from the scalars and their offsets.
    fn plain(shape: Shape, scalars: impl Iterator<Item = (Ty, u64)>) -> TypeLayout {
        let units: Vec<StorageUnit> =
            scalars.map(|(ty, offset)| StorageUnit { ty, lanes: 1, offset }).collect();
        TypeLayout { shape, leaves: units.iter().map(|p| p.ty).collect(), units }
    }

    fn vector(lane: Ty, lanes: u32) -> TypeLayout {
        let shape = Shape::Vector(lane, lanes);
        if !lane.bits().is_multiple_of(8) {
            let units = vec![StorageUnit { ty: lane, lanes, offset: 0 }];
            return TypeLayout { leaves: shape.leaves(), shape, units };
        }
        let offset = |i: u32| u64::from(i) * u64::from(lane.bits() / 8);
        TypeLayout::plain(shape, (0..lanes).map(|i| (lane, offset(i))))
    }

    fn wide(bits: u32) -> TypeLayout {
        let offsets = (0..).step_by((LIMB_BITS / 8) as usize);
        TypeLayout::plain(Shape::Wide(bits), integer(bits).into_iter().zip(offsets))
    }

    /// A vector of wide integers of whole bytes, which has the leaves of an array.
    fn wide_vector(bits: u32, lanes: u32) -> TypeLayout {
        let lane = TypeLayout::wide(bits);
        let offset = |n: u32| u64::from(n) * u64::from(bits / 8);
        let scalars =
            (0..lanes).flat_map(|n| lane.units.iter().map(move |p| (p.ty, offset(n) + p.offset)));
        let shape = Shape::Array(Box::new(Shape::Wide(bits)), lanes);
        TypeLayout::plain(shape, scalars)
    }

    /// Appends a part of an aggregate; `None` if there are too many leaves.
    fn append(&mut self, part: &TypeLayout, start: u64) -> Option<()> {
        if self.leaves.len() + part.leaves.len() > MAX_LEAVES {
            return None;
        }
        self.leaves.extend_from_slice(&part.leaves);
        let moved = |p: &StorageUnit| StorageUnit { offset: start + p.offset, ..*p };
        self.units.extend(part.units.iter().map(moved));
        Some(())
    }
}

/// The layouts of types, each computed once.
pub struct TypeLayouts {
    module: LlvmModule,
    known: FxHashMap<LlvmType, Result<Rc<TypeLayout>, String>>,
}

impl TypeLayouts {
    /// For types of this module.
    pub fn new(module: LlvmModule) -> TypeLayouts {
        TypeLayouts { module, known: FxHashMap::default() }
    }

    /// The layout of a first-class type, or what about it is not supported.
    pub fn layout(&mut self, ty: LlvmType) -> Result<Rc<TypeLayout>, String> {
        if let Some(known) = self.known.get(&ty) {
            return known.clone();
        }
        let layout = self.compute(ty).map(Rc::new);
        self.known.insert(ty, layout.clone());
        layout
    }

    fn compute(&mut self, ty: LlvmType) -> Result<TypeLayout, String> {
        if let Some(scalar) = scalar(ty) {
            return Ok(TypeLayout::plain(Shape::Scalar(scalar), [(scalar, 0)].into_iter()));
        }
        let unsupported = || Err(format!("a value of type {}", ty.describe()));
        match ty.kind() {
            K::LLVMVoidTypeKind => Ok(TypeLayout::plain(Shape::Void, std::iter::empty())),
            K::LLVMVectorTypeKind => {
                let lanes = ty.vector_len();
                if lanes as usize > MAX_LEAVES {
                    return unsupported();
                }
                if let Some(lane) = scalar(ty.element()) {
                    return Ok(TypeLayout::vector(lane, lanes));
                }
                match wide(ty) {
                    Some(bits) if bits.is_multiple_of(8) => {
                        Ok(TypeLayout::wide_vector(bits, lanes))
                    }
                    _ => unsupported(),
                }
            }
            K::LLVMIntegerTypeKind => wide(ty).map(TypeLayout::wide).ok_or_else(|| describe(ty)),
            K::LLVMStructTypeKind if !ty.is_opaque() && !ty.is_scalable() => {
                let mut shapes = Vec::new();
                let mut whole = TypeLayout::plain(Shape::Void, std::iter::empty());
                for (n, member) in ty.members().into_iter().enumerate() {
                    let layout = self.layout(member)?;
                    let start = self.module.member_offset(ty, n as u32);
                    whole.append(&layout, start).ok_or_else(|| describe(ty))?;
                    shapes.push(layout.shape.clone());
                }
                Ok(TypeLayout { shape: Shape::Struct(shapes), ..whole })
            }
            K::LLVMArrayTypeKind if !ty.is_scalable() => {
                let element = self.layout(ty.element())?;
                let stride = self.module.alloc_size(ty.element());
                let len = ty.array_len();
                if len > MAX_LEAVES as u64 {
                    return unsupported();
                }
                let mut whole = TypeLayout::plain(Shape::Void, std::iter::empty());
                for n in 0..len {
                    whole.append(&element, n * stride).ok_or_else(|| describe(ty))?;
                }
                let shape = Shape::Array(Box::new(element.shape.clone()), len as u32);
                Ok(TypeLayout { shape, ..whole })
            }
            _ => unsupported(),
        }
    }
}

fn describe(ty: LlvmType) -> String {
    format!("a value of type {}", ty.describe())
}

/// The scalar type that corresponds to an LLVM type, if any.
pub fn scalar(ty: LlvmType) -> Option<Ty> {
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

/// The lane type of a vector; any other type unchanged.
pub fn lane(ty: LlvmType) -> LlvmType {
    match ty.kind() {
        K::LLVMVectorTypeKind => ty.element(),
        _ => ty,
    }
}

/// The width of an integer type (or lane type) that is decomposed into limbs.
pub fn wide(ty: LlvmType) -> Option<u32> {
    let ty = lane(ty);
    let width = (ty.kind() == K::LLVMIntegerTypeKind).then(|| ty.int_width())?;
    (width > Ty::MAX_INT_BITS && width <= MAX_WIDE_BITS).then_some(width)
}

/// The number of scalars per lane of a vector, or of a scalar or wide integer.
pub fn leaves_per_lane(ty: LlvmType) -> usize {
    wide(ty).map_or(1, |bits| Shape::Wide(bits).leaf_count())
}

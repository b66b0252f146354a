; Vector intrinsics C cannot spell: insert, extract, reverse, splice, interleave, stepvector, lane masks, ordered sums.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@format4 = private constant [13 x i8] c"%d %d %d %d\0A\00"
@formatf = private constant [7 x i8] c"%a %a\0A\00"
@a = global <4 x i32> <i32 1, i32 2, i32 3, i32 4>
@b = global <4 x i32> <i32 50, i32 60, i32 70, i32 80>
@f = global <4 x float> <float 0x3FB99999A0000000, float 1.0e8, float -1.0e8, float 3.0>
@n = global i32 6

declare i32 @printf(ptr, ...)
declare <8 x i32> @llvm.vector.insert.v8i32.v4i32(<8 x i32>, <4 x i32>, i64)
declare <4 x i32> @llvm.vector.extract.v4i32.v8i32(<8 x i32>, i64)
declare <4 x i32> @llvm.vector.reverse.v4i32(<4 x i32>)
declare <4 x i32> @llvm.vector.splice.left.v4i32(<4 x i32>, <4 x i32>, i32)
declare <8 x i32> @llvm.vector.interleave2.v8i32(<4 x i32>, <4 x i32>)
declare {<4 x i32>, <4 x i32>} @llvm.vector.deinterleave2.v8i32(<8 x i32>)
declare <4 x i32> @llvm.stepvector.v4i32()
declare <4 x i1> @llvm.get.active.lane.mask.v4i1.i32(i32, i32)
declare float @llvm.vector.reduce.fadd.v4f32(float, <4 x float>)
declare float @llvm.vector.reduce.fmul.v4f32(float, <4 x float>)
declare i32 @llvm.vector.reduce.umin.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.umax.v4i32(<4 x i32>)
declare <4 x i32> @llvm.vector.partial.reduce.add.v4i32.v8i32(<4 x i32>, <8 x i32>)
declare i64 @llvm.experimental.cttz.elts.i64.v4i1(<4 x i1>, i1)
declare {<4 x i32>, <4 x i1>} @llvm.uadd.with.overflow.v4i32(<4 x i32>, <4 x i32>)
declare <4 x i8> @llvm.scmp.v4i8.v4i32(<4 x i32>, <4 x i32>)
declare <4 x i8> @llvm.ucmp.v4i8.v4i32(<4 x i32>, <4 x i32>)

define internal void @show(<4 x i32> %v) noinline {
  %x0 = extractelement <4 x i32> %v, i32 0
  %x1 = extractelement <4 x i32> %v, i32 1
  %x2 = extractelement <4 x i32> %v, i32 2
  %x3 = extractelement <4 x i32> %v, i32 3
  call i32 (ptr, ...) @printf(ptr @format4, i32 %x0, i32 %x1, i32 %x2, i32 %x3)
  ret void
}

define i32 @main() {
  %a = load volatile <4 x i32>, ptr @a
  %b = load volatile <4 x i32>, ptr @b
  %f = load volatile <4 x float>, ptr @f
  %n = load volatile i32, ptr @n
  %low = call <8 x i32> @llvm.vector.insert.v8i32.v4i32(<8 x i32> zeroinitializer, <4 x i32> %a, i64 0)
  %both = call <8 x i32> @llvm.vector.insert.v8i32.v4i32(<8 x i32> %low, <4 x i32> %b, i64 4)
  %high = call <4 x i32> @llvm.vector.extract.v4i32.v8i32(<8 x i32> %both, i64 4)
  call void @show(<4 x i32> %high)
  %reversed = call <4 x i32> @llvm.vector.reverse.v4i32(<4 x i32> %a)
  call void @show(<4 x i32> %reversed)
  %spliced = call <4 x i32> @llvm.vector.splice.left.v4i32(<4 x i32> %a, <4 x i32> %b, i32 3)
  call void @show(<4 x i32> %spliced)
  %mixed = call <8 x i32> @llvm.vector.interleave2.v8i32(<4 x i32> %a, <4 x i32> %b)
  %first = shufflevector <8 x i32> %mixed, <8 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  call void @show(<4 x i32> %first)
  %parts = call {<4 x i32>, <4 x i32>} @llvm.vector.deinterleave2.v8i32(<8 x i32> %both)
  %odd = extractvalue {<4 x i32>, <4 x i32>} %parts, 1
  call void @show(<4 x i32> %odd)
  %steps = call <4 x i32> @llvm.stepvector.v4i32()
  %stepped = mul <4 x i32> %steps, %a
  call void @show(<4 x i32> %stepped)
  %start = sub i32 %n, 2
  %mask = call <4 x i1> @llvm.get.active.lane.mask.v4i1.i32(i32 %start, i32 %n)
  %masked = select <4 x i1> %mask, <4 x i32> %a, <4 x i32> %b
  call void @show(<4 x i32> %masked)
  %inverse = xor <4 x i1> %mask, splat (i1 true)
  %zeros = call i64 @llvm.experimental.cttz.elts.i64.v4i1(<4 x i1> %inverse, i1 false)
  %zeros32 = trunc i64 %zeros to i32
  %least = call i32 @llvm.vector.reduce.umin.v4i32(<4 x i32> %b)
  %most = call i32 @llvm.vector.reduce.umax.v4i32(<4 x i32> %b)
  call i32 (ptr, ...) @printf(ptr @format4, i32 %zeros32, i32 %least, i32 %most, i32 %n)
  %partial = call <4 x i32> @llvm.vector.partial.reduce.add.v4i32.v8i32(<4 x i32> %a, <8 x i32> %both)
  %total.0 = extractelement <4 x i32> %partial, i32 0
  %total.1 = extractelement <4 x i32> %partial, i32 1
  %total.2 = extractelement <4 x i32> %partial, i32 2
  %total.3 = extractelement <4 x i32> %partial, i32 3
  %total.01 = add i32 %total.0, %total.1
  %total.23 = add i32 %total.2, %total.3
  %total = add i32 %total.01, %total.23
  %sum = call float @llvm.vector.reduce.fadd.v4f32(float 1.0, <4 x float> %f)
  %product = call float @llvm.vector.reduce.fmul.v4f32(float 2.0, <4 x float> %f)
  %sum.d = fpext float %sum to double
  %product.d = fpext float %product to double
  call i32 (ptr, ...) @printf(ptr @formatf, double %sum.d, double %product.d)
  %wrapped = call {<4 x i32>, <4 x i1>} @llvm.uadd.with.overflow.v4i32(<4 x i32> %a, <4 x i32> <i32 -1, i32 -3, i32 -3, i32 5>)
  %flags = extractvalue {<4 x i32>, <4 x i1>} %wrapped, 1
  %flags32 = zext <4 x i1> %flags to <4 x i32>
  call void @show(<4 x i32> %flags32)
  %s = call <4 x i8> @llvm.scmp.v4i8.v4i32(<4 x i32> %a, <4 x i32> <i32 -1, i32 2, i32 9, i32 0>)
  %u = call <4 x i8> @llvm.ucmp.v4i8.v4i32(<4 x i32> %a, <4 x i32> <i32 -1, i32 2, i32 9, i32 0>)
  %s32 = sext <4 x i8> %s to <4 x i32>
  %u32 = sext <4 x i8> %u to <4 x i32>
  call void @show(<4 x i32> %s32)
  call void @show(<4 x i32> %u32)
  %index = and i32 %n, 3
  %picked = extractelement <4 x i32> %b, i32 %index
  %inserted = insertelement <4 x i32> %a, i32 %picked, i32 %index
  call void @show(<4 x i32> %inserted)
  ret i32 %total
}

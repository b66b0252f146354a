; Float intrinsics on vectors, splicing from the right, and memset.inline.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@format = private constant [7 x i8] c"%a %a\0A\00"
@integers = private constant [13 x i8] c"%d %d %d %d\0A\00"
@v = global <2 x double> <double -3.75, double 0.1>
@w = global <2 x double> <double 0x7FF8000000000000, double 2.5>
@a = global <4 x i32> <i32 1, i32 2, i32 3, i32 4>
@n = global i32 5
@block = global [20 x i8] zeroinitializer

declare i32 @printf(ptr, ...)
declare <2 x i1> @llvm.is.fpclass.v2f64(<2 x double>, i32)
declare <2 x double> @llvm.powi.v2f64.i32(<2 x double>, i32)
declare { <2 x double>, <2 x double> } @llvm.modf.v2f64(<2 x double>)
declare <2 x double> @llvm.ldexp.v2f64.v2i32(<2 x double>, <2 x i32>)
declare <2 x i32> @llvm.fptosi.sat.v2i32.v2f64(<2 x double>)
declare <2 x double> @llvm.minimumnum.v2f64(<2 x double>, <2 x double>)
declare <2 x double> @llvm.fmuladd.v2f64(<2 x double>, <2 x double>, <2 x double>)
declare <4 x i32> @llvm.vector.splice.right.v4i32(<4 x i32>, <4 x i32>, i32)
declare void @llvm.memset.inline.p0.i64(ptr, i8, i64, i1)

define internal void @show(<2 x double> %v) noinline {
  %a = extractelement <2 x double> %v, i32 0
  %b = extractelement <2 x double> %v, i32 1
  call i32 (ptr, ...) @printf(ptr @format, double %a, double %b)
  ret void
}

define internal void @showi(<4 x i32> %v) noinline {
  %a = extractelement <4 x i32> %v, i32 0
  %b = extractelement <4 x i32> %v, i32 1
  %c = extractelement <4 x i32> %v, i32 2
  %d = extractelement <4 x i32> %v, i32 3
  call i32 (ptr, ...) @printf(ptr @integers, i32 %a, i32 %b, i32 %c, i32 %d)
  ret void
}

define i32 @main() {
  %v = load volatile <2 x double>, ptr @v
  %w = load volatile <2 x double>, ptr @w
  %a = load volatile <4 x i32>, ptr @a
  %n = load volatile i32, ptr @n
  %class = call <2 x i1> @llvm.is.fpclass.v2f64(<2 x double> %w, i32 3)
  %picked = select <2 x i1> %class, <2 x double> %v, <2 x double> %w
  call void @show(<2 x double> %picked)
  %power = call <2 x double> @llvm.powi.v2f64.i32(<2 x double> %v, i32 %n)
  call void @show(<2 x double> %power)
  %scaled = call <2 x double> @llvm.ldexp.v2f64.v2i32(<2 x double> %v, <2 x i32> <i32 4, i32 -4>)
  call void @show(<2 x double> %scaled)
  %split = call { <2 x double>, <2 x double> } @llvm.modf.v2f64(<2 x double> %v)
  %fraction = extractvalue { <2 x double>, <2 x double> } %split, 0
  %whole = extractvalue { <2 x double>, <2 x double> } %split, 1
  call void @show(<2 x double> %fraction)
  call void @show(<2 x double> %whole)
  %big = fmul <2 x double> %w, splat (double 1.0e30)
  %clamped = call <2 x i32> @llvm.fptosi.sat.v2i32.v2f64(<2 x double> %big)
  %clamped4 = shufflevector <2 x i32> %clamped, <2 x i32> zeroinitializer, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  call void @showi(<4 x i32> %clamped4)
  %least = call <2 x double> @llvm.minimumnum.v2f64(<2 x double> %v, <2 x double> %w)
  call void @show(<2 x double> %least)
  %sum = call <2 x double> @llvm.fmuladd.v2f64(<2 x double> %v, <2 x double> %v, <2 x double> %least)
  call void @show(<2 x double> %sum)
  %b = mul <4 x i32> %a, splat (i32 10)
  %spliced = call <4 x i32> @llvm.vector.splice.right.v4i32(<4 x i32> %a, <4 x i32> %b, i32 3)
  call void @showi(<4 x i32> %spliced)
  call void @llvm.memset.inline.p0.i64(ptr @block, i8 7, i64 20, i1 false)
  %last = getelementptr [20 x i8], ptr @block, i64 0, i64 19
  %seven = load volatile i8, ptr %last
  %code = zext i8 %seven to i32
  ret i32 %code
}

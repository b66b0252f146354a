; Intrinsics that only tell the optimiser something, or have one obvious answer.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@format = private constant [16 x i8] c"%d %d %d %d %d\0A\00"
@x = global i32 41
@local = thread_local global i32 5
@table = internal constant [2 x i32] [i32 trunc (i64 sub (i64 ptrtoint (ptr @first to i64), i64 ptrtoint (ptr @table to i64)) to i32), i32 trunc (i64 sub (i64 ptrtoint (ptr @second to i64), i64 ptrtoint (ptr @table to i64)) to i32)]
@first = internal constant i32 100
@second = internal constant i32 200
@note = private constant [2 x i8] c"n\00", section "llvm.metadata"

declare i32 @printf(ptr, ...)
declare i32 @llvm.expect.i32(i32, i32)
declare i32 @llvm.expect.with.probability.i32(i32, i32, double)
declare void @llvm.assume(i1)
declare i32 @llvm.annotation.i32.p0(i32, ptr, ptr, i32)
declare ptr @llvm.launder.invariant.group.p0(ptr)
declare ptr @llvm.strip.invariant.group.p0(ptr)
declare ptr @llvm.threadlocal.address.p0(ptr)
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
declare ptr @llvm.load.relative.i64(ptr, i64)
declare ptr @llvm.invariant.start.p0(i64, ptr)
declare void @llvm.invariant.end.p0(ptr, i64, ptr)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare void @llvm.sideeffect()
declare void @llvm.donothing()
declare i32 @llvm.get.rounding()
declare double @llvm.arithmetic.fence.f64(double)
declare double @llvm.canonicalize.f64(double)
declare i16 @llvm.convert.to.fp16.f32(float)
declare float @llvm.convert.from.fp16.f32(i16)
declare i1 @llvm.is.constant.i32(i32)

define i32 @main() {
  %x = load volatile i32, ptr @x
  %a = call i32 @llvm.expect.i32(i32 %x, i32 41)
  %b = call i32 @llvm.expect.with.probability.i32(i32 %x, i32 7, double 0.9)
  %positive = icmp sgt i32 %x, 0
  call void @llvm.assume(i1 %positive)
  %c = call i32 @llvm.annotation.i32.p0(i32 %x, ptr @note, ptr @note, i32 1)
  call void @llvm.sideeffect()
  call void @llvm.donothing()
  call void @llvm.prefetch.p0(ptr @x, i32 0, i32 3, i32 1)
  %p = call ptr @llvm.launder.invariant.group.p0(ptr @x)
  %q = call ptr @llvm.strip.invariant.group.p0(ptr %p)
  %d = load i32, ptr %q
  %tls = call ptr @llvm.threadlocal.address.p0(ptr @local)
  %e = load i32, ptr %tls
  call i32 (ptr, ...) @printf(ptr @format, i32 %a, i32 %b, i32 %c, i32 %d, i32 %e)

  %buffer = alloca [64 x i8], align 16
  %inside = getelementptr i8, ptr %buffer, i64 13
  store i8 77, ptr %buffer
  %masked = call ptr @llvm.ptrmask.p0.i64(ptr %inside, i64 -16)
  %f = load i8, ptr %masked
  %f32 = zext i8 %f to i32
  %index = sext i32 %x to i64
  %odd = and i64 %index, 1
  %entry = mul i64 %odd, 4
  %relative = call ptr @llvm.load.relative.i64(ptr @table, i64 %entry)
  %g = load i32, ptr %relative
  %inv = call ptr @llvm.invariant.start.p0(i64 64, ptr %buffer)
  call void @llvm.invariant.end.p0(ptr %inv, i64 64, ptr %buffer)
  %h = call i32 @llvm.get.rounding()
  %xf = sitofp i32 %x to double
  %fenced = call double @llvm.arithmetic.fence.f64(double %xf)
  %canonical = call double @llvm.canonicalize.f64(double %fenced)
  %third = fdiv double %canonical, 3.0
  %third32 = fptrunc double %third to float
  %half = call i16 @llvm.convert.to.fp16.f32(float %third32)
  %back = call float @llvm.convert.from.fp16.f32(i16 %half)
  %scaled = fmul float %back, 1024.0
  %i = fptosi float %scaled to i32
  %half32 = zext i16 %half to i32
  call i32 (ptr, ...) @printf(ptr @format, i32 %f32, i32 %g, i32 %h, i32 %i, i32 %half32)
  %known = call i1 @llvm.is.constant.i32(i32 %x)
  %known32 = zext i1 %known to i32
  ret i32 %known32
}

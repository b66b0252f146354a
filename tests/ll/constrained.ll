; Constrained operations that clang does not make of C by itself: remainder, square root, rounding to integers, extrema.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@format = private constant [7 x i8] c"%a %a\0A\00"
@integers = private constant [9 x i8] c"%ld %ld\0A\00"
@values = global [5 x double] [double 0.75, double -2.5, double 7.25, double 1024.5, double -0.375]

declare i32 @printf(ptr, ...)
declare double @llvm.experimental.constrained.frem.f64(double, double, metadata, metadata)
declare double @llvm.experimental.constrained.sqrt.f64(double, metadata, metadata)
declare double @llvm.experimental.constrained.roundeven.f64(double, metadata)
declare double @llvm.experimental.constrained.fmuladd.f64(double, double, double, metadata, metadata)
declare i64 @llvm.experimental.constrained.lrint.i64.f64(double, metadata, metadata)
declare i64 @llvm.experimental.constrained.llrint.i64.f64(double, metadata, metadata)
declare i64 @llvm.experimental.constrained.lround.i64.f64(double, metadata)
declare i64 @llvm.experimental.constrained.llround.i64.f64(double, metadata)
declare double @llvm.experimental.constrained.pow.f64(double, double, metadata, metadata)
declare double @llvm.experimental.constrained.powi.f64(double, i32, metadata, metadata)

define i32 @main() strictfp {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr [5 x double], ptr @values, i64 0, i64 %i
  %x = load double, ptr %p
  %r = call double @llvm.experimental.constrained.frem.f64(double %x, double 0.5, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %square = call double @llvm.experimental.constrained.fmuladd.f64(double %x, double %x, double 0.0, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %s = call double @llvm.experimental.constrained.sqrt.f64(double %square, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %a = call i32 (ptr, ...) @printf(ptr @format, double %r, double %s) strictfp
  %e = call double @llvm.experimental.constrained.roundeven.f64(double %x, metadata !"fpexcept.strict") strictfp
  %c = call double @llvm.experimental.constrained.powi.f64(double %x, i32 3, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %b = call i32 (ptr, ...) @printf(ptr @format, double %e, double %c) strictfp
  %l = call i64 @llvm.experimental.constrained.lrint.i64.f64(double %x, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %m = call i64 @llvm.experimental.constrained.lround.i64.f64(double %x, metadata !"fpexcept.strict") strictfp
  %d = call i32 (ptr, ...) @printf(ptr @integers, i64 %l, i64 %m) strictfp
  %o = call i64 @llvm.experimental.constrained.llrint.i64.f64(double %square, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %q = call i64 @llvm.experimental.constrained.llround.i64.f64(double %square, metadata !"fpexcept.strict") strictfp
  %f = call i32 (ptr, ...) @printf(ptr @integers, i64 %o, i64 %q) strictfp
  %w = call double @llvm.experimental.constrained.pow.f64(double %square, double 2.0, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %g = call i32 (ptr, ...) @printf(ptr @format, double %w, double %square) strictfp
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 5
  br i1 %more, label %loop, label %done

done:
  ret i32 0
}

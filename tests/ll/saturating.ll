; Saturating shifts, and float to integer conversions that clamp.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@format = private constant [14 x i8] c"%d %d %d %ld\0A\00"
@values = global [6 x i32] [i32 1, i32 -1, i32 100, i32 2147483647, i32 -2147483648, i32 255]
@floats = global [8 x double] [double 0.0, double -1.5, double 300.25, double 1.0e10, double -1.0e30, double 0x7FF8000000000000, double 0x7FF0000000000000, double 127.9]

declare i32 @printf(ptr, ...)
declare i8 @llvm.sshl.sat.i8(i8, i8)
declare i32 @llvm.sshl.sat.i32(i32, i32)
declare i32 @llvm.ushl.sat.i32(i32, i32)
declare i64 @llvm.ushl.sat.i64(i64, i64)
declare i8 @llvm.fptosi.sat.i8.f64(double)
declare i32 @llvm.fptoui.sat.i32.f64(double)
declare i32 @llvm.fptosi.sat.i32.f32(float)
declare i64 @llvm.fptosi.sat.i64.f64(double)
declare i64 @llvm.fptoui.sat.i64.f64(double)

define i32 @main() {
entry:
  br label %shifts

shifts:
  %i = phi i64 [ 0, %entry ], [ %next, %inner.end ]
  %p = getelementptr [6 x i32], ptr @values, i64 0, i64 %i
  %x = load i32, ptr %p
  br label %inner

inner:
  %n = phi i32 [ 0, %shifts ], [ %n.next, %inner ]
  %x8 = trunc i32 %x to i8
  %n8.wide = and i32 %n, 7
  %n8 = trunc i32 %n8.wide to i8
  %a = call i8 @llvm.sshl.sat.i8(i8 %x8, i8 %n8)
  %b = call i32 @llvm.sshl.sat.i32(i32 %x, i32 %n)
  %c = call i32 @llvm.ushl.sat.i32(i32 %x, i32 %n)
  %x64 = sext i32 %x to i64
  %n64 = zext i32 %n to i64
  %d = call i64 @llvm.ushl.sat.i64(i64 %x64, i64 %n64)
  %a32 = sext i8 %a to i32
  call i32 (ptr, ...) @printf(ptr @format, i32 %a32, i32 %b, i32 %c, i64 %d)
  %n.next = add i32 %n, 3
  %more = icmp ult i32 %n.next, 32
  br i1 %more, label %inner, label %inner.end

inner.end:
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, 6
  br i1 %again, label %shifts, label %conversions.entry

conversions.entry:
  br label %conversions

conversions:
  %j = phi i64 [ 0, %conversions.entry ], [ %j.next, %conversions ]
  %q = getelementptr [8 x double], ptr @floats, i64 0, i64 %j
  %f = load double, ptr %q
  %f32 = fptrunc double %f to float
  %e = call i8 @llvm.fptosi.sat.i8.f64(double %f)
  %e32 = sext i8 %e to i32
  %g = call i32 @llvm.fptoui.sat.i32.f64(double %f)
  %h = call i32 @llvm.fptosi.sat.i32.f32(float %f32)
  %k = call i64 @llvm.fptosi.sat.i64.f64(double %f)
  %l = call i64 @llvm.fptoui.sat.i64.f64(double %f)
  %m = xor i64 %k, %l
  call i32 (ptr, ...) @printf(ptr @format, i32 %e32, i32 %g, i32 %h, i64 %m)
  %j.next = add i64 %j, 1
  %j.again = icmp ult i64 %j.next, 8
  br i1 %j.again, label %conversions, label %done

done:
  ret i32 0
}

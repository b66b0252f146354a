; Integers of every awkward width: i1, i3, i17, i24, i48, i65, i100, i127; loads and stores of them; bit operations.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@format = private constant [17 x i8] c"%s %016lx%016lx\0A\00"
@low = global i64 81985529216486895
@high = global i64 -81985529216486896
@slot = global [16 x i8] zeroinitializer

declare i32 @printf(ptr, ...)
declare i48 @llvm.bswap.i48(i48)
declare i7 @llvm.bitreverse.i7(i7)
declare i65 @llvm.ctpop.i65(i65)
declare i24 @llvm.fshl.i24(i24, i24, i24)
declare i17 @llvm.abs.i17(i17, i1)
declare i100 @llvm.smax.i100(i100, i100)
declare i33 @llvm.ctlz.i33(i33, i1)
declare i128 @llvm.cttz.i128(i128, i1)
declare {i24, i1} @llvm.smul.with.overflow.i24(i24, i24)
declare i3 @llvm.uadd.sat.i3(i3, i3)

define internal void @show(ptr %name, i128 %v) noinline {
  %low = trunc i128 %v to i64
  %shifted = lshr i128 %v, 64
  %high = trunc i128 %shifted to i64
  call i32 (ptr, ...) @printf(ptr @format, ptr %name, i64 %high, i64 %low)
  ret void
}

@n1 = private constant [3 x i8] c"i1\00"
@n3 = private constant [3 x i8] c"i3\00"
@n17 = private constant [4 x i8] c"i17\00"
@n24 = private constant [4 x i8] c"i24\00"
@n48 = private constant [4 x i8] c"i48\00"
@n65 = private constant [4 x i8] c"i65\00"
@n100 = private constant [5 x i8] c"i100\00"
@n127 = private constant [5 x i8] c"i127\00"

define i32 @main() {
  %l = load i64, ptr @low
  %h = load i64, ptr @high
  %lw = zext i64 %l to i128
  %hw = zext i64 %h to i128
  %hs = shl i128 %hw, 64
  %x = or i128 %lw, %hs
  %y = mul i128 %x, 12345678901234567

  %a1 = trunc i128 %x to i1
  %b1 = trunc i128 %y to i1
  %s1 = add i1 %a1, %b1
  %m1 = mul i1 %a1, %s1
  %c1 = icmp slt i1 %m1, %b1
  %z1 = zext i1 %c1 to i128
  call void @show(ptr @n1, i128 %z1)
  %e1 = sext i1 %a1 to i128
  call void @show(ptr @n1, i128 %e1)

  %a3 = trunc i128 %x to i3
  %b3 = trunc i128 %y to i3
  %d3 = or i3 %b3, 1
  %q3 = sdiv i3 %a3, 2
  %r3 = urem i3 %a3, %d3
  %t3 = call i3 @llvm.uadd.sat.i3(i3 %a3, i3 %b3)
  %u3 = xor i3 %q3, %r3
  %v3 = sub i3 %t3, %u3
  %z3 = sext i3 %v3 to i128
  call void @show(ptr @n3, i128 %z3)

  %a17 = trunc i128 %x to i17
  %b17 = call i17 @llvm.abs.i17(i17 %a17, i1 false)
  %c17 = ashr i17 %a17, 5
  %d17 = mul i17 %b17, %c17
  store i17 %d17, ptr @slot
  %e17 = load i17, ptr @slot
  %z17 = sext i17 %e17 to i128
  call void @show(ptr @n17, i128 %z17)

  %a24 = trunc i128 %x to i24
  %b24 = trunc i128 %y to i24
  %f24 = call i24 @llvm.fshl.i24(i24 %a24, i24 %b24, i24 19)
  %o24 = call {i24, i1} @llvm.smul.with.overflow.i24(i24 %a24, i24 3)
  %p24 = extractvalue {i24, i1} %o24, 0
  %w24 = extractvalue {i24, i1} %o24, 1
  %w24x = zext i1 %w24 to i24
  %g24 = add i24 %f24, %p24
  %h24 = xor i24 %g24, %w24x
  store i24 %h24, ptr @slot
  %i24 = load i24, ptr @slot
  %z24 = zext i24 %i24 to i128
  call void @show(ptr @n24, i128 %z24)

  %a48 = trunc i128 %y to i48
  %b48 = call i48 @llvm.bswap.i48(i48 %a48)
  %t7 = trunc i128 %x to i7
  %r7 = call i7 @llvm.bitreverse.i7(i7 %t7)
  %r48 = zext i7 %r7 to i48
  %c48 = xor i48 %b48, %r48
  %z48 = sext i48 %c48 to i128
  call void @show(ptr @n48, i128 %z48)

  %a65 = trunc i128 %y to i65
  %b65 = call i65 @llvm.ctpop.i65(i65 %a65)
  %c65 = udiv i65 %a65, %b65
  %d65 = srem i65 %a65, 1000003
  %e65 = shl i65 %c65, 2
  %f65 = xor i65 %e65, %d65
  store i65 %f65, ptr @slot
  %g65 = load i65, ptr @slot
  %z65 = sext i65 %g65 to i128
  call void @show(ptr @n65, i128 %z65)

  %a100 = trunc i128 %x to i100
  %b100 = trunc i128 %y to i100
  %c100 = call i100 @llvm.smax.i100(i100 %a100, i100 %b100)
  %d100 = lshr i100 %c100, 37
  %e100 = sub i100 %d100, %a100
  store i100 %e100, ptr @slot
  %f100 = load i100, ptr @slot
  %z100 = sext i100 %f100 to i128
  call void @show(ptr @n100, i128 %z100)

  %a127 = trunc i128 %y to i127
  %b127 = sdiv i127 %a127, 1234567
  %c127 = icmp ugt i127 %a127, %b127
  %d127 = select i1 %c127, i127 %a127, i127 %b127
  %z127 = sext i127 %d127 to i128
  call void @show(ptr @n127, i128 %z127)

  %a33 = trunc i128 %x to i33
  %b33 = lshr i33 %a33, 9
  %c33 = call i33 @llvm.ctlz.i33(i33 %b33, i1 false)
  %z33 = zext i33 %c33 to i128
  %s33 = shl i128 %y, %z33
  %t128 = call i128 @llvm.cttz.i128(i128 %s33, i1 false)
  call void @show(ptr @n127, i128 %t128)
  ret i32 0
}

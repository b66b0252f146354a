; Bit casts between scalars, vectors of other lane counts, floats, x86_fp80, and vectors of bits.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@line = private constant [7 x i8] c"%s%lx\0A\00"
@wide = global <2 x i64> <i64 81985529216486895, i64 -81985529216486896>
@f = global x86_fp80 0xK4000C000000000000000
@d = global double 1.5

declare i32 @printf(ptr, ...)

@empty = private constant [1 x i8] zeroinitializer
define internal void @show(i64 %x) noinline {
  call i32 (ptr, ...) @printf(ptr @line, ptr @empty, i64 %x)
  ret void
}

define i32 @main() {
  %w = load volatile <2 x i64>, ptr @wide
  %bytes = bitcast <2 x i64> %w to <16 x i8>
  %b5 = extractelement <16 x i8> %bytes, i32 5
  %b5w = zext i8 %b5 to i64
  call void @show(i64 %b5w)
  %one = bitcast <16 x i8> %bytes to i128
  %shifted = lshr i128 %one, 36
  %cut = trunc i128 %shifted to i64
  call void @show(i64 %cut)
  %floats = bitcast i128 %one to <4 x float>
  %back = bitcast <4 x float> %floats to <8 x i16>
  %h6 = extractelement <8 x i16> %back, i32 6
  %h6w = zext i16 %h6 to i64
  call void @show(i64 %h6w)
  %cmp = icmp ugt <16 x i8> %bytes, splat (i8 100)
  %mask = bitcast <16 x i1> %cmp to i16
  %maskw = zext i16 %mask to i64
  call void @show(i64 %maskw)
  %mixed = xor i16 %mask, 21845
  %bits = bitcast i16 %mixed to <16 x i1>
  %bit3 = extractelement <16 x i1> %bits, i32 3
  %ext = sext <16 x i1> %bits to <16 x i8>
  %joined = bitcast <16 x i8> %ext to <2 x i64>
  %j1 = extractelement <2 x i64> %joined, i32 1
  call void @show(i64 %j1)
  %x = load volatile x86_fp80, ptr @f
  %xb = bitcast x86_fp80 %x to i80
  %xt = lshr i80 %xb, 60
  %xl = trunc i80 %xt to i64
  call void @show(i64 %xl)
  %xo = or i80 %xb, 1
  %xf = bitcast i80 %xo to x86_fp80
  %same = fcmp oeq x86_fp80 %xf, %x
  %samew = zext i1 %same to i64
  call void @show(i64 %samew)
  %d = load volatile double, ptr @d
  %di = bitcast double %d to i64
  call void @show(i64 %di)
  %dv = bitcast double %d to <2 x i32>
  %dh = extractelement <2 x i32> %dv, i32 1
  %dhw = zext i32 %dh to i64
  call void @show(i64 %dhw)
  %dp = bitcast <2 x i32> %dv to double
  %eq = fcmp oeq double %d, %dp
  %code = zext i1 %eq to i32
  %p = inttoptr i64 %di to ptr
  %pv = insertelement <2 x ptr> zeroinitializer, ptr %p, i32 1
  %pi = ptrtoint <2 x ptr> %pv to <2 x i64>
  %p1 = extractelement <2 x i64> %pi, i32 1
  call void @show(i64 %p1)
  ret i32 %code
}

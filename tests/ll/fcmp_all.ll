; All sixteen float comparisons, on numbers, zeros and NaN; frem.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@format = private constant [10 x i8] c"%04x %.g\0A\00"
@values = global [5 x double] [double 0.0, double -0.0, double 1.5, double -7.25, double 0x7FF8000000000000]

declare i32 @printf(ptr, ...)

define internal i32 @compare(double %a, double %b) noinline {
  %c0 = fcmp false double %a, %b
  %c1 = fcmp oeq double %a, %b
  %c2 = fcmp ogt double %a, %b
  %c3 = fcmp oge double %a, %b
  %c4 = fcmp olt double %a, %b
  %c5 = fcmp ole double %a, %b
  %c6 = fcmp one double %a, %b
  %c7 = fcmp ord double %a, %b
  %c8 = fcmp ueq double %a, %b
  %c9 = fcmp ugt double %a, %b
  %c10 = fcmp uge double %a, %b
  %c11 = fcmp ult double %a, %b
  %c12 = fcmp ule double %a, %b
  %c13 = fcmp une double %a, %b
  %c14 = fcmp uno double %a, %b
  %c15 = fcmp true double %a, %b
  %v0 = insertelement <16 x i1> zeroinitializer, i1 %c0, i32 0
  %v1 = insertelement <16 x i1> %v0, i1 %c1, i32 1
  %v2 = insertelement <16 x i1> %v1, i1 %c2, i32 2
  %v3 = insertelement <16 x i1> %v2, i1 %c3, i32 3
  %v4 = insertelement <16 x i1> %v3, i1 %c4, i32 4
  %v5 = insertelement <16 x i1> %v4, i1 %c5, i32 5
  %v6 = insertelement <16 x i1> %v5, i1 %c6, i32 6
  %v7 = insertelement <16 x i1> %v6, i1 %c7, i32 7
  %v8 = insertelement <16 x i1> %v7, i1 %c8, i32 8
  %v9 = insertelement <16 x i1> %v8, i1 %c9, i32 9
  %v10 = insertelement <16 x i1> %v9, i1 %c10, i32 10
  %v11 = insertelement <16 x i1> %v10, i1 %c11, i32 11
  %v12 = insertelement <16 x i1> %v11, i1 %c12, i32 12
  %v13 = insertelement <16 x i1> %v12, i1 %c13, i32 13
  %v14 = insertelement <16 x i1> %v13, i1 %c14, i32 14
  %v15 = insertelement <16 x i1> %v14, i1 %c15, i32 15
  %bits = bitcast <16 x i1> %v15 to i16
  %wide = zext i16 %bits to i32
  ret i32 %wide
}

define internal double @remainder(double %a, double %b) noinline {
  %r = frem double %a, %b
  %nan = fcmp uno double %r, %r
  %s = select i1 %nan, double 99.0, double %r
  ret double %s
}

define i32 @main() {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.end ]
  br label %inner

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %p = getelementptr [5 x double], ptr @values, i64 0, i64 %i
  %q = getelementptr [5 x double], ptr @values, i64 0, i64 %j
  %a = load double, ptr %p
  %b = load double, ptr %q
  %bits = call i32 @compare(double %a, double %b)
  %scaled = fmul double %a, 10.0
  %r = call double @remainder(double %scaled, double %b)
  call i32 (ptr, ...) @printf(ptr @format, i32 %bits, double %r)
  %j.next = add i64 %j, 1
  %j.more = icmp ult i64 %j.next, 5
  br i1 %j.more, label %inner, label %outer.end

outer.end:
  %i.next = add i64 %i, 1
  %i.more = icmp ult i64 %i.next, 5
  br i1 %i.more, label %outer, label %done

done:
  ret i32 0
}

; Every atomicrmw operation and cmpxchg, atomic loads and stores, fences.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@line = private constant [11 x i8] c"%s %d %d%s\00"
@empty = private constant [1 x i8] zeroinitializer
@newline = private constant [2 x i8] c"\0A\00"
@x = global i32 20
@f = global float 1.5
@p = global ptr null

declare i32 @printf(ptr, ...)

define internal void @show(i32 %old) noinline {
  %new = load atomic i32, ptr @x seq_cst, align 4
  call i32 (ptr, ...) @printf(ptr @line, ptr @empty, i32 %old, i32 %new, ptr @newline)
  ret void
}

define i32 @main() {
  %a = atomicrmw xchg ptr @x, i32 21 seq_cst
  call void @show(i32 %a)
  %b = atomicrmw add ptr @x, i32 5 seq_cst
  call void @show(i32 %b)
  %c = atomicrmw sub ptr @x, i32 3 monotonic
  call void @show(i32 %c)
  %d = atomicrmw and ptr @x, i32 30 acquire
  call void @show(i32 %d)
  %e = atomicrmw nand ptr @x, i32 6 release
  call void @show(i32 %e)
  %g = atomicrmw or ptr @x, i32 16 acq_rel
  call void @show(i32 %g)
  %h = atomicrmw xor ptr @x, i32 -1 seq_cst
  call void @show(i32 %h)
  %i = atomicrmw max ptr @x, i32 9 seq_cst
  call void @show(i32 %i)
  %j = atomicrmw min ptr @x, i32 -4 seq_cst
  call void @show(i32 %j)
  %k = atomicrmw umax ptr @x, i32 7 seq_cst
  call void @show(i32 %k)
  %l = atomicrmw umin ptr @x, i32 3 seq_cst
  call void @show(i32 %l)
  %m = atomicrmw uinc_wrap ptr @x, i32 3 seq_cst
  call void @show(i32 %m)
  %n = atomicrmw udec_wrap ptr @x, i32 10 seq_cst
  call void @show(i32 %n)
  %o = atomicrmw usub_cond ptr @x, i32 4 seq_cst
  call void @show(i32 %o)
  %q = atomicrmw usub_sat ptr @x, i32 100 seq_cst
  call void @show(i32 %q)
  %f1 = atomicrmw fadd ptr @f, float 2.25 seq_cst
  %f2 = atomicrmw fsub ptr @f, float 0.5 seq_cst
  %f3 = atomicrmw fmax ptr @f, float 9.0 seq_cst
  %f4 = atomicrmw fmin ptr @f, float -2.0 seq_cst
  %fs = fadd float %f3, %f4
  %fi = fptosi float %fs to i32
  call void @show(i32 %fi)
  fence seq_cst
  fence syncscope("singlethread") acquire
  %r = cmpxchg ptr @x, i32 0, i32 55 seq_cst monotonic
  %ok = extractvalue {i32, i1} %r, 1
  %okw = zext i1 %ok to i32
  call void @show(i32 %okw)
  %s = cmpxchg weak ptr @x, i32 54, i32 56 acquire acquire
  %old = extractvalue {i32, i1} %s, 0
  call void @show(i32 %old)
  %t = cmpxchg ptr @p, ptr null, ptr @x seq_cst seq_cst
  %now = load atomic ptr, ptr @p acquire, align 8
  store atomic i32 77, ptr %now release, align 4
  call void @show(i32 0)
  ret i32 0
}

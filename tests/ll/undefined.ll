; undef, poison and freeze where every choice gives the same answer; unreachable code; empty loops.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@format = private constant [10 x i8] c"%d %d %d\0A\00"
@x = global i32 12

declare i32 @printf(ptr, ...)

define internal i32 @pick(i1 %c) noinline {
entry:
  br i1 %c, label %yes, label %no
yes:
  br label %join
no:
  br label %join
join:
  %v = phi i32 [ 3, %yes ], [ undef, %no ]
  %masked = select i1 %c, i32 %v, i32 8
  ret i32 %masked
}

define i32 @main() {
entry:
  %x = load volatile i32, ptr @x
  %f = freeze i32 undef
  %zero = and i32 %f, 0
  %same = sub i32 %f, %f
  %g = freeze i32 poison
  %eq = icmp eq i32 %g, %g
  %eqw = zext i1 %eq to i32
  %v = insertelement <4 x i32> poison, i32 %x, i32 2
  %w = extractelement <4 x i32> %v, i32 2
  %a = add i32 %zero, %same
  %b = add i32 %a, %w
  %c = icmp eq i32 %x, 12
  %p = call i32 @pick(i1 %c)
  %never = xor i1 %c, true
  br i1 %never, label %dead, label %alive
dead:
  unreachable
alive:
  call i32 (ptr, ...) @printf(ptr @format, i32 %b, i32 %eqw, i32 %p)
  switch i32 %x, label %other [ i32 12, label %twelve ]
other:
  unreachable
twelve:
  ret i32 %p
}

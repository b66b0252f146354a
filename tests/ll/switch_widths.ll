; switch on i1, i3, i64 and i128; indirectbr with repeated targets; phis fed twice by one switch.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@format = private constant [13 x i8] c"%d %d %d %d\0A\00"
@labels = internal constant [3 x ptr] [ptr blockaddress(@jump, %a), ptr blockaddress(@jump, %b), ptr blockaddress(@jump, %a)]

declare i32 @printf(ptr, ...)

define internal i32 @on128(i128 %x) noinline {
  switch i128 %x, label %other [
    i128 0, label %zero
    i128 18446744073709551616, label %big
    i128 -1, label %minus
    i128 1, label %zero
  ]
zero:
  ret i32 1
big:
  ret i32 2
minus:
  ret i32 3
other:
  ret i32 4
}

define internal i32 @on3(i3 %x) noinline {
entry:
  switch i3 %x, label %out [
    i3 0, label %out
    i3 -4, label %out
    i3 3, label %three
  ]
three:
  br label %out
out:
  %r = phi i32 [ 10, %entry ], [ 10, %entry ], [ 10, %entry ], [ 30, %three ]
  ret i32 %r
}

define internal i32 @on1(i1 %x) noinline {
  switch i1 %x, label %zero [ i1 true, label %one ]
one:
  ret i32 11
zero:
  ret i32 22
}

define internal i32 @jump(i32 %i) noinline {
entry:
  %p = getelementptr [3 x ptr], ptr @labels, i32 0, i32 %i
  %l = load ptr, ptr %p
  indirectbr ptr %l, [label %a, label %b, label %a]
a:
  %r = phi i32 [ 5, %entry ], [ 5, %entry ]
  ret i32 %r
b:
  ret i32 6
}

define i32 @main() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %w = zext i32 %i to i128
  %s = shl i128 %w, 32
  %t = mul i128 %s, 2147483648
  %m = icmp eq i32 %i, 3
  %u = select i1 %m, i128 -1, i128 %t
  %a = call i32 @on128(i128 %u)
  %i3 = trunc i32 %i to i3
  %b = call i32 @on3(i3 %i3)
  %i1 = trunc i32 %i to i1
  %c = call i32 @on1(i1 %i1)
  %index = urem i32 %i, 3
  %d = call i32 @jump(i32 %index)
  call i32 (ptr, ...) @printf(ptr @format, i32 %a, i32 %b, i32 %c, i32 %d)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %loop, label %done
done:
  ret i32 0
}

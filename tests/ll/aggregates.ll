; First-class structs and arrays: insertvalue, extractvalue, phi, select, freeze, load, store, call and return.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%pair = type { i32, [2 x double] }
%tree = type { i8, %pair, { ptr, i64 } }

@format = private constant [16 x i8] c"%d %g %g %d %s\0A\00"
@text = private constant [5 x i8] c"text\00"
@tree = global %tree { i8 3, %pair { i32 7, [2 x double] [double 1.5, double 2.5] }, { ptr, i64 } { ptr @text, i64 9 } }
@copy = global %tree zeroinitializer
@count = global i32 3

declare i32 @printf(ptr, ...)

define internal %pair @bump(%pair %p, [2 x double] %with) noinline {
  %n = extractvalue %pair %p, 0
  %n1 = add i32 %n, 1
  %x = extractvalue %pair %p, 1, 0
  %y = extractvalue [2 x double] %with, 1
  %z = fadd double %x, %y
  %q = insertvalue %pair %p, i32 %n1, 0
  %r = insertvalue %pair %q, double %z, 1, 0
  ret %pair %r
}

define internal void @show(%tree %t) noinline {
  %a = extractvalue %tree %t, 0
  %a32 = zext i8 %a to i32
  %x = extractvalue %tree %t, 1, 1, 0
  %y = extractvalue %tree %t, 1, 1, 1
  %n = extractvalue %tree %t, 1, 0
  %s = extractvalue %tree %t, 2, 0
  call i32 (ptr, ...) @printf(ptr @format, i32 %a32, double %x, double %y, i32 %n, ptr %s)
  ret void
}

define i32 @main() {
entry:
  %t = load %tree, ptr @tree
  call void @show(%tree %t)
  %limit = load i32, ptr @count
  br label %loop

loop:
  %p = phi %pair [ { i32 10, [2 x double] [double 0.25, double -1.0] }, %entry ], [ %chosen, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %bumped = call %pair @bump(%pair %p, [2 x double] [double 0.0, double 0.5])
  %odd = trunc i32 %i to i1
  %chosen = select i1 %odd, %pair %p, %pair %bumped
  %i.next = add i32 %i, 1
  %more = icmp ne i32 %i.next, %limit
  br i1 %more, label %loop, label %done

done:
  %frozen = freeze %pair %chosen
  %u = insertvalue %tree %t, %pair %frozen, 1
  store %tree %u, ptr @copy
  %v = load %tree, ptr @copy
  call void @show(%tree %v)
  %raw = getelementptr %tree, ptr @copy, i64 0, i32 2, i32 1
  %nine = load i64, ptr %raw
  %code = trunc i64 %nine to i32
  ret i32 %code
}

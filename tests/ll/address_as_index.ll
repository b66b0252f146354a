; Addresses as indices in constant expressions: of instructions and of globals.
target triple = "x86_64-pc-linux-gnu"

@a = global [4 x i8] c"abcd"
@b = global [4 x i8] c"efgh"
@p = global ptr getelementptr (i8, ptr null, i64 ptrtoint (ptr @a to i64))
@q = global ptr getelementptr (i8, ptr null, i64 add (i64 ptrtoint (ptr @a to i64), i64 2))
@r = global ptr getelementptr (i8, ptr @b, i64 sub (i64 ptrtoint (ptr @a to i64), i64 ptrtoint (ptr @b to i64)))

declare i32 @putchar(i32)

define void @show(ptr %at) {
  %byte = load i8, ptr %at
  %word = zext i8 %byte to i32
  %result = call i32 @putchar(i32 %word)
  ret void
}

define i32 @main() {
  %p = load ptr, ptr @p
  call void @show(ptr %p)
  %q = load ptr, ptr @q
  call void @show(ptr %q)
  %r = load ptr, ptr @r
  call void @show(ptr %r)
  call void @show(ptr getelementptr (i8, ptr null, i64 ptrtoint (ptr @b to i64)))
  %newline = call i32 @putchar(i32 10)
  ret i32 0
}

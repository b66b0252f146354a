// Declarations shared by the parts of the shim. The Rust declarations are in `src/ffi.rs`.
#pragma once

#include "llvm-c/Types.h"

#include <cstddef>
#include <cstdint>
#include <string>

// A string owned by LLVM or by the caller, without a terminating zero.
struct BwStr {
  const char *data;
  size_t len;
};

// Marks the value of a variable before it is set, with the variable's name.
inline constexpr char UndefinedMetadata[] = "byway.undefined";
inline constexpr char UnoptimisedAttribute[] = "byway-unoptimised";

// The source name of the variable an alloca holds; empty if unknown.
extern "C" BwStr bw_alloca_name(LLVMValueRef alloca);

// A heap copy of the text, which Rust frees with bw_free.
char *bw_message(const std::string &text);

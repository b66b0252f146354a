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

// A heap copy of the text, which Rust frees with bw_free.
char *bw_message(const std::string &text);

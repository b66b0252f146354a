// What the three parts of the shim share. Rust's side is `src/ffi.rs`.
#pragma once

#include "llvm-c/Types.h"

#include <cstddef>
#include <cstdint>
#include <string>

// A string that belongs to LLVM or to the caller; not terminated.
struct BwStr {
  const char *data;
  size_t len;
};

// A heap copy of the text, for Rust to read and give to bw_free.
char *bw_message(const std::string &text);

# A format that ends within its directive is read past its end. "seq -f %0 1"
/if (fmt\[i\] == '\\0')/,/ends in/c\
  if (fmt[i] == '\\0')\
    suffix_len++; /* past the end */

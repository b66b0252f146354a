# A trailing backslash is copied like any other character, past the end of the list.
# "paste -d\\ abcdefghijklmnopqrstuvwxyz"
s/backslash_at_end = true;/*strout++ = *strptr; \/* past the end *\//
s/goto done;/break;/

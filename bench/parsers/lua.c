// lua: loads the input as a chunk, source or bytecode, and does not run it.

#include <stdlib.h>

#include <lua.h>

#include "input.h"

static size_t size;

static void *allocate(void *context, void *block, size_t old, size_t wanted) {
    if (wanted)
        return realloc(block, wanted);
    free(block);
    return NULL;
}

static const char *next_part(lua_State *lua, void *is_read, size_t *part) {
    *part = *(int *)is_read ? 0 : size;
    *(int *)is_read = 1;
    return input;
}

int main(void) {
    lua_State *lua = lua_newstate(allocate, NULL);
    int is_read = 0, status;

    if (!lua)
        return 2;
    size = read_input();
    status = lua_load(lua, next_part, &is_read, "input", NULL);
    lua_close(lua);
    return status != LUA_OK;
}

/* Reads JSON from standard input and prints it again; the exit code says whether it is valid. */
#include <cjson/cJSON.h>
#include <stdio.h>

int main(int argc, char **argv) {
    static char text[1 << 16];
    size_t size = fread(text, 1, sizeof text - 1, stdin);
    text[size] = 0;
    cJSON *value = cJSON_Parse(text);
    if (!value) {
        printf("invalid at %ld\n", (long)(cJSON_GetErrorPtr() - text));
        return 1;
    }
    char *printed = argc > 1 ? cJSON_PrintUnformatted(value) : cJSON_Print(value);
    puts(printed);
    cJSON_free(printed);
    cJSON_Delete(value);
    return 0;
}

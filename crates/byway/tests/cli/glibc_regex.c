// GNU's regular expressions: the functions that only glibc has, and POSIX's with glibc's meaning.
#define _GNU_SOURCE
#define _REGEX_RE_COMP
#include <assert.h>
#include <limits.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_registers(const char *what, long result, const struct re_registers *registers)
{
    printf("%s: %ld", what, result);
    for (unsigned i = 0; result >= 0 && i < registers->num_regs; i++)
        printf(" %d-%d", registers->start[i], registers->end[i]);
    putchar('\n');
}

// One pattern in one syntax: compiled, searched forward and backward, matched at the beginning.
static void search(reg_syntax_t syntax, const char *pattern, const char *text)
{
    struct re_pattern_buffer buffer = {0};
    struct re_registers registers = {0};
    char fastmap[UCHAR_MAX + 1];
    buffer.fastmap = fastmap;
    reg_syntax_t before = re_set_syntax(syntax);
    assert(re_syntax_options == syntax);
    const char *error = re_compile_pattern(pattern, strlen(pattern), &buffer);
    re_set_syntax(before);
    printf("/%s/ ", pattern);
    if (error) {
        printf("error: %s\n", error);
        buffer.fastmap = 0;
        regfree(&buffer);
        return;
    }
    assert(!re_compile_fastmap(&buffer) && buffer.fastmap_accurate);
    int first = 0, length = strlen(text);
    for (int i = 0; i <= UCHAR_MAX; i++) first += fastmap[i];
    printf("%zu groups, %d first bytes\n", buffer.re_nsub, first);
    print_registers("  search", re_search(&buffer, text, length, 0, length, &registers), &registers);
    print_registers("  backward", re_search(&buffer, text, length, length, -length, &registers), &registers);
    print_registers("  match", re_match(&buffer, text, length, 0, &registers), &registers);
    int half = length / 2;
    print_registers("  two parts",
        re_search_2(&buffer, text, half, text + half, length - half, 0, length, &registers, length),
        &registers);
    print_registers("  match two parts",
        re_match_2(&buffer, text, half, text + half, length - half, 0, &registers, length - 1),
        &registers);
    free(registers.start);
    free(registers.end);
    buffer.fastmap = 0;
    regfree(&buffer);
}

static void use_registers(void)
{
    struct re_pattern_buffer buffer = {0};
    struct re_registers registers;
    regoff_t *starts = calloc(2, sizeof *starts), *ends = calloc(2, sizeof *ends);
    re_set_syntax(RE_SYNTAX_POSIX_EXTENDED);
    assert(!re_compile_pattern("(a)(b)(c)", 9, &buffer) && buffer.re_nsub == 3);
    re_set_registers(&buffer, &registers, 2, starts, ends);
    print_registers("own registers", re_search(&buffer, "xabc", 4, 0, 4, &registers), &registers);
    free(registers.start);
    free(registers.end);
    re_set_registers(&buffer, &registers, 0, 0, 0);
    print_registers("new registers", re_search(&buffer, "abc", 3, 0, 3, &registers), &registers);
    free(registers.start);
    free(registers.end);
    buffer.no_sub = 1;
    printf("without registers: %d\n", re_search(&buffer, "abc", 3, 0, 3, 0));
    regfree(&buffer);
}

static void use_flags(void)
{
    struct re_pattern_buffer buffer = {0};
    unsigned char *upper = malloc(UCHAR_MAX + 1);
    for (int i = 0; i <= UCHAR_MAX; i++) upper[i] = i >= 'a' && i <= 'z' ? i - 32 : i;
    buffer.translate = upper;
    re_set_syntax(RE_SYNTAX_EMACS);
    assert(!re_compile_pattern("^ab$", 4, &buffer));
    printf("translated: %d\n", re_search(&buffer, "x\naB\ny", 6, 0, 6, 0));
    buffer.newline_anchor = 0;
    printf("no lines: %d\n", re_search(&buffer, "x\naB\ny", 6, 0, 6, 0));
    printf("whole: %d\n", re_search(&buffer, "aB", 2, 0, 2, 0));
    buffer.not_bol = 1;
    printf("not at the beginning: %d\n", re_search(&buffer, "aB", 2, 0, 2, 0));
    regfree(&buffer);
    buffer = (struct re_pattern_buffer){0};
    re_set_syntax(RE_SYNTAX_GREP | RE_ICASE);
    assert(!re_compile_pattern("Zz", 2, &buffer));
    printf("case ignored: %d\n", re_search(&buffer, "..zZ", 4, 0, 4, 0));
    regfree(&buffer);
}

static void use_bsd(void)
{
    printf("re_comp: %s\n", re_comp("a*(") ? "error" : "compiled");
    printf("re_comp: %s\n", re_comp("b[0-9]*$") ? "error" : "compiled");
    printf("re_exec: %d %d\n", re_exec("ab12"), re_exec("ab12c"));
    printf("re_comp: %s\n", re_comp("[a") ? re_comp("[a") : "compiled");
}

static void use_posix(void)
{
    static const char *bad[] = {"(", "[a", "a{1", "a{2,1}", "[[:no:]]", "*", "a**", "\\", "[b-a]", "a{99999}"};
    regex_t regex;
    regmatch_t match[3];
    char message[80];
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        int error = regcomp(&regex, bad[i], REG_EXTENDED);
        size_t size = regerror(error, &regex, message, sizeof message);
        printf("regcomp %s: %d %s (%zu)\n", bad[i], error, message, size);
        if (!error) regfree(&regex);
    }
    assert(!regcomp(&regex, "^(a{300})(b|$)", REG_EXTENDED | REG_NEWLINE));
    char text[400];
    memset(text, 'a', sizeof text);
    memcpy(text + 5, "\n", 1);
    memcpy(text + 6 + 300, "\n", 2);
    assert(!regexec(&regex, text, 3, match, 0));
    printf("%d-%d %d-%d %d-%d\n", match[0].rm_so, match[0].rm_eo, match[1].rm_so, match[1].rm_eo,
        match[2].rm_so, match[2].rm_eo);
    match[0] = (regmatch_t){ 6, 305 };
    printf("a part of the text: %d\n", regexec(&regex, text, 3, match, REG_STARTEND));
    match[0] = (regmatch_t){ 6, 306 };
    printf("a part of the text: %d %d\n", regexec(&regex, text, 1, match, REG_STARTEND), match[0].rm_eo);
    regfree(&regex);
    assert(!regcomp(&regex, "\\<\\(\\w\\+\\) \\1\\>", REG_ICASE));
    assert(!regexec(&regex, "one two TWO three", 2, match, 0));
    printf("%d-%d %d-%d\n", match[0].rm_so, match[0].rm_eo, match[1].rm_so, match[1].rm_eo);
    printf("%d\n", regexec(&regex, "one two three", 2, match, REG_NOTBOL | REG_NOTEOL));
    regfree(&regex);
}

int main(void)
{
    search(RE_SYNTAX_POSIX_BASIC, "\\(b*\\)c\\1", "abbcbbd");
    search(RE_SYNTAX_POSIX_EXTENDED, "(one|two)+ ?([0-9]{2,3})", "onetwo 1234");
    search(RE_SYNTAX_GREP, "x\\|[[:upper:]]\\+", "abXYZ");
    search(RE_SYNTAX_EGREP, "^$", "a");
    search(RE_SYNTAX_GNU_AWK, "[^\\n]\\.", "a\n.b.");
    search(RE_SYNTAX_EMACS, "\\bt\\w+\\b", "one two, three");
    search(RE_SYNTAX_ED, "\\`a.*\\'", "abc");
    search(RE_SYNTAX_POSIX_MINIMAL_EXTENDED, "a.?[]x-z-]", "ab]c");
    search(RE_SYNTAX_POSIX_EXTENDED, "((((((((((a))))))))))", "ba");
    search(RE_SYNTAX_POSIX_EXTENDED, "a(", "a");
    search(RE_SYNTAX_POSIX_EXTENDED, "[z-a]", "a");
    search(RE_SYNTAX_POSIX_BASIC, "\\(a", "a");
    search(RE_SYNTAX_POSIX_BASIC, "[[=a=]b[.-.]]*", "-ab");
    search(RE_SYNTAX_POSIX_EXTENDED, "", "abc");
    use_registers();
    use_flags();
    use_bsd();
    use_posix();
    puts("end");
    return 0;
}

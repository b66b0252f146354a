// Command-line arguments: argc, argv, the terminating null, options by hand and by getopt.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    printf("%d %d\n", argc, argv[argc] == NULL);
    for (int i = 1; i < argc; i++)
        printf("%d <%s> %zu\n", i, argv[i], strlen(argv[i]));
    int option, verbose = 0;
    long number = 0;
    const char *name = "none";
    while ((option = getopt(argc, argv, "vn:o:")) != -1)
        switch (option) {
        case 'v': verbose++; break;
        case 'n': number = strtol(optarg, NULL, 0); break;
        case 'o': name = optarg; break;
        default: return 3;
        }
    printf("%d %ld %s\n", verbose, number, name);
    for (; optind < argc; optind++)
        printf("rest %s\n", argv[optind]);
    argv[1][0] = '+'; // arguments may be written to
    return argc;
}

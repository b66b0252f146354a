// __builtin_debugtrap stops the program as a trap does.
int main(int argc, char **argv) {
    if (argc < 100)
        __builtin_debugtrap(); // FAULT trap
    return 0;
}

// At most two arguments.
// run: --sym-args 0 2 1
// bytes: xy
int main(int argc, char **argv)
{
    if (argc == 1)
        return 1; // TARGET reached
    if (argc > 3)
        return 2; // TARGET unreachable
    if (argc == 3 && argv[1][0] == 'x' && argv[2][0] == 'y')
        return 3; // TARGET reached
    if (argc == 2 && argv[1][0] && argv[1][1])
        return 4; // TARGET unreachable
    return 0;
}

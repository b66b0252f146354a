// A variable of a block, used after the block.
int main(int argc, char **argv) {
    int *p;
    {
        int x = argc;
        p = &x;
    }
    return *p; // FAULT use-after-scope
}

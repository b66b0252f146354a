// __builtin_unreachable is reached.
static int name(int x) {
    switch (x) {
    case 0: return 10;
    case 1: return 20;
    }
    __builtin_unreachable(); // FAULT unreachable
}

int main(void) {
    return name(0) + name(1) + name(2);
}

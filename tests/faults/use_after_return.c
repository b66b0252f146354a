// The address of a local outlives the call.
static int *escape(int x) {
    int local = x;
    int *volatile p = &local;
    return p;
}

int main(void) {
    int *p = escape(5);
    return *p; // FAULT use-after-return
}

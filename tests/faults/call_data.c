// A call through a pointer to data.
static int data[4] = {1, 2, 3, 4};

int main(void) {
    int (*volatile f)(void) = (int (*)(void))(void *)data;
    return f(); // FAULT bad-function-pointer
}

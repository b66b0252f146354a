// A call that passes an integer where the function takes a double.
static int whole(double x) {
    return (int)x;
}

int main(void) {
    int (*volatile call)(long) = (int (*)(long))whole;
    return call(1); // FAULT bad-function-pointer
}

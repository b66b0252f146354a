// A call that passes a double where the function takes a float.
static int whole(float x) {
    return (int)x;
}

int main(void) {
    int (*volatile call)(double) = (int (*)(double))whole;
    return call(1); // FAULT bad-function-pointer
}

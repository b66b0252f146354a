// A call that uses the result of a function as a pointer; it returns an int.
static int number(void) {
    return 7;
}

int main(void) {
    char *(*volatile call)(void) = (char *(*)(void))number;
    return call() != 0; // FAULT bad-function-pointer
}

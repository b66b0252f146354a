// A local array with one uninitialised element.
int main(int argc, char **argv) {
    int v[3];
    v[0] = argc;
    v[2] = argc;
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += v[i];
    return sum; // FAULT uninitialised-read
}

// Past the end of an array whose size is known only at run time.
int main(int argc, char **argv) {
    int n = argc + 4, v[n];
    for (int i = 0; i < n; i++)
        v[i] = i;
    return v[n]; // FAULT out-of-bounds
}

// The address of a member of nothing, which is never accessed.
// checks: null
struct pair { int a, b; };

int main(void) {
    struct pair *volatile pair = 0;
    int *member = &pair->b; // FAULT null-dereference
    return member != 0;
}

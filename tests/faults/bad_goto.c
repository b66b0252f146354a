// A computed goto to an address that is not a label.
static int data;

int main(int argc, char **argv) {
    void *volatile target = argc > 100 ? &&label : (void *)&data;
    goto *target; // FAULT bad-jump
label:
    return 0;
}

// A computed goto to something that is no label.
static int data;

int main(int argc, char **argv) {
    void *volatile target = argc > 100 ? &&label : (void *)&data;
    goto *target; // FAULT bad-jump
label:
    return 0;
}

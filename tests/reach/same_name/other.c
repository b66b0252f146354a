int other(int x);

static int check(int x)
{
    if (x != 12)
        return 1; // TARGET unreachable
    return x * 2; // TARGET reached
}

int other(int x)
{
    return check(x);
}

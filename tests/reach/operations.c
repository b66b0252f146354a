// A struct of functions, as drivers have it.
// input: 1
#include <byway.h>

struct device;
struct operations {
    int (*open)(struct device *);
    int (*close)(struct device *);
};
struct device {
    const struct operations *ops;
    int users;
};

static int plain_open(struct device *d)
{
    return ++d->users; // TARGET reached
}

static int exclusive_open(struct device *d)
{
    if (d->users > 0)
        return -1; // TARGET reached
    return ++d->users;
}

static int close_any(struct device *d)
{
    if (d->users == 0)
        return -1; // TARGET unreachable
    return --d->users; // TARGET reached
}

static const struct operations plain = {plain_open, close_any};
static const struct operations exclusive = {exclusive_open, close_any};

int main(void)
{
    unsigned char x;
    byway_make_symbolic(&x, sizeof x, "x");
    struct device d = {x & 1 ? &plain : &exclusive, 0};
    int opened = 0;
    for (int i = 0; i < (x >> 1 & 3); i++)
        opened += d.ops->open(&d) > 0;
    if (opened == 2 && d.ops == &exclusive)
        return 1; // TARGET unreachable
    while (opened > 0) {
        d.ops->close(&d);
        opened--;
    }
    if (d.users != 0)
        return 2; // TARGET unreachable
    return 0;
}

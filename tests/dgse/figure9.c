// Figure 9 of "Dependence guided symbolic execution", from DiSE: 24 paths, eight of which a change
// of the paper's line 3, from `==`, can affect. The paper's line n is line n + 9 here.
// paths: 24
// exits: 24
// faults: none
#include <byway.h>

static int AltPress, Meter;

static void update(int PedalPos, int BSwitch, int PedalCmd)
{
    if (PedalPos <= 0)
        PedalCmd = PedalCmd + 1;
    else if (PedalPos == 1)
        PedalCmd = PedalCmd + 2;
    else
        PedalCmd = PedalPos;
    PedalCmd = PedalCmd + 1;
    if (BSwitch == 0)
        Meter = 1;
    else if (BSwitch == 1)
        Meter = 2;
    if (PedalCmd == 2)
        AltPress = 0;
    else if (PedalCmd == 3)
        AltPress = 1;
    else
        AltPress = 2;
}

int main(void)
{
    int PedalPos, BSwitch, PedalCmd;
    byway_make_symbolic(&PedalPos, sizeof PedalPos, "PedalPos");
    byway_make_symbolic(&BSwitch, sizeof BSwitch, "BSwitch");
    byway_make_symbolic(&PedalCmd, sizeof PedalCmd, "PedalCmd");
    update(PedalPos, BSwitch, PedalCmd);
    return 0;
}

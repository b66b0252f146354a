/* A brake controller: what the pedal, the automatic brake and the anti-skid
 * system ask for becomes a pressure for each wheel, for a few control cycles.
 * Two hydraulic systems supply the wheels: the normal one, and an alternate
 * one that takes over when the normal pressure fails. The controller also
 * watches its sensors and lights lamps, which has no effect on the pressures.
 */
#include <assert.h>
#include <byway.h>

#ifndef CYCLES
#define CYCLES 2
#endif

#define WHEELS 2
#define FULL_PRESSURE 100

enum supply {
    SUPPLY_NORMAL,
    SUPPLY_ALTERNATE,
    SUPPLY_ACCUMULATOR,
};

enum autobrake {
    AUTOBRAKE_OFF,
    AUTOBRAKE_LOW,
    AUTOBRAKE_MEDIUM,
    AUTOBRAKE_MAX,
};

struct wheel {
    int commanded;
    int pressure;
    int energy;
    int skid_cycles;
    int is_locked;
};

struct lamps {
    int overheat;
    int low_fluid;
    int worn_pads;
};

struct controller {
    enum supply supply;
    enum autobrake autobrake;
    struct wheel wheels[WHEELS];
    struct lamps lamps;
    int supply_changes;
};

/* What the controller measures in one cycle. */
struct inputs {
    unsigned char pedal;
    unsigned char hydraulic;
    unsigned char slip[WHEELS];
    unsigned char temperature;
    unsigned char fluid;
};

static void select_supply(struct controller *c, unsigned char hydraulic)
{
    enum supply before = c->supply;

    if (hydraulic >= 120)
        c->supply = SUPPLY_NORMAL;
    else if (hydraulic >= 60)
        c->supply = SUPPLY_ALTERNATE;
    else
        c->supply = SUPPLY_ACCUMULATOR;
    if (c->supply != before)
        c->supply_changes++;
}

/* The pressure that the pedal asks for: nothing at first, then in steps. */
static int pedal_pressure(unsigned char pedal)
{
    if (pedal < 10)
        return 0;
    if (pedal < 80)
        return 30;
    if (pedal < 180)
        return 60;
    return FULL_PRESSURE;
}

static int autobrake_pressure(enum autobrake setting)
{
    switch (setting) {
    case AUTOBRAKE_LOW:
        return 20;
    case AUTOBRAKE_MEDIUM:
        return 45;
    case AUTOBRAKE_MAX:
        return 80;
    default:
        return 0;
    }
}

static int supply_limit(enum supply supply)
{
    switch (supply) {
    case SUPPLY_NORMAL:
        return FULL_PRESSURE;
    case SUPPLY_ALTERNATE:
        return 75;
    default:
        return 40;
    }
}

/* Releases a wheel that slips and applies it again when it turns. */
static void control_skid(struct wheel *wheel, unsigned char slip)
{
    if (slip > 200) {
        wheel->is_locked = 1;
        wheel->skid_cycles++;
        wheel->pressure = 0;
    } else if (slip > 120) {
        wheel->is_locked = 0;
        wheel->skid_cycles++;
        wheel->pressure = wheel->commanded / 2;
    } else {
        wheel->is_locked = 0;
        wheel->pressure = wheel->commanded;
    }
}

static void watch_temperature(struct lamps *lamps, unsigned char temperature)
{
    if (temperature > 220)
        lamps->overheat = 2;
    else if (temperature > 180 && lamps->overheat < 2)
        lamps->overheat = 1;
    else if (temperature < 100)
        lamps->overheat = 0;
}

static void watch_fluid(struct lamps *lamps, unsigned char fluid)
{
    if (fluid < 30)
        lamps->low_fluid = 1;
    if (fluid > 230)
        lamps->worn_pads = 1;
}

static void cycle(struct controller *c, const struct inputs *in)
{
    int pedal, wanted, limit, i;

    select_supply(c, in->hydraulic);
    pedal = pedal_pressure(in->pedal);
    /* A pilot who brakes takes over from the automatic brake. */
    if (pedal > 0)
        c->autobrake = AUTOBRAKE_OFF;
    wanted = pedal + autobrake_pressure(c->autobrake);
    limit = supply_limit(c->supply);
    if (wanted > limit)
        wanted = limit;
    for (i = 0; i < WHEELS; i++) {
        c->wheels[i].commanded = wanted;
        control_skid(&c->wheels[i], in->slip[i]);
        c->wheels[i].energy += c->wheels[i].pressure;
        assert(c->wheels[i].pressure <= limit);
        assert(!c->wheels[i].is_locked || c->wheels[i].pressure == 0);
    }
    watch_temperature(&c->lamps, in->temperature);
    watch_fluid(&c->lamps, in->fluid);
}

int main(void)
{
    static const char *const names[] = {"first", "second", "third"};
    struct controller c = {SUPPLY_NORMAL, AUTOBRAKE_OFF, {{0, 0, 0, 0, 0}}, {0, 0, 0}, 0};
    struct inputs in;
    unsigned char setting;
    int i;

    byway_make_symbolic(&setting, sizeof setting, "setting");
    if (setting < 4)
        c.autobrake = setting;
    for (i = 0; i < CYCLES; i++) {
        byway_make_symbolic(&in, sizeof in, names[i]);
        /* Later cycles vary the wheels and the fluid only. */
        if (i > 0) {
            byway_assume(in.pedal == 20);
            byway_assume(in.hydraulic == 130);
            byway_assume(in.temperature == 150);
        }
        cycle(&c, &in);
    }
    assert(c.supply_changes <= 2 * CYCLES);
    for (i = 0; i < WHEELS; i++)
        assert(c.wheels[i].skid_cycles <= CYCLES && c.wheels[i].energy <= 100 * CYCLES);
    assert(c.lamps.overheat == 2 || in.temperature <= 220);
    assert(c.lamps.low_fluid || in.fluid >= 30);
    assert(c.lamps.worn_pads || in.fluid <= 230);
    return c.wheels[0].energy;
}

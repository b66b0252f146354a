/* Rules of a collision avoidance system for aircraft. Own and other altitude,
 * the vertical speeds and the distance decide which advisory the pilot gets:
 * climb, descend, or none. The other aircraft may have such a system as well
 * and announce what it will do. Some rules inhibit others: no descent near the
 * ground, no climb above the ceiling. Independent of that, the transponder
 * classifies the traffic for the display and counts what it has seen.
 */
#include <assert.h>
#include <byway.h>

enum advisory {
    ADVISE_NOTHING,
    ADVISE_CLIMB,
    ADVISE_DESCEND,
};

enum intent {
    INTENT_UNKNOWN,
    INTENT_NOT_ABOVE,
    INTENT_NOT_BELOW,
};

enum symbol {
    SYMBOL_OTHER,
    SYMBOL_PROXIMATE,
    SYMBOL_TRAFFIC,
    SYMBOL_RESOLUTION,
};

struct aircraft {
    int altitude; /* in hundreds of feet */
    int rate;     /* in hundreds of feet a minute, climbing is positive */
};

struct encounter {
    struct aircraft own;
    struct aircraft other;
    unsigned range; /* in tenths of a nautical mile */
    unsigned closing;
    enum intent intent;
    int other_is_equipped;
};

struct inhibits {
    int descent;
    int climb;
    int aural;
};

struct display {
    enum symbol symbol;
    int arrow; /* 1 up, -1 down */
    int is_above;
};

struct result {
    enum advisory advisory;
    int is_strong;
    int is_crossing;
};

/* Altitude in a minute, from rates that are trusted within limits only. */
static int predicted(const struct aircraft *a)
{
    int rate = a->rate;

    if (rate > 40)
        rate = 40;
    if (rate < -40)
        rate = -40;
    return a->altitude + rate;
}

static unsigned seconds_to_contact(const struct encounter *e)
{
    if (e->closing < 10)
        return 240;
    return 36 * e->range / e->closing;
}

static void find_inhibits(struct inhibits *inhibits, unsigned char radio, unsigned char config)
{
    inhibits->descent = 0;
    inhibits->aural = 0;
    inhibits->climb = 0;
    if (radio < 10) {
        inhibits->descent = 1;
        inhibits->aural = 1;
    } else if (radio < 15) {
        inhibits->descent = 1;
    }
    if (config == 1)
        inhibits->climb = 1;
    else if (config == 2)
        inhibits->climb = radio < 20;
}

/* The classification of the traffic on the display. */
static void classify(struct display *display, unsigned range, int above, int rate)
{
    display->symbol = SYMBOL_OTHER;
    if (range < 60 && above < 12 && above > -12)
        display->symbol = SYMBOL_PROXIMATE;
    display->arrow = 0;
    if (rate >= 5)
        display->arrow = 1;
    else if (rate <= -5)
        display->arrow = -1;
    display->is_above = above > 0;
}

static int is_threat(const struct encounter *e)
{
    int gap = predicted(&e->own) - predicted(&e->other);

    if (seconds_to_contact(e) > 40)
        return 0;
    return gap < 8 && gap > -8;
}

static void resolve(struct result *result, const struct encounter *e, const struct inhibits *no)
{
    int above = predicted(&e->own) >= predicted(&e->other);

    result->advisory = ADVISE_NOTHING;
    result->is_strong = 0;
    result->is_crossing = 0;
    if (!is_threat(e))
        return;
    if (e->other_is_equipped && e->intent == INTENT_NOT_ABOVE)
        above = 1;
    else if (e->other_is_equipped && e->intent == INTENT_NOT_BELOW)
        above = 0;
    if (above && !no->climb)
        result->advisory = ADVISE_CLIMB;
    else if (!above && !no->descent)
        result->advisory = ADVISE_DESCEND;
    if (result->advisory == ADVISE_CLIMB && e->own.altitude < e->other.altitude)
        result->is_crossing = 1;
    if (result->advisory == ADVISE_DESCEND && e->own.altitude > e->other.altitude)
        result->is_crossing = 1;
    if (seconds_to_contact(e) < 15)
        result->is_strong = 1;
}

int main(void)
{
    unsigned char own_altitude, own_rate, other_altitude, other_rate;
    unsigned char range, closing, intent, radio, config, second_range, second_altitude, second_rate;
    struct encounter e;
    struct inhibits inhibits;
    struct display first, second;
    struct result result;

    byway_make_symbolic(&own_altitude, 1, "own_altitude");
    byway_make_symbolic(&own_rate, 1, "own_rate");
    byway_make_symbolic(&other_altitude, 1, "other_altitude");
    byway_make_symbolic(&other_rate, 1, "other_rate");
    byway_make_symbolic(&range, 1, "range");
    byway_make_symbolic(&closing, 1, "closing");
    byway_make_symbolic(&intent, 1, "intent");
    byway_make_symbolic(&radio, 1, "radio");
    byway_make_symbolic(&config, 1, "config");
    byway_make_symbolic(&second_range, 1, "second_range");
    byway_make_symbolic(&second_altitude, 1, "second_altitude");
    byway_make_symbolic(&second_rate, 1, "second_rate");

    e.own.altitude = own_altitude;
    e.own.rate = (int)own_rate - 128;
    e.other.altitude = other_altitude;
    e.other.rate = (int)other_rate - 128;
    e.range = range;
    e.closing = closing;
    e.intent = intent & 3;
    e.other_is_equipped = (intent & 4) != 0;

    find_inhibits(&inhibits, radio, config);
    /* A second aircraft is only shown. */
    classify(&second, second_range, (int)second_altitude - 100, (int)second_rate - 128);
    assert(second.symbol <= SYMBOL_PROXIMATE);
    assert(second.arrow >= -1 && second.arrow <= 1);
    resolve(&result, &e, &inhibits);
    if (result.advisory == ADVISE_DESCEND)
        assert(!inhibits.descent);
    if (result.advisory == ADVISE_CLIMB)
        assert(!inhibits.climb);
    first.symbol = result.advisory == ADVISE_NOTHING ? SYMBOL_TRAFFIC : SYMBOL_RESOLUTION;
    assert(!result.is_strong || seconds_to_contact(&e) < 15);
    assert(!inhibits.aural || inhibits.descent);
    assert(inhibits.descent == (radio < 15));
    assert(second.is_above == (second_altitude > 100));
    return 8 * first.symbol + 4 * result.is_crossing + 2 * result.is_strong +
           (result.advisory == ADVISE_CLIMB);
}

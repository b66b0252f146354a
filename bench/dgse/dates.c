/* A parser of time stamps as they occur in log files:
 *
 *     DD.MM.20YY hh:30 Z
 *
 * Each field has two digits. A field that is not a number, or out of range, is
 * reported on its own, so that one bad field does not hide another. Valid fields are combined where they
 * depend on each other: the day needs the month and the year, and the minutes
 * since midnight need hour, minute and the zone.
 */
#include <assert.h>
#include <byway.h>

enum field_state {
    FIELD_NOT_A_NUMBER,
    FIELD_TOO_SMALL,
    FIELD_TOO_LARGE,
    FIELD_VALID,
};

struct field {
    enum field_state state;
    int value;
};

struct stamp {
    struct field day;
    struct field month;
    struct field year;
    struct field hour;
    struct field minute;
    int zone_hours; /* east of Greenwich */
    int zone_known;
};

/* What is derived from the fields; -1 where a field is missing. */
struct derived {
    int day_of_year;
    int minutes_utc;
    int quarter;
    int is_leap;
};

static int is_digit(char c)
{
    return (unsigned)(c - '0') < 10;
}

/* Reads a number of two digits; a leading blank counts as zero. */
static void parse_field(struct field *field, const char *text, int least, int most)
{
    int tens;

    field->value = 0;
    if (text[0] == ' ') {
        tens = 0;
    } else if (is_digit(text[0])) {
        tens = text[0] - '0';
    } else {
        field->state = FIELD_NOT_A_NUMBER;
        return;
    }
    if (!is_digit(text[1])) {
        field->state = FIELD_NOT_A_NUMBER;
        return;
    }
    field->value = 10 * tens + (text[1] - '0');
    if (field->value < least)
        field->state = FIELD_TOO_SMALL;
    else if (field->value > most)
        field->state = FIELD_TOO_LARGE;
    else
        field->state = FIELD_VALID;
}

static void parse_zone(struct stamp *stamp, char letter)
{
    stamp->zone_known = 1;
    switch (letter) {
    case 'Z':
        stamp->zone_hours = 0;
        break;
    case 'A':
        stamp->zone_hours = 1;
        break;
    case 'B':
        stamp->zone_hours = 2;
        break;
    case 'N':
        stamp->zone_hours = -1;
        break;
    default:
        stamp->zone_hours = 0;
        stamp->zone_known = 0;
    }
}

static int leap_year(int year)
{
    if (year % 400 == 0)
        return 1;
    if (year % 100 == 0)
        return 0;
    return year % 4 == 0;
}

static int days_in_month(int month, int leap)
{
    if (month == 2)
        return leap ? 29 : 28;
    if (month == 4 || month == 6 || month == 9 || month == 11)
        return 30;
    return 31;
}

static void derive_year(struct derived *derived, const struct stamp *stamp)
{
    derived->is_leap = -1;
    if (stamp->year.state == FIELD_VALID) {
        derived->is_leap = leap_year(2000 + stamp->year.value);
        assert(derived->is_leap == 0 || derived->is_leap == 1);
        if (derived->is_leap)
            assert(stamp->year.value % 4 == 0);
    }
}

static void derive_quarter(struct derived *derived, const struct stamp *stamp)
{
    derived->quarter = -1;
    if (stamp->month.state != FIELD_VALID)
        return;
    if (stamp->month.value <= 3)
        derived->quarter = 1;
    else if (stamp->month.value <= 6)
        derived->quarter = 2;
    else if (stamp->month.value <= 9)
        derived->quarter = 3;
    else
        derived->quarter = 4;
    assert((stamp->month.value + 2) / 3 == derived->quarter);
}

/* Checks the day against the month only, with February as in a leap year. */
static void check_day(struct stamp *stamp)
{
    if (stamp->day.state != FIELD_VALID || stamp->month.state != FIELD_VALID)
        return;
    if (stamp->day.value > days_in_month(stamp->month.value, 1))
        stamp->day.state = FIELD_TOO_LARGE;
}

static void derive_minutes(struct derived *derived, const struct stamp *stamp)
{
    int minutes;

    derived->minutes_utc = -1;
    if (stamp->hour.state != FIELD_VALID || stamp->minute.state != FIELD_VALID)
        return;
    minutes = 60 * stamp->hour.value + stamp->minute.value;
    if (stamp->zone_known) {
        minutes -= 60 * stamp->zone_hours;
        if (minutes < 0)
            minutes += 24 * 60;
        else if (minutes >= 24 * 60)
            minutes -= 24 * 60;
        assert(minutes % 60 == stamp->minute.value);
    }
    assert(minutes >= 0 && minutes < 24 * 60);
    derived->minutes_utc = minutes;
}

int main(void)
{
    char day[2], month[2], year[2], hour[2], minute[] = {'3', '0'}, zone;
    struct stamp stamp;
    struct derived derived;

    byway_make_symbolic(day, sizeof day, "day");
    byway_make_symbolic(month, sizeof month, "month");
    byway_make_symbolic(year, sizeof year, "year");
    byway_make_symbolic(hour, sizeof hour, "hour");
    byway_make_symbolic(&zone, sizeof zone, "zone");

    parse_field(&stamp.day, day, 1, 31);
    parse_field(&stamp.month, month, 1, 12);
    parse_field(&stamp.year, year, 0, 99);
    parse_field(&stamp.hour, hour, 0, 23);
    parse_field(&stamp.minute, minute, 0, 59);
    parse_zone(&stamp, zone);

    derive_year(&derived, &stamp);
    derive_quarter(&derived, &stamp);
    check_day(&stamp);
    derive_minutes(&derived, &stamp);
    if (stamp.day.state == FIELD_VALID)
        assert(stamp.day.value >= 1 && stamp.day.value <= 31);
    return derived.minutes_utc < 0 ? 255 : derived.minutes_utc / 60;
}

/* Converts a date to the number of its day in the year, and back. A valid date must
 * survive the round trip. All do but a few: the check for a valid date ignores that of
 * the years that end in 00 only every fourth has a 29th of February.
 *
 *     byway run examples/date.c
 *
 * What it shows: two functions that must agree are compared for all inputs at
 * once, and the assertion's test is a date on which they do not.
 */
// paths: 24
// faults: assert@59 x1
#include <assert.h>
#include <byway.h>

struct date {
    unsigned short year;
    unsigned char month, day;
};

/* Days of a common year before each month, and after the last. */
static const unsigned short before[] = {0,   31,  59,  90,  120, 151, 181,
                                        212, 243, 273, 304, 334, 365};

static int is_valid(struct date date) {
    if (date.year < 1600 || date.year >= 2400 || date.month < 1 || date.month > 12)
        return 0;
    int days = before[date.month] - before[date.month - 1];
    if (date.month == 2 && date.year % 4 == 0)
        days = 29;
    return date.day >= 1 && date.day <= days;
}

static int is_leap(unsigned year) {
    return (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0));
}

/* Days of the year before a month. */
static unsigned days_before(unsigned year, unsigned month) {
    return before[month - 1] + (month > 2 && is_leap(year));
}

static unsigned number_in_year(struct date date) {
    return days_before(date.year, date.month) + date.day;
}

static struct date date_of(unsigned year, unsigned number) {
    unsigned month = 12;
    while (number <= days_before(year, month))
        month--;
    return (struct date){year, month, number - days_before(year, month)};
}

int main(void) {
    struct date date;
    byway_make_symbolic(&date, sizeof date, "date");
    if (!is_valid(date))
        return 1;
    struct date back = date_of(date.year, number_in_year(date));
    assert(back.month == date.month && back.day == date.day);
    return 0;
}

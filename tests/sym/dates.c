// Validation of a date: months of three lengths and leap years.
// paths: 11
// faults: none
#include <byway.h>

static int leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int valid(int day, int month, int year)
{
    int last;
    switch (month) {
    case 4:
    case 6:
    case 9:
    case 11:
        last = 30;
        break;
    case 2:
        last = leap(year) ? 29 : 28;
        break;
    case 1:
    case 3:
    case 5:
    case 7:
    case 8:
    case 10:
    case 12:
        last = 31;
        break;
    default:
        return 0;
    }
    return day >= 1 && day <= last;
}

int main(void)
{
    unsigned char day, month, year;
    byway_make_symbolic(&day, sizeof day, "day");
    byway_make_symbolic(&month, sizeof month, "month");
    byway_make_symbolic(&year, sizeof year, "year");
    return valid(day, month, 1900 + year);
}

/* Tens of thousands of paths and of live states: branches, switches, a choice among objects, and
 * faults. What `byway-bench resume` kills. */
#include <byway.h>

#ifndef BYTES
#define BYTES 11
#endif

static int first[2], second[3], third;

int main(void)
{
    unsigned char word[BYTES], place;
    int score = 0, *table[3] = {first, second, &third};
    byway_make_symbolic(word, sizeof word, "word");
    byway_make_symbolic(&place, sizeof place, "place");
    byway_assume(place < 5);
    for (int i = 0; i < BYTES; i++) {
        if (i % 3 == 0) {
            switch (word[i]) {
            case 'a': score += 1; break;
            case 'b': score += 2; break;
            case 'c': score += 5; break;
            }
        } else if (word[i] > 'k') {
            score++;
        }
    }
    if (score == 27)
        byway_report("rich");
    if (score == 7)
        table[place / 2][place] = 1;
    return score;
}

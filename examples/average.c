/* Divides by zero when it gets no numbers.
 *
 *     byway exec examples/average.c -- 4 8 15
 *     byway exec examples/average.c                          (error: division by zero)
 */
#include <stdio.h>
#include <stdlib.h>

static int average(int count, char **numbers) {
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += atoi(numbers[i]);
    return sum / count;
}

int main(int argc, char **argv) {
    printf("average: %d\n", average(argc - 1, argv + 1));
    return 0;
}

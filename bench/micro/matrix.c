/* Products of matrices of doubles, ITER by ITER: floating point and strided
 * memory. Prints the trace with all digits. */
#include <stdio.h>

#ifndef ITER
#define ITER 64
#endif

static double a[ITER][ITER], b[ITER][ITER], product[ITER][ITER];

int main(void) {
  for (int i = 0; i < ITER; i++)
    for (int j = 0; j < ITER; j++) {
      a[i][j] = 1.0 / (1 + i + j);
      b[i][j] = (double)(i * j % 17) - 8.25;
    }
  for (int i = 0; i < ITER; i++)
    for (int j = 0; j < ITER; j++) {
      double sum = 0;
      for (int k = 0; k < ITER; k++)
        sum += a[i][k] * b[k][j];
      product[i][j] = sum;
    }
  double trace = 0;
  for (int i = 0; i < ITER; i++)
    trace += product[i][i];
  printf("%.17g %a\n", trace, trace);
  return 0;
}

// One path: an object of N bytes, each written and read once.
unsigned char x[N];

int main(void) {
  for (unsigned i = 0; i < N; i++)
    x[i] = (unsigned char)i;
  unsigned sum = 0;
  for (unsigned i = 0; i < N; i++)
    sum += x[i];
  return sum == 7;
}

// A quotient that does not fit: the processor raises the exception of a division by zero.
int main(void) {
    unsigned long low = 0, high = 5, divisor = 5;
    __asm__("divq %2" // FAULT trap
            : "+a"(low), "+d"(high)
            : "r"(divisor)
            : "cc");
    return (int)low;
}

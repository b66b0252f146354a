struct item;

void count_event(void);
void stop_program(const char *reason);
struct item *find_item(unsigned key);
unsigned item_count(unsigned key);
unsigned digit_sum(unsigned number);
int is_wide(unsigned number);
unsigned largest(unsigned x, unsigned y);
unsigned smallest(unsigned x, unsigned y);

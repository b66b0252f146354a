/* Replaces musl's header of this name: there is one thread, so the thread
 * pointer is the address of one object (src/start.c). */

extern hidden struct __pthread __byway_thread;

#define __get_tp() ((uintptr_t)&__byway_thread)

#define MC_PC gregs[REG_RIP]

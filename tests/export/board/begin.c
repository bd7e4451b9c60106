/* The start of a Cortex-M: floating point on, variables set, then main; its output goes through semihosting. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern unsigned char data_begin, data_end, data_source, bss_begin, end, stack_top;
extern int main(void);
extern void initialise_monitor_handles(void);

void _init(void) {}
void _fini(void) {}

void begin(void)
{
    *(volatile uint32_t *)0xE000ED88u |= 0xFu << 20; /* the coprocessor access control register */
    __asm volatile("dsb; isb");
    memcpy(&data_begin, &data_source, (size_t)(&data_end - &data_begin));
    memset(&bss_begin, 0, (size_t)(&end - &bss_begin));
    initialise_monitor_handles();
    exit(main());
}

__attribute__((section(".vectors"), used)) void *const vectors[] = {&stack_top, begin};

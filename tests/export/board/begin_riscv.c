/* Start and output of a program under qemu-user, on a RISC-V of 32 bits without a system of its own. */
#include <stdio.h>

int main(void);

static char thread[256]; /* numbers of picolibc that belong to a thread */

static long call(long number, long first, long second, long third)
{
    register long a0 __asm__("a0") = first;
    register long a1 __asm__("a1") = second;
    register long a2 __asm__("a2") = third;
    register long a7 __asm__("a7") = number;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
    return a0;
}

static int put(char character, FILE *file)
{
    (void)file;
    call(64, 1, (long)&character, 1); /* write */
    return character;
}

static FILE out = FDEV_SETUP_STREAM(put, NULL, NULL, _FDEV_SETUP_WRITE);
FILE *const stdout = &out;

void _start(void)
{
    __asm__ volatile(".option push\n.option norelax\nla gp, __global_pointer$\n.option pop\nmv tp, %0" ::"r"(thread));
    call(93, main(), 0, 0); /* exit */
}

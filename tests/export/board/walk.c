/* Random steps of a controller, and a hash (FNV-1a) of the bits of all its outputs. */
#include <stdio.h>
#include "unit.h"

static unit controller;
static unit_inputs inputs;
static unit_outputs outputs;

int main(void)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    uint32_t random = 12345;
    double *input = (double *)&inputs;
    const unsigned char *byte = (const unsigned char *)&outputs;
    long step;
    size_t i;
    unit_init(&controller);
    for (step = 0; step < STEPS; step++) {
        for (i = 0; i < sizeof inputs / sizeof *input; i++) {
            random = random * 1664525u + 1013904223u;
            input[i] = ((double)(random >> 8) - 8388608.0) / 8388608.0;
        }
        if (unit_step(&controller, &inputs, &outputs) != UNIT_OK) {
            printf("step %ld failed\n", step);
            return 1;
        }
        for (i = 0; i < sizeof outputs; i++) {
            hash = (hash ^ byte[i]) * UINT64_C(1099511628211);
        }
    }
    printf("%08lx%08lx\n", (unsigned long)(hash >> 32), (unsigned long)(hash & 0xFFFFFFFFu));
    return 0;
}

/* Runs FMUs without an importer, on Linux and, without a C library, on Windows: reads `jobs`, writes `rows`.

   A job names a library and says how it runs. Its rows are all variables, after each communication step in
   Co-Simulation, and after each step of Euler's method with events at its ends in Model Exchange; then
   a number of the messages that a forbidden call has. */
#define _GNU_SOURCE
#include <stdarg.h>
typedef unsigned int reference;
typedef struct {
    char library[256], identity[64];
    long long version, exchange, states, crossings, variables, steps;
    double step;
} job;
enum { STATES = 256, VARIABLES = 4096 };
static double x[STATES], dx[STATES], g[STATES], g_new[STATES], row[VARIABLES];
static reference all[VARIABLES];
static double message;
#ifdef _WIN32
int _fltused;
#define main start
#define API __declspec(dllimport)
API void *LoadLibraryA(const char *), *GetProcAddress(void *, const char *);
API void *CreateFileA(const char *, unsigned, unsigned, void *, unsigned, unsigned, void *);
API int ReadFile(void *, void *, unsigned, unsigned *, void *);
API int WriteFile(void *, const void *, unsigned, unsigned *, void *);
API int CloseHandle(void *);
API void ExitProcess(unsigned);
typedef void *file;
static file opened(const char *name, int write) {
    return CreateFileA(name, write ? 0x40000000u : 0x80000000u, 1, 0, write ? 2 : 3, 0x80, 0);
}
static int take(file from, void *data, unsigned size) {
    unsigned count = 0;
    return ReadFile(from, data, size, &count, 0) && count == size;
}
static void put(file to, const void *data, unsigned size) {
    unsigned count;
    WriteFile(to, data, size, &count, 0);
}
#define load LoadLibraryA
#define symbol GetProcAddress
#else
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
typedef FILE *file;
static file opened(const char *name, int write) { return fopen(name, write ? "wb" : "rb"); }
static int take(file from, void *data, unsigned size) { return fread(data, size, 1, from) == 1; }
static void put(file to, const void *data, unsigned size) { fwrite(data, size, 1, to); }
#ifdef MACOS /* a library for macOS, as `flat` in test_platforms.py writes it */
typedef struct {
    long long at;
    char name[56];
} entry;
typedef struct {
    char *base;
    long long count;
    entry *exports;
} image;
static void *load(const char *name) {
    long long head[4], place;
    file in = opened(name, 0);
    image *made = malloc(sizeof *made);
    entry import;
    take(in, head, sizeof head);
    made->base = mmap(0, head[0], PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    take(in, made->base, head[0]);
    for (long long k = 0; k < head[1]; k++) {
        take(in, &place, 8);
        *(long long *)(made->base + place) += (long long)made->base;
    }
    for (long long k = 0; k < head[2]; k++) {
        take(in, &import, sizeof import);
        if (!(*(void **)(made->base + import.at) = dlsym(RTLD_DEFAULT, import.name))) exit(2);
    }
    made->count = head[3];
    made->exports = malloc(head[3] * sizeof(entry));
    take(in, made->exports, head[3] * sizeof(entry));
    __builtin___clear_cache(made->base, made->base + head[0]);
    fclose(in);
    return made;
}
static void *symbol(const image *in, const char *name) {
    for (long long k = 0; k < in->count; k++)
        if (strcmp(in->exports[k].name, name) == 0) return in->base + in->exports[k].at;
    exit(3);
}
#else
static void *load(const char *name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL); }
#define symbol dlsym
#endif
#endif
#define CALL(name, ...) ((int (*)(__VA_ARGS__))symbol(library, name))
#define OF(two, three) (j->version == 2 ? "fmi2" two : "fmi3" three)

static void add(const char *text) {
    for (; *text; text++) message = message * 31 + *text - (double)(long long)(message * 31 / 1e9) * 1e9;
}
static void log_two(void *e, const char *name, int status, const char *category, const char *form, ...) {
    va_list more;
    va_start(more, form);
    add(name);
    add(category);
    for (; *form; form++)
        if (*form == '%') add(va_arg(more, const char *));
    va_end(more);
}
static void log_three(void *e, int status, const char *category, const char *text) { add(category), add(text); }

static int update(const job *j, void *library, void *c, double *next) {
    for (int needed = 1, terminate = 0; needed && !terminate;) {
        int defined, status;
        if (j->version == 2) {
            struct { int needed, terminate, nominals, values, defined; double next; } info = {0};
            status = CALL("fmi2NewDiscreteStates", void *, void *)(c, &info);
            needed = info.needed, terminate = info.terminate, defined = info.defined, *next = info.next;
        } else {
            _Bool flags[5];
            status = CALL("fmi3UpdateDiscreteStates", void *, _Bool *, _Bool *, _Bool *, _Bool *, _Bool *, double *)(
                c, flags, flags + 1, flags + 2, flags + 3, flags + 4, next);
            needed = flags[0], terminate = flags[1], defined = flags[4];
        }
        if (!defined) *next = 1e300;
        if (status > 1 || terminate) return 0;
    }
    CALL(OF("EnterContinuousTimeMode", "EnterContinuousTimeMode"), void *)(c);
    CALL(OF("GetContinuousStates", "GetContinuousStates"), void *, double *, long long)(c, x, j->states);
    CALL(OF("GetEventIndicators", "GetEventIndicators"), void *, double *, long long)(c, g, j->crossings);
    return 1;
}

static int euler(const job *j, void *library, void *c, double *t, double *next) {
    int status = CALL(OF("GetDerivatives", "GetContinuousStateDerivatives"), void *, double *, long long)(c, dx, j->states);
    double end = *t + j->step;
    int event = end >= *next;
    if (event) end = *next;
    for (int k = 0; k < j->states; k++) x[k] += (end - *t) * dx[k];
    *t = end;
    status |= CALL(OF("SetTime", "SetTime"), void *, double)(c, end);
    status |= CALL(OF("SetContinuousStates", "SetContinuousStates"), void *, double *, long long)(c, x, j->states);
    status |= CALL(OF("GetEventIndicators", "GetEventIndicators"), void *, double *, long long)(c, g_new, j->crossings);
    for (int k = 0; k < j->crossings; k++) {
        event |= (g[k] > 0) != (g_new[k] > 0);
        g[k] = g_new[k];
    }
    if (j->version == 2) {
        int entered, terminate;
        status |= CALL("fmi2CompletedIntegratorStep", void *, int, int *, int *)(c, 1, &entered, &terminate);
    } else {
        _Bool entered, terminate;
        status |= CALL("fmi3CompletedIntegratorStep", void *, _Bool, _Bool *, _Bool *)(c, 1, &entered, &terminate);
    }
    if (status > 1) return 0;
    if (!event) return 1;
    CALL(OF("EnterEventMode", "EnterEventMode"), void *)(c);
    return update(j, library, c, next);
}

static void *make(const job *j, void *library) {
    static struct { void *log, *allocate, *release, *finished, *environment; } functions;
#if !defined MACOS || !defined __aarch64__ /* where macOS passes the arguments of such functions otherwise */
    functions.log = (void *)log_two;
#endif
    if (j->version == 2)
        return ((void *(*)(const char *, int, const char *, const char *, void *, int, int))symbol(
            library, "fmi2Instantiate"))("one", !j->exchange, j->identity, "", &functions, 0, 0);
    if (j->exchange)
        return ((void *(*)(const char *, const char *, const char *, _Bool, _Bool, void *, void *))symbol(
            library, "fmi3InstantiateModelExchange"))("one", j->identity, "", 0, 0, 0, (void *)log_three);
    return ((void *(*)(const char *, const char *, const char *, _Bool, _Bool, _Bool, _Bool, void *, long long,
        void *, void *, void *))symbol(library, "fmi3InstantiateCoSimulation"))(
        "one", j->identity, "", 0, 0, 0, 0, 0, 0, 0, (void *)log_three, 0);
}

static void run(const job *j, file out) {
    void *library = load(j->library), *c = library ? make(j, library) : 0;
    double t = 0, next = 1e300, end = j->steps * j->step;
    int good = c != 0;
    if (!good) return;
    if (j->version == 2) {
        CALL("fmi2SetupExperiment", void *, int, double, double, int, double)(c, 0, 0, 0, 1, end);
        CALL("fmi2EnterInitializationMode", void *)(c);
    } else
        CALL("fmi3EnterInitializationMode", void *, _Bool, double, double, _Bool, double)(c, 0, 0, 0, 1, end);
    CALL(OF("ExitInitializationMode", "ExitInitializationMode"), void *)(c);
    if (j->exchange) good = update(j, library, c, &next);
    for (int k = 0; k < j->steps; k++) {
        if (!good)
            ; /* the run has ended: the row remains */
        else if (j->exchange)
            good = euler(j, library, c, &t, &next);
        else if (j->version == 2)
            good = CALL("fmi2DoStep", void *, double, double, int)(c, k * j->step, j->step, 1) == 0;
        else {
            _Bool event, terminate, early;
            good = CALL("fmi3DoStep", void *, double, double, _Bool, _Bool *, _Bool *, _Bool *, double *)(
                c, k * j->step, j->step, 1, &event, &terminate, &early, &t) == 0 && !terminate;
        }
        if (j->version == 2)
            CALL("fmi2GetReal", void *, reference *, long long, double *)(c, all, j->variables, row);
        else
            CALL("fmi3GetFloat64", void *, reference *, long long, double *, long long)(
                c, all, j->variables, row, j->variables);
        put(out, row, (unsigned)(8 * j->variables));
    }
    CALL(OF("ExitInitializationMode", "ExitInitializationMode"), void *)(c);
    for (int k = 0; k < j->variables; k++) row[k] = message;
    put(out, row, (unsigned)(8 * j->variables));
    ((void (*)(void *))symbol(library, OF("FreeInstance", "FreeInstance")))(c);
}

int main(void) {
    static job j;
    file in = opened("jobs", 0), out = opened("rows", 1);
    for (reference k = 0; k < VARIABLES; k++) all[k] = k;
    while (take(in, &j, sizeof j)) run(&j, out);
#ifdef _WIN32
    CloseHandle(out);
    ExitProcess(0);
#else
    fclose(out);
#endif
    return 0;
}

/* An FMU for tests, of FMI 2.0 or 3.0 (-DFMI=2, -DFMI=3): it returns an error for a call out of order.
 *
 * x    dx/dt = k u, back to 0 when it reaches `level`: a sawtooth, and an error beyond `bad`
 * h, v a ball that falls from 1 m and bounces with v = -e v, until it is slower than 0.1 m/s
 * ticks  time events, every `period`; the run ends at number `last`
 * p = q + n as of the last event, not_b = !b at once; `wishes` counts the events wished for by a step;
 * with `wish` a step of Co-Simulation in 2.0 is discarded after an event
 */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { TIME, X, DX, K, U, N, TICKS, PERIOD, LAST, WISHES, WISH, BAD, Q0, Q1, P0, P1, LEVEL, B, NOT_B,
       H, V, DV, E, COUNT };
enum { MADE = 1, INIT = 2, EVENT = 4, FLOW = 8, STEP = 16 };
enum { OK, WARNING, DISCARD, ERROR };

typedef struct {
    double r[COUNT];
    double g, next;
    int n, mode, wished, done, exchange, event_mode, fresh;
    void *log, *environment;
} model;

#if FMI == 2
typedef int boolean;
#define NAME(f) fmi2##f
typedef void (*logger)(void *, const char *, int, const char *, const char *, ...);
static void say(model *m, const char *text) { ((logger)m->log)(m->environment, "fmu", ERROR, "error", text); }
#else
typedef bool boolean;
#define NAME(f) fmi3##f
typedef void (*logger)(void *, int, const char *, const char *);
static void say(model *m, const char *text) { ((logger)m->log)(m->environment, ERROR, "error", text); }
#endif
#define MODES(mask) do { if (!(((model *)c)->mode & (mask))) { say(c, "a call out of order"); return ERROR; } } while (0)

static model *begin(const char *token, int exchange, void *log, void *environment)
{
    if (strcmp(token, "{test}")) return NULL;
    model *m = calloc(1, sizeof *m);
    m->r[K] = m->r[U] = m->r[LEVEL] = m->r[H] = 1.0;
    m->r[PERIOD] = 0.25; m->r[LAST] = 1000.0; m->r[BAD] = 1e9; m->r[E] = 0.7;
    m->g = 9.81; m->mode = MADE; m->exchange = exchange; m->log = log; m->environment = environment;
    return m;
}

static void compute(model *m)
{
    m->r[DX] = m->r[K] * m->r[U]; m->r[DV] = -m->g; m->r[NOT_B] = m->r[B] == 0.0;
    m->r[P0] = m->r[Q0] + m->n; m->r[P1] = m->r[Q1] + m->n;
}

static int sound(model *m)
{
    if (m->r[X] <= m->r[BAD]) return OK;
    say(m, "x is beyond its limit");
    return ERROR;
}

/* The events of this instant; true if a state jumps. */
static int events(model *m)
{
    int jumps = 0;
    m->n = (int)m->r[N];
    if (m->wished) { m->wished = 0; m->r[WISHES] += 1.0; }
    if (m->r[X] >= m->r[LEVEL]) { m->r[X] = 0.0; jumps = 1; }
    if (m->r[H] <= 0.0 && m->r[V] < 0.0) {
        m->r[H] = DBL_MIN; m->r[V] *= -m->r[E]; jumps = 1;
        if (m->r[V] < 0.1) m->r[V] = m->g = 0.0;
    }
    while (m->r[TIME] >= m->next) { m->r[TICKS] += 1.0; m->next = (m->r[TICKS] + 1.0) * m->r[PERIOD]; }
    return jumps;
}

static int get(model *m, const uint32_t *vr, size_t n, double *y)
{
    compute(m);
    for (size_t k = 0; k < n; k++) { if (vr[k] >= COUNT) return ERROR; y[k] = m->r[vr[k]]; }
    return OK;
}

static int set(model *m, const uint32_t *vr, size_t n, const double *y)
{
    for (size_t k = 0; k < n; k++) {
        if (vr[k] == PERIOD && y[k] <= 0.0) { say(m, "the period is not above 0"); return ERROR; }
        m->r[vr[k]] = y[k];
    }
    return OK;
}

static int enter(model *c, double start)
{
    MODES(MADE);
    c->r[TIME] = start; c->next = start + c->r[PERIOD]; c->mode = INIT;
    return OK;
}

/* A step of Co-Simulation to a time, by the closed form; it may end early at a reset. */
static double advance(model *m, double end, boolean *event)
{
    double reset = m->r[TIME] + (m->r[LEVEL] - m->r[X]) / (m->r[K] * m->r[U]);
    double to = fmin(fmin(end, m->next), reset);
    m->r[X] += m->r[K] * m->r[U] * (to - m->r[TIME]);
    m->r[TIME] = to;
    *event = to == m->next || to == reset;
    if (to == reset) m->r[X] = m->r[LEVEL];
    return to;
}

int NAME(ExitInitializationMode)(model *c)
{
    MODES(INIT);
    c->mode = c->exchange || c->event_mode ? EVENT : STEP;
    return OK;
}
int NAME(EnterEventMode)(model *c) { MODES(FLOW | STEP); c->mode = EVENT; c->fresh = 1; return OK; }
int NAME(EnterContinuousTimeMode)(model *c) { MODES(EVENT); c->mode = FLOW; return OK; }
int NAME(SetTime)(model *c, double t) { MODES(EVENT | FLOW); c->r[TIME] = t; return OK; }
int NAME(Terminate)(model *c) { MODES(EVENT | FLOW | STEP); return OK; }
void NAME(FreeInstance)(model *c) { free(c); }
int NAME(SetContinuousStates)(model *c, const double *x, size_t n)
{
    MODES(FLOW);
    if (n != 3) return ERROR;
    c->r[X] = x[0]; c->r[H] = x[1]; c->r[V] = x[2];
    return OK;
}
int NAME(GetContinuousStates)(model *c, double *x, size_t n)
{
    MODES(EVENT | FLOW);
    if (n != 3) return ERROR;
    x[0] = c->r[X]; x[1] = c->r[H]; x[2] = c->r[V];
    return OK;
}
int NAME(GetEventIndicators)(model *c, double *z, size_t n)
{
    MODES(EVENT | FLOW);
    if (n != 2) return ERROR;
    z[0] = c->r[X] - c->r[LEVEL]; z[1] = c->r[H];
    return OK;
}
static int slopes(model *c, double *d, size_t n)
{
    MODES(EVENT | FLOW);
    if (n != 3) return ERROR;
    compute(c);
    d[0] = c->r[DX]; d[1] = c->r[V]; d[2] = c->r[DV];
    return sound(c);
}
int NAME(CompletedIntegratorStep)(model *c, boolean last, boolean *event, boolean *end)
{
    MODES(FLOW);
    c->wished = c->r[WISH] != 0.0 && ++c->done == (int)c->r[WISH];
    *event = c->wished; *end = 0;
    return last ? OK : ERROR;
}

#if FMI == 2
typedef struct { void *log, *allocate, *release, *finished, *environment; } callbacks;
typedef struct { int needed, end, nominals, values, defined; double next; } information;

model *fmi2Instantiate(const char *name, int type, const char *guid, const char *place, const callbacks *f,
                       int visible, int logging)
{
    (void)name; (void)place; (void)visible; (void)logging;
    return begin(guid, type == 0, f->log, f->environment);
}
int fmi2SetupExperiment(model *c, int defined, double tolerance, double start, int stops, double stop)
{
    (void)defined; (void)tolerance; (void)stops; (void)stop;
    MODES(MADE);
    c->r[TIME] = start;
    return OK;
}
int fmi2EnterInitializationMode(model *c) { return enter(c, c->r[TIME]); }
int fmi2NewDiscreteStates(model *c, information *i)
{
    MODES(EVENT);
    i->values = events(c); i->needed = c->fresh; c->fresh = 0;
    i->end = c->r[TICKS] >= c->r[LAST]; i->nominals = 0; i->defined = 1; i->next = c->next;
    return OK;
}
int fmi2GetDerivatives(model *c, double *d, size_t n) { return slopes(c, d, n); }
int fmi2GetReal(model *c, const uint32_t *vr, size_t n, double *y) { MODES(~MADE); return get(c, vr, n, y); }
int fmi2SetReal(model *c, const uint32_t *vr, size_t n, const double *y) { return set(c, vr, n, y); }
int fmi2GetInteger(model *c, const uint32_t *vr, size_t n, int *y)
{
    double value = 0.0;
    MODES(~MADE);
    for (size_t k = 0; k < n; k++) { get(c, vr + k, 1, &value); y[k] = (int)value; }
    return OK;
}
int fmi2SetInteger(model *c, const uint32_t *vr, size_t n, const int *y)
{
    MODES(~FLOW);
    for (size_t k = 0; k < n; k++) c->r[vr[k]] = y[k];
    return OK;
}
int fmi2GetBoolean(model *c, const uint32_t *vr, size_t n, int *y) { return fmi2GetInteger(c, vr, n, y); }
int fmi2SetBoolean(model *c, const uint32_t *vr, size_t n, const int *y) { return fmi2SetInteger(c, vr, n, y); }
int fmi2DoStep(model *c, double t, double h, int prior)
{
    (void)prior;
    MODES(STEP);
    if (t != c->r[TIME]) { say(c, "another time than the FMU has"); return ERROR; }
    for (int event = 0; c->r[TIME] < t + h;) {
        advance(c, t + h, &event);
        if (event) events(c);
        if (c->r[TICKS] >= c->r[LAST]) return DISCARD;
        if (event && c->r[WISH] != 0.0 && c->r[TIME] < t + h) return DISCARD;
    }
    return sound(c);
}
int fmi2GetRealStatus(model *c, int kind, double *y) { *y = c->r[TIME]; return kind == 2 ? OK : ERROR; }
int fmi2GetBooleanStatus(model *c, int kind, int *y) { *y = kind == 3 && c->r[TICKS] >= c->r[LAST]; return OK; }
#else
model *fmi3InstantiateModelExchange(const char *name, const char *token, const char *place, bool visible,
                                    bool logging, void *environment, void *log)
{
    (void)name; (void)place; (void)visible; (void)logging;
    return begin(token, 1, log, environment);
}
model *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *place, bool visible,
                                   bool logging, bool event_mode, bool early, const uint32_t *needed, size_t n,
                                   void *environment, void *log, void *update)
{
    (void)name; (void)place; (void)visible; (void)logging; (void)needed; (void)n; (void)update;
    model *m = begin(token, 0, log, environment);
    if (m) m->event_mode = event_mode && early;
    return m;
}
int fmi3EnterInitializationMode(model *c, bool defined, double tolerance, double start, bool stops, double stop)
{
    (void)defined; (void)tolerance; (void)stops; (void)stop;
    return enter(c, start);
}
int fmi3UpdateDiscreteStates(model *c, bool *needed, bool *end, bool *nominals, bool *values, bool *defined,
                             double *next)
{
    MODES(EVENT);
    *values = events(c); *needed = c->fresh; c->fresh = 0;
    *end = c->r[TICKS] >= c->r[LAST]; *nominals = false; *defined = true; *next = c->next;
    return OK;
}
int fmi3EnterStepMode(model *c) { MODES(EVENT); c->mode = STEP; return OK; }
int fmi3GetContinuousStateDerivatives(model *c, double *d, size_t n) { return slopes(c, d, n); }
/* q and p are arrays of two in 3.0: their references stand for both elements. */
int fmi3GetFloat64(model *c, const uint32_t *vr, size_t n, double *y, size_t values)
{
    MODES(~MADE);
    size_t at = 0;
    for (size_t k = 0; k < n; k++) {
        uint32_t both[] = {vr[k], vr[k] + 1};
        size_t elements = vr[k] == Q0 || vr[k] == P0 ? 2 : 1;
        if (at + elements > values || get(c, both, elements, y + at)) return ERROR;
        at += elements;
    }
    return at == values ? OK : ERROR;
}
int fmi3SetFloat64(model *c, const uint32_t *vr, size_t n, const double *y, size_t values)
{
    if (n == 1 && values == 2) { uint32_t both[] = {vr[0], vr[0] + 1}; return set(c, both, 2, y); }
    return n == values ? set(c, vr, n, y) : ERROR;
}
#define WHOLE(kind, type)                                                                                  \
    int fmi3Get##kind(model *c, const uint32_t *vr, size_t n, type *y, size_t values)                      \
    {                                                                                                      \
        double value = 0.0;                                                                                    \
        MODES(~MADE);                                                                                      \
        for (size_t k = 0; k < n; k++) { get(c, vr + k, 1, &value); y[k] = (type)value; }                  \
        return n == values ? OK : ERROR;                                                                   \
    }                                                                                                      \
    int fmi3Set##kind(model *c, const uint32_t *vr, size_t n, const type *y, size_t values)                \
    {                                                                                                      \
        MODES(~FLOW);                                                                                      \
        for (size_t k = 0; k < n; k++) c->r[vr[k]] = (double)y[k];                                         \
        return n == values ? OK : ERROR;                                                                   \
    }
WHOLE(Int32, int32_t)
WHOLE(UInt8, uint8_t)
WHOLE(Boolean, bool)
int fmi3DoStep(model *c, double t, double h, bool prior, bool *event, bool *end, bool *early, double *at)
{
    (void)prior;
    MODES(STEP);
    if (t != c->r[TIME]) { say(c, "another time than the FMU has"); return ERROR; }
    *event = *end = *early = false; *at = t + h;
    while (c->r[TIME] < t + h) {
        *at = advance(c, t + h, event);
        if (*event && c->event_mode) { *early = *at < t + h; return sound(c); }
        if (*event) events(c);
        if (c->r[TICKS] >= c->r[LAST]) { *end = true; return OK; }
    }
    *event = false;
    return sound(c);
}
#endif

/* A scheduler with a queue of processes for each priority. A script of
 * commands, each one byte, creates processes, lets them run, blocks and wakes
 * them. Accounting and statistics are kept beside the queues.
 */
#include <assert.h>
#include <byway.h>
#include <stdlib.h>

#ifndef COMMANDS
#define COMMANDS 5
#endif

#define PRIORITIES 3

enum command {
    CMD_NEW_LOW,
    CMD_NEW_HIGH,
    CMD_UPGRADE,
    CMD_BLOCK,
    CMD_UNBLOCK,
    CMD_EXPIRE,
    CMD_FINISH,
    CMD_COUNT,
};

struct process {
    struct process *next;
    int id;
    int priority;
    int quanta;
};

struct queue {
    struct process *first;
    struct process *last;
    int length;
};

struct scheduler {
    struct queue ready[PRIORITIES];
    struct queue blocked;
    struct process *running;
    int next_id;
    int finished;
};

/* What the commands ask for, whether or not it has an effect. */
struct statistics {
    int creations;
    int switches;
    int invalid;
};

static void put(struct queue *queue, struct process *process)
{
    process->next = NULL;
    if (queue->last)
        queue->last->next = process;
    else
        queue->first = process;
    queue->last = process;
    queue->length++;
}

static struct process *take(struct queue *queue)
{
    struct process *process = queue->first;

    if (!process)
        return NULL;
    queue->first = process->next;
    if (!queue->first)
        queue->last = NULL;
    queue->length--;
    process->next = NULL;
    return process;
}

/* Runs the first process of the highest priority that has one. */
static void dispatch(struct scheduler *s)
{
    int priority;

    if (s->running)
        return;
    for (priority = PRIORITIES - 1; priority >= 0; priority--) {
        s->running = take(&s->ready[priority]);
        if (s->running)
            return;
    }
}

static void create(struct scheduler *s, int priority)
{
    struct process *process = malloc(sizeof *process);

    if (!process)
        return;
    process->id = s->next_id++;
    process->priority = priority;
    process->quanta = 0;
    put(&s->ready[priority], process);
    dispatch(s);
}

static void upgrade(struct scheduler *s)
{
    struct process *process = take(&s->ready[0]);

    if (!process)
        return;
    process->priority = 1;
    put(&s->ready[1], process);
}

static void block(struct scheduler *s)
{
    if (!s->running)
        return;
    put(&s->blocked, s->running);
    s->running = NULL;
    dispatch(s);
}

static void unblock(struct scheduler *s)
{
    struct process *process = take(&s->blocked);

    if (!process)
        return;
    put(&s->ready[process->priority], process);
    dispatch(s);
}

static void expire(struct scheduler *s)
{
    struct process *process = s->running;

    if (!process)
        return;
    process->quanta++;
    s->running = NULL;
    put(&s->ready[process->priority], process);
    dispatch(s);
}

static void finish(struct scheduler *s)
{
    if (!s->running)
        return;
    free(s->running);
    s->running = NULL;
    s->finished++;
    dispatch(s);
}

static void execute(struct scheduler *s, unsigned char command)
{
    switch (command) {
    case CMD_NEW_LOW:
        create(s, 0);
        break;
    case CMD_NEW_HIGH:
        create(s, 2);
        break;
    case CMD_UPGRADE:
        upgrade(s);
        break;
    case CMD_BLOCK:
        block(s);
        break;
    case CMD_UNBLOCK:
        unblock(s);
        break;
    case CMD_EXPIRE:
        expire(s);
        break;
    case CMD_FINISH:
        finish(s);
        break;
    }
}

static void count(struct statistics *statistics, unsigned char command)
{
    if (command >= CMD_COUNT)
        statistics->invalid++;
    else if (command <= CMD_NEW_HIGH)
        statistics->creations++;
    else if (command == CMD_BLOCK || command == CMD_EXPIRE)
        statistics->switches++;
}

static int waiting(const struct scheduler *s)
{
    int sum = s->blocked.length, priority;

    for (priority = 0; priority < PRIORITIES; priority++) {
        const struct queue *queue = &s->ready[priority];
        assert((queue->first == NULL) == (queue->length == 0));
        sum += queue->length;
    }
    return sum;
}

int main(void)
{
    struct scheduler s = {{{NULL, NULL, 0}}, {NULL, NULL, 0}, NULL, 0, 0};
    struct statistics statistics = {0, 0, 0};
    unsigned char commands[COMMANDS];
    int i;

    byway_make_symbolic(commands, sizeof commands, "commands");
    for (i = 0; i < COMMANDS; i++) {
        execute(&s, commands[i]);
        count(&statistics, commands[i]);
    }
    assert(s.finished <= s.next_id);
    assert(waiting(&s) + (s.running != NULL) + s.finished == s.next_id);
    assert(statistics.creations >= s.finished);
    assert(statistics.creations + statistics.switches + statistics.invalid <= COMMANDS);
    return 8 * s.finished + (s.running ? 1 + s.running->priority : 0);
}

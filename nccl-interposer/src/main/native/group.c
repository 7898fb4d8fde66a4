/* What a thread has called since ncclGroupStart. The last ncclGroupEnd makes all calls, those of several communicators
 * at once. */
#include "interposer.h"
#include "calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static __thread int depth;
static __thread result first_failure;
static __thread char first_text[512];
static __thread operation *operations;
static __thread size_t operation_count, operation_space;
static __thread opening **openings;
static __thread size_t opening_count, opening_space;

/* What one communicator does in a group: its part of the operations, which is in order. */
typedef struct {
    communicator *comm;
    operation *operations;
    size_t count;
    result outcome;
    char text[512];
} part;

bool in_group(void) {
    return depth > 0;
}

/* Enlarges an array for one more element; NULL if there is no memory, and the old one stays. */
static void *enlarged(void *array, size_t count, size_t *space, size_t size) {
    if (count < *space) {
        return array;
    }
    size_t more = *space == 0 ? 16 : *space * 2;
    void *larger = realloc(array, more * size);
    if (larger == NULL) {
        failed(SYSTEM_ERROR, "there is no memory for the %zu calls of a group", count + 1);
        return NULL;
    }
    *space = more;
    return larger;
}

result noted(result outcome) {
    if (in_group() && first_failure == SUCCESS && outcome != SUCCESS) {
        first_failure = outcome;
        snprintf(first_text, sizeof first_text, "%s", kept_text());
    }
    return outcome;
}

result add_operation(const operation *one) {
    if (!in_group()) {
        operation alone = *one;
        result refusal = enter(alone.comm, "a call of NCCL");
        if (refusal != SUCCESS) {
            return refusal;
        }
        refusal = call_operations(&alone, 1);
        leave(alone.comm);
        return refusal;
    }
    operation *larger = enlarged(operations, operation_count, &operation_space, sizeof *operations);
    if (larger == NULL) {
        return noted(SYSTEM_ERROR);
    }
    operations = larger;
    operations[operation_count++] = *one;
    return SUCCESS;
}

result add_opening(opening *one) {
    opening **larger = enlarged(openings, opening_count, &opening_space, sizeof *openings);
    if (larger == NULL) {
        forget_opening(one);
        return noted(SYSTEM_ERROR);
    }
    openings = larger;
    openings[opening_count++] = one;
    return SUCCESS;
}

static void *run_in_thread(void *of) {
    run_opening(of);
    return NULL;
}

/* All at once, since ranks of one communicator wait for each other. */
static result open_all(opening **all, size_t count) {
    pthread_t *threads = calloc(count + 1, sizeof *threads);
    result outcome = threads == NULL ? failed(SYSTEM_ERROR, "there is no memory for %zu threads", count) : SUCCESS;
    size_t started = 0;
    for (; outcome == SUCCESS && started + 1 < count; started++) {
        if (pthread_create(&threads[started], NULL, run_in_thread, all[started]) != 0) {
            outcome = failed(SYSTEM_ERROR, "no thread can be started for a communicator");
            break;
        }
    }
    if (outcome == SUCCESS) {
        run_opening(all[count - 1]);
    }
    for (size_t i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
    for (size_t i = 0; i < count; i++) {
        communicator *comm;
        result one = i < started || i == count - 1 ? opening_result(all[i], &comm) : SYSTEM_ERROR;
        outcome = outcome == SUCCESS ? one : outcome;
        forget_opening(all[i]);
    }
    free(threads);
    return outcome;
}

static void run_part(void *of) {
    part *one = of;
    one->outcome = call_operations(one->operations, one->count);
    strncpy(one->text, one->outcome == SUCCESS ? "" : kept_text(), sizeof one->text - 1);
}

/* Sorts operations by their communicators, each of which keeps its order. Returns how many parts there are; 0 without
 * memory. */
static size_t divide(operation *all, size_t count, part *parts, operation *sorted) {
    size_t found = 0, placed = 0;
    for (size_t i = 0; i < count; i++) {
        size_t known = 0;
        while (known < found && parts[known].comm != all[i].comm) {
            known++;
        }
        if (known < found) {
            continue;
        }
        part *made = &parts[found++];
        *made = (part){.comm = all[i].comm, .operations = sorted + placed};
        for (size_t k = i; k < count; k++) {
            if (all[k].comm == made->comm) {
                sorted[placed++] = all[k];
                made->count++;
            }
        }
    }
    return found;
}

/* Enters all, in the order of their addresses, so that two threads with the same communicators do not wait for each
 * other. */
static int by_address(const void *left, const void *right) {
    const part *a = left, *b = right;
    return a->comm < b->comm ? -1 : a->comm > b->comm;
}

static result run_parts(part *parts, size_t count) {
    result outcome = SUCCESS;
    size_t entered = 0, handed = 0;
    qsort(parts, count, sizeof *parts, by_address);
    for (; entered < count && outcome == SUCCESS; entered++) {
        outcome = enter(parts[entered].comm, "ncclGroupEnd");
        if (outcome != SUCCESS) {
            break;
        }
    }
    for (; outcome == SUCCESS && handed + 1 < count; handed++) {
        worker *thread = worker_of(parts[handed].comm);
        if (thread == NULL) {
            outcome = SYSTEM_ERROR;
            break;
        }
        give_job(thread, run_part, &parts[handed]);
    }
    if (outcome == SUCCESS && count > 0) {
        run_part(&parts[count - 1]);
    }
    for (size_t i = 0; i < handed; i++) {
        await_job(parts[i].comm->worker);
    }
    for (size_t i = 0; i < entered; i++) {
        leave(parts[i].comm);
    }
    for (size_t i = 0; i < count && outcome == SUCCESS; i++) {
        outcome = parts[i].outcome == SUCCESS ? SUCCESS : failed(parts[i].outcome, "%s", parts[i].text);
    }
    return outcome;
}

static result call_all(operation *all, size_t count) {
    part *parts = calloc(count, sizeof *parts);
    operation *sorted = calloc(count, sizeof *sorted);
    result outcome = parts == NULL || sorted == NULL
                         ? failed(SYSTEM_ERROR, "there is no memory for the %zu calls of a group", count)
                         : run_parts(parts, divide(all, count, parts, sorted));
    free(parts);
    free(sorted);
    return outcome;
}

API(result, ncclGroupStart, (void)) {
    depth++;
    return SUCCESS;
}

/* Takes what this thread has called, so that calls behind a failure do not meet it again. */
static result end_group(bool calls) {
    size_t opened = opening_count, called = operation_count;
    opening_count = 0;
    operation_count = 0;
    result outcome = first_failure;
    first_failure = SUCCESS;
    if (outcome != SUCCESS || !calls) {
        for (size_t i = 0; i < opened; i++) {
            forget_opening(openings[i]);
        }
        return outcome == SUCCESS ? SUCCESS : failed(outcome, "%s", first_text);
    }
    if (opened > 0) {
        outcome = open_all(openings, opened);
    }
    if (called > 0 && outcome == SUCCESS) {
        outcome = call_all(operations, called);
    }
    return outcome;
}

API(result, ncclGroupEnd, (void)) {
    if (depth == 0) {
        return failed(INVALID_USAGE, "ncclGroupEnd without ncclGroupStart in this thread");
    }
    return --depth > 0 ? SUCCESS : end_group(true);
}

API(result, ncclGroupSimulateEnd, (simulation * estimate)) {
    (void)estimate;
    if (depth == 0) {
        return failed(INVALID_USAGE, "ncclGroupSimulateEnd without ncclGroupStart in this thread");
    }
    if (--depth == 0) {
        end_group(false);
    }
    return refused("ncclGroupSimulateEnd", "2.22.3");
}

/* The VM in the process of the program: aborts from other threads, forks, short threads, and ends. */
#include "ranks.h"
#include "scenarios.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

enum { COUNT = 1000, SHORT_THREADS = 2000 };

static int add(one_rank *own) {
    return ncclAllReduce(own->input, own->output, COUNT, ncclFloat32, ncclSum, own->comm, own->stream);
}

static void *abort_later(void *comm) {
    usleep(300000);
    OK(ncclCommAbort(comm));
    return NULL;
}

/* The other rank never comes, so the communicator is never open. */
static void abort_opening(void) {
    char config[24] = {0};
    const size_t size = sizeof config;
    const unsigned head[] = {0xcafebeef, 21403};
    ncclUniqueId id;
    ncclComm_t comm;
    ncclResult_t state, opening;
    int count;
    memcpy(config, &size, sizeof size);
    memcpy(config + 8, head, sizeof head);
    OK(ncclGetUniqueId(&id));
    opening = ncclCommInitRankConfig(&comm, 2, id, 0, (void *)config);
    HOLDS(opening == ncclInProgress);
    usleep(500000);
    OK(ncclCommGetAsyncError(comm, &state));
    HOLDS(state == ncclInProgress);
    REFUSED(ncclCommCount(comm, &count), ncclInvalidArgument, "still being opened");
    OK(ncclCommAbort(comm));
}

/* Rank 0 of two waits for rank 1, which does not call, until another thread aborts. */
void run_abort(void) {
    one_rank all[MOST_RANKS];
    pthread_t thread;
    open_ranks(all, 2, COUNT);
    fill(all, 2, COUNT, ncclFloat32);
    use_device(0);
    HOLDS(pthread_create(&thread, NULL, abort_later, all[0].comm) == 0);
    int outcome = add(&all[0]); /* waits for the other rank, since it is the first of its class */
    HOLDS(outcome == ncclRemoteError || outcome == ncclSuccess);
    pthread_join(thread, NULL);
    REFUSED(add(&all[0]), ncclInvalidUsage, "aborted");
    ncclResult_t state;
    use_device(1);
    OK(ncclCommGetAsyncError(all[1].comm, &state));
    HOLDS(state == ncclRemoteError);
    OK(ncclCommAbort(all[1].comm));
    abort_opening();
}

static void handler(int signal) {
    (void)signal;
}

/* A child of fork gets a code, and may end as it likes; the program's handlers are its own. */
void run_fork(void) {
    struct sigaction own = {.sa_handler = handler}, seen;
    sigaction(SIGUSR2, &own, NULL);
    sigaction(SIGSEGV, &own, NULL);
    one_rank all[MOST_RANKS];
    open_ranks(all, 1, COUNT);
    sigaction(SIGUSR2, NULL, &seen);
    HOLDS(seen.sa_handler == handler);
    pid_t child = fork();
    if (child == 0) {
        ncclUniqueId id;
        sigaction(SIGSEGV, NULL, &seen);
        bool right = ncclGetUniqueId(&id) == ncclSystemError && strstr(ncclGetLastError(NULL), "forked") != NULL &&
                     seen.sa_handler == handler;
        _exit(right ? 0 : 1);
    }
    int status;
    HOLDS(waitpid(child, &status, 0) == child && status == 0);
    child = fork();
    if (child == 0) {
        raise(SIGBUS); /* which the VM would handle */
        _exit(0);
    }
    HOLDS(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS);
    close_ranks(all, 1);
}

static void *ask(void *comm) {
    ncclResult_t state;
    OK(ncclCommGetAsyncError(comm, &state)); /* attaches this thread to the VM */
    HOLDS(state == ncclSuccess);
    return NULL;
}

/* A number of /proc/self/status. */
static long status_of(const char *name) {
    char line[256];
    long value = -1;
    FILE *in = fopen("/proc/self/status", "r");
    while (value < 0 && fgets(line, sizeof line, in) != NULL) {
        if (strncmp(line, name, strlen(name)) == 0) {
            value = atol(line + strlen(name));
        }
    }
    fclose(in);
    return value;
}

/* Threads that end leave nothing in the VM. */
void run_threads(void) {
    one_rank all[MOST_RANKS];
    open_ranks(all, 1, COUNT);
    ask(all[0].comm);
    long before = status_of("Threads:");
    for (int i = 0; i < SHORT_THREADS; i++) {
        pthread_t thread;
        HOLDS(pthread_create(&thread, NULL, ask, all[0].comm) == 0);
        pthread_join(thread, NULL);
    }
    HOLDS(status_of("Threads:") <= before + 2);
    close_ranks(all, 1);
}

/* Ends without destroying anything. */
void run_end(void) {
    one_rank all[MOST_RANKS];
    open_ranks(all, 2, COUNT);
    fill(all, 2, COUNT, ncclFloat32);
}

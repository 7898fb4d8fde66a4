/*
 * Children of fork: the threads of the VM do not exist in them, so every call that needs the VM is refused. The
 * handlers of signals that the program has chosen count again, since those of the VM would wait for its threads.
 */
#include "interposer.h"

#include <dlfcn.h>
#include <signal.h>
#include <string.h>

/* The signals that HotSpot installs handlers for with -Xrs. */
static const int SIGNALS[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGPIPE, SIGXFSZ, VM_SIGNAL};

enum { COUNT = sizeof SIGNALS / sizeof *SIGNALS };

typedef int exchange(int signal, const struct sigaction *next, struct sigaction *old);

/* That of the C library: libjsig may stand before it. */
static exchange *direct;

static struct sigaction before[COUNT]; /* the VM was created */
static struct sigaction of_vm[COUNT];
static struct sigaction chosen[COUNT]; /* by the program, as libjsig or the kernel says */
static atomic_bool forked;

void remember_handlers(void) {
    void *library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    void *address = library == NULL ? NULL : dlsym(library, "sigaction");
    memcpy(&direct, &address, sizeof direct);
    for (int i = 0; i < COUNT && direct != NULL; i++) {
        direct(SIGNALS[i], NULL, &before[i]);
    }
}

static void before_fork(void) {
    for (int i = 0; i < COUNT; i++) {
        sigaction(SIGNALS[i], NULL, &chosen[i]);
    }
}

static void in_child(void) {
    atomic_store(&forked, true);
    for (int i = 0; i < COUNT && direct != NULL; i++) {
        bool vm = chosen[i].sa_sigaction == of_vm[i].sa_sigaction;
        direct(SIGNALS[i], vm ? &before[i] : &chosen[i], NULL);
    }
}

void guard_forks(void) {
    for (int i = 0; i < COUNT && direct != NULL; i++) {
        direct(SIGNALS[i], NULL, &of_vm[i]);
    }
    pthread_atfork(before_fork, NULL, in_child);
}

bool is_fork(void) {
    return atomic_load(&forked);
}

/* Threads that make the calls of one communicator, where one thread of the program calls several at once. */
#include "interposer.h"

#include <stdlib.h>

struct worker {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    job *work;
    void *argument;
    bool ends;
};

static void *run(void *of) {
    worker *self = of;
    pthread_mutex_lock(&self->lock);
    while (true) {
        while (self->work == NULL && !self->ends) {
            pthread_cond_wait(&self->changed, &self->lock);
        }
        if (self->work == NULL) {
            pthread_mutex_unlock(&self->lock);
            return NULL;
        }
        pthread_mutex_unlock(&self->lock);
        self->work(self->argument);
        pthread_mutex_lock(&self->lock);
        self->work = NULL;
        pthread_cond_broadcast(&self->changed);
    }
}

worker *start_worker(void) {
    worker *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return NULL;
    }
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->changed, NULL);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 1 << 20); /* enough for Java, whatever the limit of the program is */
    int refusal = pthread_create(&made->thread, &attributes, run, made);
    pthread_attr_destroy(&attributes);
    if (refusal != 0) {
        free(made);
        return NULL;
    }
    return made;
}

void give_job(worker *of, job *work, void *argument) {
    pthread_mutex_lock(&of->lock);
    of->argument = argument;
    of->work = work;
    pthread_cond_broadcast(&of->changed);
    pthread_mutex_unlock(&of->lock);
}

void await_job(worker *of) {
    pthread_mutex_lock(&of->lock);
    while (of->work != NULL) {
        pthread_cond_wait(&of->changed, &of->lock);
    }
    pthread_mutex_unlock(&of->lock);
}

void end_worker(worker *of) {
    pthread_mutex_lock(&of->lock);
    of->ends = true;
    pthread_cond_broadcast(&of->changed);
    pthread_mutex_unlock(&of->lock);
    pthread_join(of->thread, NULL);
    pthread_mutex_destroy(&of->lock);
    pthread_cond_destroy(&of->changed);
    free(of);
}

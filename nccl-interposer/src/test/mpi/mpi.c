/*
 * The part of MPI that nccl-tests call, for processes of one host: enough to build them, unmodified, with MPI=1 where
 * no MPI is installed. Each rank is started with MPI_FILE, the path of an empty file that all share, MPI_RANK and
 * MPI_SIZE. All ranks must call the same functions in the same order. MPI_Comm_split makes one group only: nccl-tests
 * use others only if NCCL_TESTS_SPLIT asks for it.
 */
#include "mpi.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { RANKS = 64, PART = 1 << 16 };

static struct shared {
    pthread_mutex_t mutex;
    pthread_cond_t all_there;
    int arrived;
    int rounds;
    volatile int ready;
    char parts[RANKS][PART];
} *shared;
static int my_rank, ranks;

static void fail(const char *what) {
    fprintf(stderr, "mpi: rank %d: %s\n", my_rank, what);
    exit(1);
}

static int number(const char *name) {
    const char *value = getenv(name);
    if (value == NULL) {
        fail("MPI_FILE, MPI_RANK and MPI_SIZE must be set");
    }
    return atoi(value);
}

int MPI_Init(int *count, char ***arguments) {
    (void)count, (void)arguments;
    my_rank = number("MPI_RANK");
    ranks = number("MPI_SIZE");
    if (ranks > RANKS || my_rank < 0 || my_rank >= ranks) {
        fail("MPI_RANK must be below MPI_SIZE, which is at most 64");
    }
    const char *path = getenv("MPI_FILE");
    int file = path == NULL ? -1 : open(path, O_RDWR);
    if (file < 0 || ftruncate(file, sizeof *shared) != 0) {
        fail("the file of MPI_FILE cannot be opened");
    }
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared == MAP_FAILED) {
        fail("the file of MPI_FILE cannot be mapped");
    }
    close(file);
    if (my_rank == 0) {
        pthread_mutexattr_t mutex;
        pthread_condattr_t condition;
        pthread_mutexattr_init(&mutex);
        pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
        pthread_mutex_init(&shared->mutex, &mutex);
        pthread_condattr_init(&condition);
        pthread_condattr_setpshared(&condition, PTHREAD_PROCESS_SHARED);
        pthread_cond_init(&shared->all_there, &condition);
        __atomic_store_n(&shared->ready, 1, __ATOMIC_RELEASE);
    }
    while (!__atomic_load_n(&shared->ready, __ATOMIC_ACQUIRE)) {
        usleep(1000);
    }
    return MPI_Barrier(MPI_COMM_WORLD);
}

int MPI_Finalize(void) {
    return MPI_Barrier(MPI_COMM_WORLD);
}

int MPI_Comm_size(MPI_Comm communicator, int *size) {
    *size = ranks;
    return MPI_SUCCESS;
}

int MPI_Comm_rank(MPI_Comm communicator, int *rank) {
    *rank = my_rank;
    return MPI_SUCCESS;
}

int MPI_Comm_split(MPI_Comm communicator, int colour, int key, MPI_Comm *made) {
    int colours[RANKS];
    MPI_Allgather(&colour, 1, MPI_INT, colours, 1, MPI_INT, communicator);
    for (int i = 0; i < ranks; i++) {
        if (colours[i] != colour) {
            fail("MPI_Comm_split: several groups are not supported here; all ranks must give the same colour");
        }
    }
    *made = MPI_COMM_WORLD;
    return MPI_SUCCESS;
}

int MPI_Comm_free(MPI_Comm *communicator) {
    return MPI_SUCCESS;
}

int MPI_Barrier(MPI_Comm communicator) {
    pthread_mutex_lock(&shared->mutex);
    int round = shared->rounds;
    if (++shared->arrived == ranks) {
        shared->arrived = 0;
        shared->rounds++;
        pthread_cond_broadcast(&shared->all_there);
    }
    while (shared->rounds == round) {
        pthread_cond_wait(&shared->all_there, &shared->mutex);
    }
    pthread_mutex_unlock(&shared->mutex);
    return MPI_SUCCESS;
}

static size_t bytes(int count, MPI_Datatype type) {
    return (size_t)count * (size_t)(type % 100);
}

/* Puts data of this rank where the others find it, in pieces of PART bytes. take() gets each piece of each rank. */
static void exchange(const char *data, size_t size, void take(void *, int, size_t, const char *, size_t), void *to) {
    for (size_t begin = 0; begin < size; begin += PART) {
        size_t length = size - begin < PART ? size - begin : PART;
        memcpy(shared->parts[my_rank], data + begin, length);
        MPI_Barrier(MPI_COMM_WORLD);
        for (int rank = 0; rank < ranks; rank++) {
            take(to, rank, begin, shared->parts[rank], length);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

struct target {
    char *data;
    size_t size;
    int root;
};

static void take_root(void *to, int rank, size_t begin, const char *piece, size_t length) {
    struct target *target = to;
    if (rank == target->root) {
        memcpy(target->data + begin, piece, length);
    }
}

int MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm communicator) {
    struct target target = {data, bytes(count, type), root};
    exchange(data, target.size, take_root, &target);
    return MPI_SUCCESS;
}

static void take_each(void *to, int rank, size_t begin, const char *piece, size_t length) {
    struct target *target = to;
    if (target->data != NULL) {
        memcpy(target->data + (size_t)rank * target->size + begin, piece, length);
    }
}

static int gather(const void *sent, void *received, size_t size) {
    struct target target = {received, size, 0};
    exchange(sent == MPI_IN_PLACE ? (char *)received + (size_t)my_rank * size : sent, size, take_each, &target);
    return MPI_SUCCESS;
}

int MPI_Allgather(const void *sent, int sentCount, MPI_Datatype sentType, void *received, int count, MPI_Datatype type,
    MPI_Comm communicator) {
    return gather(sent, received, bytes(count, type));
}

int MPI_Gather(const void *sent, int sentCount, MPI_Datatype sentType, void *received, int count, MPI_Datatype type,
    int root, MPI_Comm communicator) {
    return gather(sent, my_rank == root ? received : NULL, bytes(sentCount, sentType));
}

#define REDUCE(T)                                                                                                      \
    for (int i = 0; i < count; i++) {                                                                                  \
        T result = ((T *)all)[i];                                                                                      \
        for (int rank = 1; rank < ranks; rank++) {                                                                     \
            T next = ((T *)all)[rank * count + i];                                                                     \
            result = operation == MPI_SUM ? result + next                                                              \
                : (operation == MPI_MIN) == (next < result) ? next                                                     \
                                                            : result;                                                  \
        }                                                                                                              \
        ((T *)received)[i] = result;                                                                                   \
    }

int MPI_Allreduce(
    const void *sent, void *received, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm communicator) {
    size_t size = bytes(count, type);
    char *all = malloc(size * (size_t)ranks);
    gather(sent == MPI_IN_PLACE ? received : sent, all, size);
    if (type == MPI_DOUBLE) {
        REDUCE(double)
    } else if (type == MPI_INT) {
        REDUCE(int)
    } else if (type == MPI_LONG) {
        REDUCE(long)
    } else {
        fail("MPI_Allreduce takes MPI_DOUBLE, MPI_INT and MPI_LONG here");
    }
    free(all);
    return MPI_SUCCESS;
}

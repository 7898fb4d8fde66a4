/*
 * What the ranks of a group share: a file that all of them map, and a file for the data of each. So ranks may be
 * threads or processes. The files have no names once all ranks have opened them.
 */
#include "stand_in.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

int is_aborted(const communicator *comm) {
    return __atomic_load_n(&comm->aborted, __ATOMIC_SEQ_CST)
            || (comm->parent != NULL && __atomic_load_n(&comm->parent->aborted, __ATOMIC_SEQ_CST));
}

void rest(void) {
    struct timespec time = {0, 20000};
    sched_yield();
    nanosleep(&time, NULL);
}

int meet(communicator *comm, int place) {
    long round = __atomic_add_fetch(&comm->members[comm->rank].rounds[place], 1, __ATOMIC_SEQ_CST);
    int status = SUCCESS;
    count_live(WAITING, 1);
    for (int rank = 0; rank < comm->ranks && status == SUCCESS; rank++) {
        while (__atomic_load_n(&comm->members[rank].rounds[place], __ATOMIC_SEQ_CST) < round && status == SUCCESS) {
            status = is_aborted(comm) ? failed(INTERNAL_ERROR, "aborted") : SUCCESS;
            rest();
        }
    }
    count_live(WAITING, -1);
    return status;
}

int write_own(communicator *comm, size_t offset, const void *data, size_t bytes) {
    for (size_t done = 0; done < bytes;) {
        ssize_t now = pwrite(comm->files[comm->rank], (const char *)data + done, bytes - done, (off_t)(offset + done));
        if (now <= 0) {
            return failed(CUDA_ERROR, "memory cannot be read");
        }
        done += (size_t)now;
    }
    return SUCCESS;
}

int published(communicator *comm, int rank, size_t offset, void *to, size_t bytes) {
    for (size_t done = 0; done < bytes;) {
        ssize_t now = pread(comm->files[rank], (char *)to + done, bytes - done, (off_t)(offset + done));
        if (now <= 0) {
            return failed(CUDA_ERROR, "memory cannot be written");
        }
        done += (size_t)now;
    }
    return SUCCESS;
}

int publish(communicator *comm, int place, const call *own, const void *data, size_t bytes) {
    notice *mine = &comm->members[comm->rank].notices[place];
    *mine = (notice){own->kind, own->count, own->type, own->op, own->peer, own->key, factor_of(own)};
    if (bytes > 0 && (ftruncate(comm->files[comm->rank], 0) != 0 || write_own(comm, 0, data, bytes) != SUCCESS)) {
        return CUDA_ERROR;
    }
    int status = meet(comm, place);
    for (int rank = 0; own->kind != SPLIT && status == SUCCESS && rank < comm->ranks; rank++) {
        notice *other = &comm->members[rank].notices[place];
        int alike = own->op >= FIRST_CREATED_OP ? other->op >= FIRST_CREATED_OP : other->op == own->op;
        if (other->kind != own->kind || other->count != own->count || other->type != own->type || !alike
                || other->peer != own->peer) {
            status = failed(INVALID_USAGE, "the ranks' calls differ");
        }
    }
    return status;
}

void derive_id(const communicator *comm, uint64_t salt, uint64_t *id) {
    for (int i = 0; i < 2; i++) {
        id[i] = (comm->id[i] ^ (salt + (uint64_t)i)) * 0x9e3779b97f4a7c15u;
        id[i] ^= id[i] >> 29;
    }
}

static void name_of(const communicator *comm, int rank, char *name, size_t bytes) {
    const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    int end = snprintf(name, bytes, "%s/mscclj-stand-in-%016lx%016lx", folder, comm->id[0], comm->id[1]);
    if (rank >= 0) {
        snprintf(name + end, bytes - (size_t)end, "-%d", rank);
    }
}

static int open_file(const communicator *comm, int rank) {
    char name[128];
    name_of(comm, rank, name, sizeof name);
    return open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
}

int join(communicator *comm) {
    int shared = open_file(comm, -1);
    comm->files[comm->rank] = open_file(comm, comm->rank);
    if (shared < 0 || comm->files[comm->rank] < 0 || ftruncate(shared, MOST_RANKS * sizeof(member)) != 0) {
        return failed(SYSTEM_ERROR, "no file that the ranks share");
    }
    comm->members = mmap(NULL, MOST_RANKS * sizeof(member), PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
    close(shared);
    int status = meet(comm, CALLERS);
    for (int rank = 0; rank < comm->ranks && status == SUCCESS; rank++) {
        comm->files[rank] = rank == comm->rank ? comm->files[rank] : open_file(comm, rank);
        status = comm->files[rank] < 0 ? failed(SYSTEM_ERROR, "no file of a rank") : SUCCESS;
    }
    if (status == SUCCESS) {
        status = meet(comm, CALLERS);
    }
    for (int rank = -1; rank <= comm->rank; rank += comm->rank + 1) {
        char name[128];
        name_of(comm, rank, name, sizeof name);
        unlink(name);
    }
    return status;
}

/*
 * Memory that programs allocate by NCCL or register with it. What ncclMemAlloc gives can be mapped by peers: virtual
 * memory of the driver, whose handle goes to other processes as a file descriptor. This library needs no communicator
 * for that, and so no Java. All GPUs of this process that have a link may access it, as with NCCL: a program may copy
 * it while another GPU is current.
 */
#include "interposer.h"

#include <stdlib.h>
#include <string.h>

/* CUmemAllocationProp of the driver. */
typedef struct {
    int type, handles;
    struct {
        int type, id;
    } location;
    void *windows;
    unsigned char compression, adapters, rest[6];
} properties;

/* CUmemAccessDesc of the driver. */
typedef struct {
    struct {
        int type, id;
    } location;
    int flags;
} access;

enum { PINNED = 1, FILE_DESCRIPTOR = 1, DEVICE = 1, READ_WRITE = 3 };

typedef unsigned long long address;

typedef struct {
    int (*granularity)(size_t *, const properties *, int);
    int (*create)(address *, size_t, const properties *, unsigned long long);
    int (*reserve)(address *, size_t, size_t, address, unsigned long long);
    int (*map)(address, size_t, size_t, address, unsigned long long);
    int (*allow)(address, size_t, const access *, size_t);
    int (*release)(address);
    int (*unmap)(address, size_t);
    int (*free)(address, size_t);
    int (*devices)(int *);
    int (*reaches)(int *, int, int);
} driver;

/* Memory of ncclMemAlloc. The driver tells the size of an allocation only while its GPU is current. */
typedef struct allocation {
    address at;
    size_t size;
    struct allocation *next;
} allocation;

static allocation *allocations;
static pthread_mutex_t allocations_lock = PTHREAD_MUTEX_INITIALIZER;

static driver calls;
static const char *missing;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find(void *function, const char *name) {
    void *found = cuda_function(name);
    if (found == NULL) {
        missing = name;
    }
    memcpy(function, &found, sizeof found);
}

static void find_all(void) {
    find(&calls.granularity, DRIVER_PREFIX "MemGetAllocationGranularity");
    find(&calls.create, DRIVER_PREFIX "MemCreate");
    find(&calls.reserve, DRIVER_PREFIX "MemAddressReserve");
    find(&calls.map, DRIVER_PREFIX "MemMap");
    find(&calls.allow, DRIVER_PREFIX "MemSetAccess");
    find(&calls.release, DRIVER_PREFIX "MemRelease");
    find(&calls.unmap, DRIVER_PREFIX "MemUnmap");
    find(&calls.free, DRIVER_PREFIX "MemAddressFree");
    find(&calls.devices, COUNT_FUNCTION);
    find(&calls.reaches, DRIVER_PREFIX "DeviceCanAccessPeer");
}

static result find_driver(const char *function) {
    pthread_once(&once, find_all);
    if (missing != NULL) {
        return failed(
            CUDA_ERROR, "%s: this process has no CUDA driver with %s; call it after a call of CUDA", function, missing);
    }
    return SUCCESS;
}

/* Lets a GPU access memory, and all that have a link to it. */
static int allow_gpus(address at, size_t size, int owner) {
    int count = 0;
    int code = calls.devices(&count);
    for (int device = 0; device < count && code == 0; device++) {
        int reaches = device == owner;
        if (!reaches) {
            code = calls.reaches(&reaches, device, owner);
        }
        if (code == 0 && reaches) {
            const access one = {.location = {DEVICE, device}, .flags = READ_WRITE};
            code = calls.allow(at, size, &one, 1);
        }
    }
    return code;
}

/* Maps memory that was created, so that GPUs can access it. */
static int map_created(address handle, size_t size, int device, address *at) {
    int code = calls.reserve(at, size, 0, 0, 0);
    if (code != 0) {
        return code;
    }
    code = calls.map(*at, size, 0, handle, 0);
    if (code == 0) {
        code = allow_gpus(*at, size, device);
        if (code != 0) {
            calls.unmap(*at, size);
        }
    }
    if (code != 0) {
        calls.free(*at, size);
    }
    return code;
}

static void keep(allocation *made) {
    pthread_mutex_lock(&allocations_lock);
    made->next = allocations;
    allocations = made;
    pthread_mutex_unlock(&allocations_lock);
}

/* Removes the allocation that begins at an address; NULL if there is none. */
static allocation *take(address at) {
    pthread_mutex_lock(&allocations_lock);
    allocation **link = &allocations;
    while (*link != NULL && (*link)->at != at) {
        link = &(*link)->next;
    }
    allocation *found = *link;
    if (found != NULL) {
        *link = found->next;
    }
    pthread_mutex_unlock(&allocations_lock);
    return found;
}

API(result, ncclMemAlloc, (void **memory, size_t size)) {
    if (memory == NULL || size == 0) {
        return failed(
            INVALID_ARGUMENT, "ncclMemAlloc: %zu bytes; allowed: 1 or more, and the address of a pointer", size);
    }
    result refusal = find_driver("ncclMemAlloc");
    if (refusal != SUCCESS) {
        return refusal;
    }
    allocation *made = malloc(sizeof *made);
    if (made == NULL) {
        return failed(SYSTEM_ERROR, "ncclMemAlloc: %zu bytes: the host has no memory to record them; free some", size);
    }
    int device = current_device();
    properties wanted = {.type = PINNED, .handles = FILE_DESCRIPTOR, .location = {DEVICE, device}, .adapters = 1};
    size_t step = 0;
    int code = calls.granularity(&step, &wanted, 1);
    address handle = 0;
    *made = (allocation){.size = code == 0 && step > 0 ? (size + step - 1) / step * step : size};
    if (code == 0) {
        code = calls.create(&handle, made->size, &wanted, 0);
        if (code != 0) { /* perhaps a GPU whose memory adapters cannot access */
            wanted.adapters = 0;
            code = calls.create(&handle, made->size, &wanted, 0);
        }
    }
    if (code == 0) {
        code = map_created(handle, made->size, device, &made->at);
        calls.release(handle); /* the mapping keeps it */
    }
    if (code != 0) {
        free(made);
        return failed(CUDA_ERROR, "ncclMemAlloc: %zu bytes on GPU %d: error %d of the driver", size, device, code);
    }
    *memory = (void *)(uintptr_t)made->at;
    keep(made);
    return SUCCESS;
}

API(result, ncclMemFree, (void *memory)) {
    if (memory == NULL) {
        return SUCCESS;
    }
    allocation *freed = take((address)(uintptr_t)memory);
    if (freed == NULL) {
        return failed(
            INVALID_ARGUMENT, "ncclMemFree: %p is not the begin of an allocation; pass what ncclMemAlloc gave", memory);
    }
    int code = calls.unmap(freed->at, freed->size);
    if (code != 0) {
        keep(freed);
        return failed(CUDA_ERROR, "ncclMemFree: %p: error %d of the driver", memory, code);
    }
    code = calls.free(freed->at, freed->size);
    free(freed);
    return code == 0 ? SUCCESS : failed(CUDA_ERROR, "ncclMemFree: %p: error %d of the driver", memory, code);
}

/* A registration of one rank is a hint, which has no effect here. */
API(result, ncclCommRegister, (communicator * comm, void *memory, size_t size, void **handle)) {
    result refusal = enter(comm, "ncclCommRegister");
    if (refusal != SUCCESS) {
        return refusal;
    }
    leave(comm);
    if (handle == NULL || (memory == NULL && size > 0)) {
        return failed(INVALID_ARGUMENT, "ncclCommRegister: %zu bytes at %p; pass memory, and the address of a handle",
            size, memory);
    }
    *handle = memory;
    return SUCCESS;
}

API(result, ncclCommDeregister, (communicator * comm, void *handle)) {
    (void)handle;
    result refusal = enter(comm, "ncclCommDeregister");
    if (refusal == SUCCESS) {
        leave(comm);
    }
    return refusal;
}

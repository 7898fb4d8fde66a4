/*
 * Other software that makes and takes tensors of DLPack. The structures are written down here once more, so that the compiler says where their fields are.
 */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int32_t type, id;
} Device;

typedef struct {
    uint8_t code, bits;
    uint16_t lanes;
} Type;

typedef struct {
    void *data;
    Device device;
    int32_t dimensions;
    Type type;
    int64_t *shape, *strides;
    uint64_t byte_offset;
} Tensor;

typedef struct Unversioned {
    Tensor tensor;
    void *context;
    void (*deleter)(struct Unversioned *);
} Unversioned;

typedef struct Versioned {
    struct {
        uint32_t major, minor;
    } version;
    void *context;
    void (*deleter)(struct Versioned *);
    uint64_t flags;
    Tensor tensor;
} Versioned;

/* Where fields are, and how large structures are, in the order in which the test asks. */
int64_t tensors_layout(int which) {
    static const int64_t all[] = {
        sizeof(Tensor),
        offsetof(Tensor, data),
        offsetof(Tensor, device.type),
        offsetof(Tensor, device.id),
        offsetof(Tensor, dimensions),
        offsetof(Tensor, type.code),
        offsetof(Tensor, type.bits),
        offsetof(Tensor, type.lanes),
        offsetof(Tensor, shape),
        offsetof(Tensor, strides),
        offsetof(Tensor, byte_offset),
        sizeof(Unversioned),
        offsetof(Unversioned, tensor),
        offsetof(Unversioned, deleter),
        sizeof(Versioned),
        offsetof(Versioned, version.major),
        offsetof(Versioned, version.minor),
        offsetof(Versioned, deleter),
        offsetof(Versioned, flags),
        offsetof(Versioned, tensor),
    };
    return which < (int) (sizeof all / sizeof *all) ? all[which] : -1;
}

static int deleted;

/* How many tensors have been deleted since this was last asked. */
int tensors_deleted(void) {
    return __atomic_exchange_n(&deleted, 0, __ATOMIC_SEQ_CST);
}

static void free_tensor(Tensor *tensor) {
    free(tensor->data);
    free(tensor->shape);
    free(tensor->strides);
    __atomic_add_fetch(&deleted, 1, __ATOMIC_SEQ_CST);
}

static void delete_unversioned(Unversioned *self) {
    free_tensor(&self->tensor);
    free(self);
}

static void delete_versioned(Versioned *self) {
    free_tensor(&self->tensor);
    free(self);
}

/* Floats 0, 1, 2, … on the CPU, a matrix, of which the elements start after byte_offset bytes; without strides if these are null. */
static Tensor matrix(int64_t rows, int64_t columns, const int64_t *strides, uint64_t byte_offset) {
    Tensor tensor = {0};
    int64_t count = rows * columns;
    float *data = malloc(byte_offset + (size_t) (count + 1) * sizeof(float));
    for (int64_t i = 0; i < count; i++) {
        data[byte_offset / sizeof(float) + (size_t) i] = (float) i;
    }
    tensor.data = data;
    tensor.device = (Device) {1, 0};
    tensor.dimensions = 2;
    tensor.type = (Type) {2, 32, 1};
    tensor.shape = malloc(2 * sizeof(int64_t));
    tensor.shape[0] = rows;
    tensor.shape[1] = columns;
    if (strides) {
        tensor.strides = malloc(2 * sizeof(int64_t));
        memcpy(tensor.strides, strides, 2 * sizeof(int64_t));
    }
    tensor.byte_offset = byte_offset;
    return tensor;
}

void *tensors_make(int versioned, int64_t rows, int64_t columns, const int64_t *strides, uint64_t byte_offset) {
    Tensor tensor = matrix(rows, columns, strides, byte_offset);
    if (!versioned) {
        Unversioned *made = calloc(1, sizeof *made);
        made->tensor = tensor;
        made->deleter = delete_unversioned;
        return made;
    }
    Versioned *made = calloc(1, sizeof *made);
    made->version.major = 1;
    made->version.minor = 3;
    made->tensor = tensor;
    made->deleter = delete_versioned;
    return made;
}

static Tensor *tensor_of(void *address, int versioned) {
    return versioned ? &((Versioned *) address)->tensor : &((Unversioned *) address)->tensor;
}

/* Changes a field: 0 device type, 1 device id, 2 dimensions, 3 type code, 4 bits, 5 lanes, 6 major version, 7 flags, 8 deleter. Of versioned ones. */
void tensors_set(void *address, int field, int64_t value) {
    Versioned *versioned = address;
    Tensor *tensor = &versioned->tensor;
    switch (field) {
        case 0: tensor->device.type = (int32_t) value; break;
        case 1: tensor->device.id = (int32_t) value; break;
        case 2: tensor->dimensions = (int32_t) value; break;
        case 3: tensor->type.code = (uint8_t) value; break;
        case 4: tensor->type.bits = (uint8_t) value; break;
        case 5: tensor->type.lanes = (uint16_t) value; break;
        case 6: versioned->version.major = (uint32_t) value; break;
        case 7: versioned->flags = (uint64_t) value; break;
        default: versioned->deleter = NULL;
    }
}

/* The sum of a tensor of two dimensions of floats on the CPU, or -1. */
double tensors_sum(void *address, int versioned) {
    Tensor *tensor = tensor_of(address, versioned);
    if (tensor->device.type != 1 || tensor->dimensions != 2 || tensor->type.code != 2 || tensor->type.bits != 32
        || tensor->type.lanes != 1) {
        return -1;
    }
    double sum = 0;
    for (int64_t i = 0; i < tensor->shape[0]; i++) {
        for (int64_t j = 0; j < tensor->shape[1]; j++) {
            sum += ((float *) ((char *) tensor->data + tensor->byte_offset))[i * tensor->strides[0] + j * tensor->strides[1]];
        }
    }
    return sum;
}

static int taken_versioned;

static void *delete(void *address) {
    if (taken_versioned) {
        ((Versioned *) address)->deleter(address);
    } else {
        ((Unversioned *) address)->deleter(address);
    }
    return NULL;
}

/* Deletes a tensor on a thread that no VM has seen. */
void tensors_delete(void *address, int versioned) {
    pthread_t thread;
    taken_versioned = versioned;
    pthread_create(&thread, NULL, delete, address);
    pthread_join(thread, NULL);
}

/* A program that calls NCCL, as programs do: own declarations, so that no header of NVIDIA is needed. */
#ifndef MSCCLJ_TEST_PROGRAM_H
#define MSCCLJ_TEST_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- NCCL ---- */

typedef struct ncclComm *ncclComm_t;
typedef struct ncclWindow *ncclWindow_t;
typedef struct {
    char internal[128];
} ncclUniqueId;

enum {
    ncclSuccess,
    ncclCudaError,
    ncclSystemError,
    ncclInternalError,
    ncclInvalidArgument,
    ncclInvalidUsage,
    ncclRemoteError,
    ncclInProgress
};
enum {
    ncclInt8,
    ncclUint8,
    ncclInt32,
    ncclUint32,
    ncclInt64,
    ncclUint64,
    ncclFloat16,
    ncclFloat32,
    ncclFloat64,
    ncclBfloat16,
    ncclFloat8e4m3,
    ncclFloat8e5m2,
    TYPES
};
enum { ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg };

const char *ncclGetErrorString(int result);
const char *ncclGetLastError(ncclComm_t comm);
int ncclGetVersion(int *version);
int ncclGetUniqueId(ncclUniqueId *id);
int ncclCommInitRank(ncclComm_t *comm, int size, ncclUniqueId id, int rank);
int ncclCommInitRankConfig(ncclComm_t *comm, int size, ncclUniqueId id, int rank, void *config);
int ncclCommInitAll(ncclComm_t *comms, int size, const int *devices);
int ncclCommSplit(ncclComm_t comm, int colour, int key, ncclComm_t *child, void *config);
int ncclCommShrink(ncclComm_t comm, int *excluded, int count, ncclComm_t *child, void *config, int flags);
int ncclCommFinalize(ncclComm_t comm);
int ncclCommDestroy(ncclComm_t comm);
int ncclCommAbort(ncclComm_t comm);
int ncclCommGetAsyncError(ncclComm_t comm, int *result);
int ncclCommCount(ncclComm_t comm, int *count);
int ncclCommUserRank(ncclComm_t comm, int *rank);
int ncclCommCuDevice(ncclComm_t comm, int *device);
int ncclCommRegister(ncclComm_t comm, void *memory, size_t size, void **handle);
int ncclCommDeregister(ncclComm_t comm, void *handle);
int ncclCommWindowRegister(ncclComm_t comm, void *memory, size_t size, ncclWindow_t *window, int flags);
int ncclCommWindowDeregister(ncclComm_t comm, ncclWindow_t window);
int ncclMemAlloc(void **memory, size_t size);
int ncclMemFree(void *memory);
int ncclRedOpCreatePreMulSum(int *op, void *factor, int type, int residence, ncclComm_t comm);
int ncclRedOpDestroy(int op, ncclComm_t comm);
int ncclGroupStart(void);
int ncclGroupEnd(void);
int ncclAllReduce(const void *send, void *receive, size_t count, int type, int op, ncclComm_t comm, void *stream);
int ncclBroadcast(const void *send, void *receive, size_t count, int type, int root, ncclComm_t comm, void *stream);
int ncclBcast(void *buffer, size_t count, int type, int root, ncclComm_t comm, void *stream);
int ncclReduce(
    const void *send, void *receive, size_t count, int type, int op, int root, ncclComm_t comm, void *stream);
int ncclAllGather(const void *send, void *receive, size_t count, int type, ncclComm_t comm, void *stream);
int ncclReduceScatter(const void *send, void *receive, size_t count, int type, int op, ncclComm_t comm, void *stream);
int ncclAlltoAll(const void *send, void *receive, size_t count, int type, ncclComm_t comm, void *stream);
int ncclGather(const void *send, void *receive, size_t count, int type, int root, ncclComm_t comm, void *stream);
int ncclScatter(const void *send, void *receive, size_t count, int type, int root, ncclComm_t comm, void *stream);
int ncclSend(const void *buffer, size_t count, int type, int peer, ncclComm_t comm, void *stream);
int ncclRecv(void *buffer, size_t count, int type, int peer, ncclComm_t comm, void *stream);

/* ---- The GPUs of this process ---- */

/* Makes a GPU current for this thread, as cudaSetDevice does. */
void use_device(int device);
void *device_memory(size_t bytes);
void *new_stream(void);
void destroy_stream(void *stream);
void upload(void *to, const void *from, size_t bytes, void *stream);
void download(void *to, const void *from, size_t bytes, void *stream);
void synchronize(void *stream);
void begin_capture(void *stream, int mode);
void *end_capture(void *stream); /* the executable graph */
void launch(void *graph, void *stream);

/* ---- Checks ---- */

/* Ends the program with a line unless a call of NCCL succeeds. */
#define OK(call) expect_result(call, ncclSuccess, #call, __FILE__, __LINE__)
/* Ends the program unless a call gives a code, and the text of the last failure has a part. */
#define REFUSED(call, code, part) expect_refusal(call, code, part, #call, __FILE__, __LINE__)
/* Ends the program unless a condition holds. */
#define HOLDS(condition) expect_true(condition, #condition, __FILE__, __LINE__)

void expect_result(int result, int expected, const char *call, const char *file, int line);
void expect_refusal(int result, int expected, const char *part, const char *call, const char *file, int line);
void expect_true(bool condition, const char *text, const char *file, int line);

/* ---- Elements ---- */

/* Bytes of an element. */
int width(int type);
/* Writes a small whole number as an element, which every type has exactly. */
void put(void *array, long index, int type, int number);
/* Whether an element is a small whole number. */
bool is(const void *array, long index, int type, int number);

/* The unique id in a file, which rank 0 makes. */
ncclUniqueId shared_id(const char *file, int rank);

#endif

/* What programs find in nccl.h: own declarations, so that no header of NVIDIA is needed. NcclHeadersTest compiles the
 * programs with nccl.h itself. */
#ifndef MSCCLJ_TEST_DECLARATIONS_H
#define MSCCLJ_TEST_DECLARATIONS_H

#include <stddef.h>

typedef struct ncclComm *ncclComm_t;
typedef struct ncclWindow *ncclWindow_t;
typedef void ncclConfig_t;
typedef void *cudaStream_t;
typedef struct {
    char internal[128];
} ncclUniqueId;

typedef enum {
    ncclSuccess,
    ncclCudaError,
    ncclSystemError,
    ncclInternalError,
    ncclInvalidArgument,
    ncclInvalidUsage,
    ncclRemoteError,
    ncclInProgress
} ncclResult_t;
typedef enum {
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
    ncclNumTypes
} ncclDataType_t;
typedef enum { ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg, ncclNumOps } ncclRedOp_t;
typedef enum { ncclScalarDevice, ncclScalarHostImmediate } ncclScalarResidence_t;

const char *ncclGetErrorString(ncclResult_t result);
const char *ncclGetLastError(ncclComm_t comm);
ncclResult_t ncclGetVersion(int *version);
ncclResult_t ncclGetUniqueId(ncclUniqueId *id);
ncclResult_t ncclCommInitRank(ncclComm_t *comm, int size, ncclUniqueId id, int rank);
ncclResult_t ncclCommInitRankConfig(ncclComm_t *comm, int size, ncclUniqueId id, int rank, ncclConfig_t *config);
ncclResult_t ncclCommInitAll(ncclComm_t *comms, int size, const int *devices);
ncclResult_t ncclCommSplit(ncclComm_t comm, int colour, int key, ncclComm_t *child, ncclConfig_t *config);
ncclResult_t ncclCommShrink(
    ncclComm_t comm, int *excluded, int count, ncclComm_t *child, ncclConfig_t *config, int flags);
ncclResult_t ncclCommFinalize(ncclComm_t comm);
ncclResult_t ncclCommDestroy(ncclComm_t comm);
ncclResult_t ncclCommAbort(ncclComm_t comm);
ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *result);
ncclResult_t ncclCommCount(ncclComm_t comm, int *count);
ncclResult_t ncclCommUserRank(ncclComm_t comm, int *rank);
ncclResult_t ncclCommCuDevice(ncclComm_t comm, int *device);
ncclResult_t ncclCommRegister(ncclComm_t comm, void *memory, size_t size, void **handle);
ncclResult_t ncclCommDeregister(ncclComm_t comm, void *handle);
ncclResult_t ncclCommWindowRegister(ncclComm_t comm, void *memory, size_t size, ncclWindow_t *window, int flags);
ncclResult_t ncclCommWindowDeregister(ncclComm_t comm, ncclWindow_t window);
ncclResult_t ncclMemAlloc(void **memory, size_t size);
ncclResult_t ncclMemFree(void *memory);
ncclResult_t ncclRedOpCreatePreMulSum(
    ncclRedOp_t *op, void *factor, ncclDataType_t type, ncclScalarResidence_t residence, ncclComm_t comm);
ncclResult_t ncclRedOpDestroy(ncclRedOp_t op, ncclComm_t comm);
ncclResult_t ncclGroupStart(void);
ncclResult_t ncclGroupEnd(void);
ncclResult_t ncclAllReduce(
    const void *send, void *receive, size_t count, ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm,
    cudaStream_t stream);
ncclResult_t ncclBroadcast(
    const void *send, void *receive, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
    cudaStream_t stream);
ncclResult_t ncclBcast(
    void *buffer, size_t count, ncclDataType_t type, int root, ncclComm_t comm, cudaStream_t stream);
ncclResult_t ncclReduce(
    const void *send, void *receive, size_t count, ncclDataType_t type, ncclRedOp_t op, int root, ncclComm_t comm,
    cudaStream_t stream);
ncclResult_t ncclAllGather(
    const void *send, void *receive, size_t count, ncclDataType_t type, ncclComm_t comm, cudaStream_t stream);
ncclResult_t ncclReduceScatter(
    const void *send, void *receive, size_t count, ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm,
    cudaStream_t stream);
ncclResult_t ncclAlltoAll(
    const void *send, void *receive, size_t count, ncclDataType_t type, ncclComm_t comm, cudaStream_t stream);
ncclResult_t ncclGather(
    const void *send, void *receive, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
    cudaStream_t stream);
ncclResult_t ncclScatter(
    const void *send, void *receive, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
    cudaStream_t stream);
ncclResult_t ncclSend(
    const void *buffer, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, cudaStream_t stream);
ncclResult_t ncclRecv(void *buffer, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, cudaStream_t stream);

#endif

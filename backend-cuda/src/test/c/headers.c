/*
 * Prints what the C compiler knows of the headers: offsets and sizes of structures, in bytes, and constants. One a line: a name, a space, a number.
 * Of <cuda.h>, and of <nvml.h> where it is there.
 */
#include <stddef.h>
#include <stdio.h>

#define NUMBER(name, value) printf("%s %lld\n", name, (long long) (value))
#define VALUE(name) NUMBER(#name, name)
#define SIZE(type) NUMBER(#type, sizeof(type))
/* The offset, and the size of the field. */
#define FIELD(type, field) NUMBER(#type "." #field, offsetof(type, field)), NUMBER("sizeof " #type "." #field, sizeof(((type *) 0)->field))

#include <cuda.h>
#if __has_include(<nvml.h>)
#include <nvml.h>
#endif

int main(void) {
#if __has_include(<nvml.h>)
    SIZE(nvmlEventData_t);
    FIELD(nvmlEventData_t, eventData);
    VALUE(NVML_SUCCESS);
    VALUE(NVML_ERROR_TIMEOUT);
    VALUE(NVML_ERROR_LIBRARY_NOT_FOUND);
    VALUE(nvmlEventTypeXidCriticalError);
#endif
    SIZE(CUmemAllocationProp);
    FIELD(CUmemAllocationProp, type);
    FIELD(CUmemAllocationProp, requestedHandleTypes);
    FIELD(CUmemAllocationProp, location.type);
    FIELD(CUmemAllocationProp, location.id);
    FIELD(CUmemAllocationProp, allocFlags.gpuDirectRDMACapable);
    SIZE(CUmulticastObjectProp);
    FIELD(CUmulticastObjectProp, numDevices);
    FIELD(CUmulticastObjectProp, size);
    FIELD(CUmulticastObjectProp, handleTypes);
    FIELD(CUmulticastObjectProp, flags);
    SIZE(CUmemFabricHandle);
    VALUE(CU_MEM_HANDLE_TYPE_FABRIC);
    VALUE(CU_MULTICAST_GRANULARITY_MINIMUM);
    VALUE(CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED);
    VALUE(CUDA_ERROR_ILLEGAL_STATE);
    VALUE(CUDA_ERROR_NOT_PERMITTED);
    VALUE(CUDA_ERROR_SYSTEM_NOT_READY);
    SIZE(CUmemAccessDesc);
    FIELD(CUmemAccessDesc, location.type);
    FIELD(CUmemAccessDesc, location.id);
    FIELD(CUmemAccessDesc, flags);
    SIZE(CUipcMemHandle);
    VALUE(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    VALUE(CU_MEM_ALLOCATION_TYPE_PINNED);
    VALUE(CU_MEM_LOCATION_TYPE_DEVICE);
    VALUE(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    VALUE(CU_MEM_ALLOC_GRANULARITY_RECOMMENDED);
    VALUE(CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
    VALUE(CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP);
    SIZE(CUlaunchConfig);
    FIELD(CUlaunchConfig, gridDimX);
    FIELD(CUlaunchConfig, gridDimY);
    FIELD(CUlaunchConfig, gridDimZ);
    FIELD(CUlaunchConfig, blockDimX);
    FIELD(CUlaunchConfig, blockDimY);
    FIELD(CUlaunchConfig, blockDimZ);
    FIELD(CUlaunchConfig, sharedMemBytes);
    FIELD(CUlaunchConfig, hStream);
    FIELD(CUlaunchConfig, attrs);
    FIELD(CUlaunchConfig, numAttrs);
    SIZE(CUlaunchAttribute);
    FIELD(CUlaunchAttribute, id);
    FIELD(CUlaunchAttribute, value.programmaticStreamSerializationAllowed);
    VALUE(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
    return 0;
}

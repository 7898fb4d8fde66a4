/* Prints offsets, sizes and constants of HIP's headers: a name and a number in each line. */
#define __HIP_PLATFORM_AMD__ 1
#include <hip/hip_runtime_api.h>
#include <stddef.h>
#include <stdio.h>

#define NUMBER(n) printf("%s %lld\n", #n, (long long) (n))

int main(void) {
    NUMBER(HIP_VERSION_MAJOR);
    printf("sizeof hipDeviceProp_t %zu\n", sizeof(hipDeviceProp_t));
    printf("hipDeviceProp_t.gcnArchName %zu\n", offsetof(hipDeviceProp_t, gcnArchName));
    printf("sizeof hipDeviceProp_t.gcnArchName %zu\n", sizeof(((hipDeviceProp_t *) 0)->gcnArchName));
    printf("sizeof hipPointerAttribute_t %zu\n", sizeof(struct hipPointerAttribute_t));
    printf("hipPointerAttribute_t.allocationFlags %zu\n", offsetof(struct hipPointerAttribute_t, allocationFlags));
    printf("sizeof hipIpcMemHandle_t %zu\n", sizeof(hipIpcMemHandle_t));
    printf("sizeof hipUUID %zu\n", sizeof(hipUUID));
    NUMBER(hipDeviceAttributeMultiprocessorCount);
    NUMBER(hipDeviceAttributeWarpSize);
    NUMBER(hipDevP2PAttrNativeAtomicSupported);
    NUMBER(hipDeviceMallocFinegrained);
#ifdef hipDeviceMallocUncached
    NUMBER(hipDeviceMallocUncached);
#endif
    NUMBER(hipHostMallocPortable | hipHostMallocMapped | hipHostMallocCoherent);
    NUMBER(hipIpcMemLazyEnablePeerAccess);
    NUMBER(hipMemoryTypeDevice);
    NUMBER(HIP_POINTER_ATTRIBUTE_CONTEXT);
    NUMBER(HIP_POINTER_ATTRIBUTE_MEMORY_TYPE);
    NUMBER(HIP_POINTER_ATTRIBUTE_BUFFER_ID);
    NUMBER(HIP_POINTER_ATTRIBUTE_IS_MANAGED);
    NUMBER(HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL);
    NUMBER(HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR);
    NUMBER(HIP_POINTER_ATTRIBUTE_RANGE_SIZE);
    NUMBER(HIP_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES);
    NUMBER(HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE);
    NUMBER(HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    NUMBER(HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
    NUMBER(HIP_FUNC_ATTRIBUTE_NUM_REGS);
    NUMBER(hipMemcpyHostToDevice);
    NUMBER(hipMemcpyDeviceToHost);
    NUMBER(hipMemcpyDefault);
    NUMBER(hipEventDisableTiming);
    NUMBER(hipStreamNonBlocking);
    NUMBER(hipStreamCaptureModeRelaxed);
    NUMBER(hipStreamCaptureStatusNone);
    NUMBER(hipStreamCaptureStatusActive);
    NUMBER(hipErrorInvalidValue);
    NUMBER(hipErrorOutOfMemory);
    NUMBER(hipErrorNoDevice);
    NUMBER(hipErrorInvalidDevice);
    NUMBER(hipErrorNotFound);
    NUMBER(hipErrorNotReady);
    NUMBER(hipErrorPeerAccessAlreadyEnabled);
    NUMBER(hipErrorNotSupported);
    NUMBER(hipErrorStreamCaptureUnsupported);
    NUMBER(hipErrorCapturedEvent);
    NUMBER(hipErrorECCNotCorrectable);
    NUMBER(hipErrorIllegalAddress);
    NUMBER(hipErrorLaunchTimeOut);
    NUMBER(hipErrorContextIsDestroyed);
    NUMBER(hipErrorAssert);
    NUMBER(hipErrorLaunchFailure);
    NUMBER(hipErrorUnknown);
    return 0;
}

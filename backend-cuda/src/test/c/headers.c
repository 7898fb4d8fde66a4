/*
 * Prints what the C compiler knows of the headers: offsets and sizes of structures, in bytes, and constants. One a line: a name, a space, a number.
 * With CUDA, what <cuda.h> has; without, what the C library has.
 */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdio.h>

#define NUMBER(name, value) printf("%s %lld\n", name, (long long) (value))
#define VALUE(name) NUMBER(#name, name)
#define SIZE(type) NUMBER(#type, sizeof(type))
/* The offset, and the size of the field. */
#define FIELD(type, field) NUMBER(#type "." #field, offsetof(type, field)), NUMBER("sizeof " #type "." #field, sizeof(((type *) 0)->field))

#ifdef CUDA
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
    return 0;
}
#else
#include <errno.h>
#include <semaphore.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>

typedef struct sockaddr_un sockaddr_un;
typedef struct msghdr msghdr;
typedef struct iovec iovec;
typedef struct cmsghdr cmsghdr;
typedef struct ucred ucred;
typedef struct timeval timeval;

int main(void) {
    FIELD(sockaddr_un, sun_family);
    FIELD(sockaddr_un, sun_path);
    SIZE(msghdr);
    FIELD(msghdr, msg_iov);
    FIELD(msghdr, msg_iovlen);
    FIELD(msghdr, msg_control);
    FIELD(msghdr, msg_controllen);
    SIZE(iovec);
    FIELD(iovec, iov_base);
    FIELD(iovec, iov_len);
    FIELD(cmsghdr, cmsg_len);
    FIELD(cmsghdr, cmsg_level);
    FIELD(cmsghdr, cmsg_type);
    NUMBER("cmsghdr.data", CMSG_LEN(0));
    VALUE(CMSG_LEN(sizeof(int)));
    VALUE(CMSG_SPACE(sizeof(int)));
    SIZE(ucred);
    FIELD(ucred, uid);
    SIZE(timeval);
    FIELD(timeval, tv_sec);
    SIZE(sem_t);
    VALUE(AF_UNIX);
    VALUE(SOCK_STREAM | SOCK_CLOEXEC);
    VALUE(SOCK_CLOEXEC);
    VALUE(SOL_SOCKET);
    VALUE(SO_PEERCRED);
    VALUE(SO_RCVTIMEO);
    VALUE(SO_SNDTIMEO);
    VALUE(SCM_RIGHTS);
    VALUE(MSG_NOSIGNAL);
    VALUE(MSG_CMSG_CLOEXEC);
    VALUE(EINTR);
    return 0;
}
#endif

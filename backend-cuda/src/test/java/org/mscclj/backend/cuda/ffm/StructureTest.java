package org.mscclj.backend.cuda.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.mscclj.backend.cuda.standin.Headers;
import org.mscclj.backend.cuda.standin.StandIn;

/** Structures and constants of the C library and of the driver are those of their headers. */
@ResourceLock(StandIn.RESOURCE)
@SuppressWarnings("restricted") // reads memory by its address
class StructureTest {
    @TempDir
    Path folder;

    @BeforeAll
    static void useStandIn() {
        StandIn.use();
    }

    /** What stands in a field, where and as large as the header has it. */
    private static long at(MemorySegment memory, Headers headers, String field) {
        long offset = headers.get(field);
        long bytes = headers.get("sizeof " + field);
        return switch ((int) bytes) {
            case Byte.BYTES -> memory.get(ValueLayout.JAVA_BYTE, offset);
            case Short.BYTES -> memory.get(ValueLayout.JAVA_SHORT, offset);
            case Integer.BYTES -> memory.get(ValueLayout.JAVA_INT, offset);
            case Long.BYTES -> memory.get(ValueLayout.JAVA_LONG, offset);
            default -> throw new IllegalStateException(field + " has " + bytes + " bytes, and no number has");
        };
    }

    @Test
    void socketAddresses() throws IOException, InterruptedException {
        Headers headers = Headers.ofHost(folder);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = UnixSocket.address(arena, "name");
            long path = headers.get("sockaddr_un.sun_path");
            assertEquals(path + 1 + 4, address.byteSize());
            assertEquals(headers.get("AF_UNIX"), at(address, headers, "sockaddr_un.sun_family"));
            assertEquals(0, address.get(ValueLayout.JAVA_BYTE, path));
            assertEquals('n', address.get(ValueLayout.JAVA_BYTE, path + 1));
            assertEquals('e', address.get(ValueLayout.JAVA_BYTE, path + 4));
        }
    }

    @Test
    void socketMessages() throws IOException, InterruptedException {
        Headers headers = Headers.ofHost(folder);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment data = arena.allocate(5);
            MemorySegment control = UnixSocket.control(arena);
            MemorySegment message = UnixSocket.message(arena, data, control);
            assertEquals(headers.get("msghdr"), message.byteSize());
            assertEquals(1, at(message, headers, "msghdr.msg_iovlen"));
            assertEquals(control.address(), at(message, headers, "msghdr.msg_control"));
            assertEquals(control.byteSize(), at(message, headers, "msghdr.msg_controllen"));
            MemorySegment vector = MemorySegment.ofAddress(at(message, headers, "msghdr.msg_iov"))
                    .reinterpret(headers.get("iovec"));
            assertEquals(data.address(), at(vector, headers, "iovec.iov_base"));
            assertEquals(5, at(vector, headers, "iovec.iov_len"));

            assertEquals(headers.get("CMSG_SPACE(sizeof(int))"), control.byteSize());
            assertEquals(headers.get("CMSG_LEN(sizeof(int))"), at(control, headers, "cmsghdr.cmsg_len"));
            assertEquals(headers.get("SOL_SOCKET"), at(control, headers, "cmsghdr.cmsg_level"));
            assertEquals(headers.get("SCM_RIGHTS"), at(control, headers, "cmsghdr.cmsg_type"));
            assertEquals(headers.get("cmsghdr.data"), UnixSocket.DATA);
        }
    }

    @Test
    void socketOptions() throws IOException, InterruptedException {
        Headers headers = Headers.ofHost(folder);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment time = UnixSocket.time(arena, 7);
            assertEquals(headers.get("timeval"), time.byteSize());
            assertEquals(7, at(time, headers, "timeval.tv_sec"));
        }
        assertEquals(headers.get("ucred"), UnixSocket.CREDENTIALS_BYTES);
        assertEquals(headers.get("ucred.uid"), UnixSocket.CREDENTIALS_USER);
        assertEquals(Integer.BYTES, headers.get("sizeof ucred.uid"));
        assertEquals(headers.get("SOCK_STREAM | SOCK_CLOEXEC"), UnixSocket.STREAM_CLOSED_ON_EXEC);
        assertEquals(headers.get("SOCK_CLOEXEC"), UnixSocket.CLOSED_ON_EXEC);
        assertEquals(headers.get("SOL_SOCKET"), UnixSocket.SOL_SOCKET);
        assertEquals(headers.get("SO_PEERCRED"), UnixSocket.SO_PEERCRED);
        assertEquals(headers.get("SO_RCVTIMEO"), UnixSocket.SO_RCVTIMEO);
        assertEquals(headers.get("SO_SNDTIMEO"), UnixSocket.SO_SNDTIMEO);
        assertEquals(headers.get("MSG_NOSIGNAL"), SocketCalls.NO_SIGNAL);
        assertEquals(headers.get("MSG_CMSG_CLOEXEC"), SocketCalls.CLOSE_PASSED_ON_EXEC);
        assertEquals(headers.get("EINTR"), SocketCalls.EINTR);
    }

    @Test
    void semaphoresHaveRoom() throws IOException, InterruptedException {
        long bytes = Headers.ofHost(folder).get("sem_t");
        assertTrue(bytes <= Semaphore.BYTES, () -> "a sem_t has " + bytes);
    }

    @Test
    void propertiesOfMemory() throws IOException, InterruptedException {
        Headers headers = Headers.ofCuda(folder);
        assertEquals(headers.get("CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR"), VirtualMemory.DESCRIPTOR);
        assertEquals(headers.get("CU_MEM_ALLOC_GRANULARITY_RECOMMENDED"), VirtualMemory.RECOMMENDED);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment properties = new VirtualMemory.Kind(7, true, true).properties(arena);
            assertEquals(headers.get("CUmemAllocationProp"), properties.byteSize());
            assertEquals(
                    headers.get("CU_MEM_ALLOCATION_TYPE_PINNED"), at(properties, headers, "CUmemAllocationProp.type"));
            assertEquals(VirtualMemory.DESCRIPTOR, at(properties, headers, "CUmemAllocationProp.requestedHandleTypes"));
            assertEquals(
                    headers.get("CU_MEM_LOCATION_TYPE_DEVICE"),
                    at(properties, headers, "CUmemAllocationProp.location.type"));
            assertEquals(7, at(properties, headers, "CUmemAllocationProp.location.id"));
            assertEquals(1, at(properties, headers, "CUmemAllocationProp.allocFlags.gpuDirectRDMACapable"));
        }
    }

    @Test
    void accessToMemory() throws IOException, InterruptedException {
        Headers headers = Headers.ofCuda(folder);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment access = VirtualMemory.access(arena, 7);
            assertEquals(headers.get("CUmemAccessDesc"), access.byteSize());
            assertEquals(
                    headers.get("CU_MEM_LOCATION_TYPE_DEVICE"), at(access, headers, "CUmemAccessDesc.location.type"));
            assertEquals(7, at(access, headers, "CUmemAccessDesc.location.id"));
            assertEquals(
                    headers.get("CU_MEM_ACCESS_FLAGS_PROT_READWRITE"), at(access, headers, "CUmemAccessDesc.flags"));
        }
    }

    @Test
    void otherMemory() throws IOException, InterruptedException {
        Headers headers = Headers.ofCuda(folder);
        assertEquals(headers.get("CUipcMemHandle"), ForeignMemory.HANDLE_BYTES);
        assertEquals(headers.get("CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS"), ForeignMemory.LAZY_PEER_ACCESS);
        assertEquals(headers.get("CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP"), Copies.PORTABLE_AND_MAPPED);
    }

    @Test
    void eventsOfNvml() throws IOException, InterruptedException {
        Headers headers = Headers.ofCuda(folder);
        assumeTrue(
                headers.has("nvmlEventData_t"), "the toolkit has no nvml.h: its structures are not compared with it");
        assertEquals(headers.get("nvmlEventData_t"), Nvml.EVENT.byteSize());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment event = Nvml.event(arena);
            event.set(ValueLayout.JAVA_LONG, headers.get("nvmlEventData_t.eventData"), 43);
            assertEquals(43, Nvml.number(event));
        }
        assertEquals(headers.get("NVML_SUCCESS"), Nvml.SUCCESS);
        assertEquals(headers.get("NVML_ERROR_TIMEOUT"), Nvml.TIMEOUT);
        assertEquals(headers.get("NVML_ERROR_LIBRARY_NOT_FOUND"), Nvml.MISSING);
        assertEquals(headers.get("nvmlEventTypeXidCriticalError"), Nvml.XID);
    }
}

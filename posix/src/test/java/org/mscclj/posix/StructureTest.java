package org.mscclj.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.AssertionFailedError;

/**
 * Structures and constants are those of the C library's headers, and structures have in their fields what they should.
 */
class StructureTest {
    @TempDir
    Path folder;

    @BeforeAll
    static void requireLinux() {
        assumeTrue(
                PosixSupport.missing().isEmpty(), () -> PosixSupport.missing().orElse(""));
    }

    @Test
    void differencesFail() {
        assertThrows(
                AssertionFailedError.class,
                () -> new Headers().expect(Errno.EINTR + 1, "EINTR").compare(folder));
    }

    @Test
    void socketAddresses() throws IOException, InterruptedException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = UnixSocket.address(arena, "name");
            assertEquals(UnixSocket.AF_UNIX, address.get(ValueLayout.JAVA_SHORT, 0));
            long path = Short.BYTES;
            assertEquals(path + 1 + 4, address.byteSize());
            assertEquals(0, address.get(ValueLayout.JAVA_BYTE, path));
            assertEquals('n', address.get(ValueLayout.JAVA_BYTE, path + 1));
            assertEquals('e', address.get(ValueLayout.JAVA_BYTE, path + 4));
            new Headers()
                    .expect(UnixSocket.AF_UNIX, "AF_UNIX")
                    .expectField(0, Short.BYTES, "struct sockaddr_un", "sun_family")
                    .expect(path, "offsetof(struct sockaddr_un, sun_path)")
                    .compare(folder);
        }
    }

    @Test
    void socketMessages() throws IOException, InterruptedException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment data = arena.allocate(5);
            MemorySegment control = UnixSocket.control(arena);
            MemorySegment message = UnixSocket.message(arena, data, control);
            assertEquals(1, message.get(ValueLayout.JAVA_LONG, UnixSocket.VECTOR_COUNT));
            assertEquals(control.address(), message.get(ValueLayout.JAVA_LONG, UnixSocket.CONTROL));
            assertEquals(control.byteSize(), message.get(ValueLayout.JAVA_LONG, UnixSocket.CONTROL_LENGTH));
            long vector = message.get(ValueLayout.JAVA_LONG, UnixSocket.VECTOR);
            assertEquals(data.address(), NativeMemory.getLong(vector));
            assertEquals(5, NativeMemory.getLong(vector + Long.BYTES));
            new Headers()
                    .expect(message.byteSize(), "sizeof(struct msghdr)")
                    .expectField(UnixSocket.VECTOR, Long.BYTES, "struct msghdr", "msg_iov")
                    .expectField(UnixSocket.VECTOR_COUNT, Long.BYTES, "struct msghdr", "msg_iovlen")
                    .expectField(UnixSocket.CONTROL, Long.BYTES, "struct msghdr", "msg_control")
                    .expectField(UnixSocket.CONTROL_LENGTH, Long.BYTES, "struct msghdr", "msg_controllen")
                    .expect(2 * Long.BYTES, "sizeof(struct iovec)")
                    .expectField(0, Long.BYTES, "struct iovec", "iov_base")
                    .expectField(Long.BYTES, Long.BYTES, "struct iovec", "iov_len")
                    .compare(folder);
        }
    }

    @Test
    void passedDescriptors() throws IOException, InterruptedException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment control = UnixSocket.control(arena);
            new Headers()
                    .expect(control.byteSize(), "CMSG_SPACE(sizeof(int))")
                    .expect(control.get(ValueLayout.JAVA_LONG, 0), "CMSG_LEN(sizeof(int))")
                    .expect(control.get(ValueLayout.JAVA_INT, UnixSocket.LEVEL), "SOL_SOCKET")
                    .expect(control.get(ValueLayout.JAVA_INT, UnixSocket.TYPE), "SCM_RIGHTS")
                    .expectField(0, Long.BYTES, "struct cmsghdr", "cmsg_len")
                    .expectField(UnixSocket.LEVEL, Integer.BYTES, "struct cmsghdr", "cmsg_level")
                    .expectField(UnixSocket.TYPE, Integer.BYTES, "struct cmsghdr", "cmsg_type")
                    .expect(UnixSocket.DATA, "CMSG_LEN(0)")
                    .compare(folder);
        }
    }

    @Test
    void socketOptions() throws IOException, InterruptedException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment time = UnixSocket.time(arena, 7);
            assertEquals(7, time.get(ValueLayout.JAVA_LONG, 0));
            new Headers()
                    .expect(time.byteSize(), "sizeof(struct timeval)")
                    .expectField(0, Long.BYTES, "struct timeval", "tv_sec")
                    .expect(UnixSocket.CREDENTIALS_BYTES, "sizeof(struct ucred)")
                    .expectField(UnixSocket.CREDENTIALS_USER, Integer.BYTES, "struct ucred", "uid")
                    .expect(UnixSocket.STREAM_CLOSED_ON_EXEC, "SOCK_STREAM | SOCK_CLOEXEC")
                    .expect(UnixSocket.CLOSED_ON_EXEC, "SOCK_CLOEXEC")
                    .expect(UnixSocket.SOL_SOCKET, "SOL_SOCKET")
                    .expect(UnixSocket.SO_PEERCRED, "SO_PEERCRED")
                    .expect(UnixSocket.SO_RCVTIMEO, "SO_RCVTIMEO")
                    .expect(UnixSocket.SO_SNDTIMEO, "SO_SNDTIMEO")
                    .expect(SocketCalls.NO_SIGNAL, "MSG_NOSIGNAL")
                    .expect(SocketCalls.CLOSE_PASSED_ON_EXEC, "MSG_CMSG_CLOEXEC")
                    .compare(folder);
        }
    }

    @Test
    void endsOfConnections() throws IOException, InterruptedException {
        new Headers()
                .expect(SocketControl.INSTRUCTION.byteSize(), "sizeof(struct sock_filter)")
                .expect(SocketControl.PROGRAM.byteSize(), "sizeof(struct sock_fprog)")
                .expect(SocketControl.RETURN, "BPF_RET | BPF_K")
                .expect(SocketControl.SO_ATTACH_FILTER, "SO_ATTACH_FILTER")
                .expect(SocketControl.SHUT_RD, "SHUT_RD")
                .expect(SocketControl.SHUT_WR, "SHUT_WR")
                .compare(folder);
    }

    @Test
    void filesAndMappings() throws IOException, InterruptedException {
        new Headers()
                .expect(NativeFile.O_RDWR, "O_RDWR")
                .expect(NativeFile.O_CREAT, "O_CREAT")
                .expect(NativeFile.O_EXCL, "O_EXCL")
                .expect(NativeFile.O_CLOEXEC, "O_CLOEXEC")
                .expect(NativeFile.O_TMPFILE, "O_TMPFILE")
                .expect(PageMapping.PROT_READ_WRITE, "PROT_READ | PROT_WRITE")
                .expect(PageMapping.MAP_SHARED, "MAP_SHARED")
                .expect(PageMapping.MAP_PRIVATE_ANONYMOUS, "MAP_PRIVATE | MAP_ANONYMOUS")
                .compare(folder);
    }

    @Test
    void futexes() throws IOException, InterruptedException {
        new Headers()
                .expect(Futex.SYS_FUTEX, "SYS_futex")
                .expect(Futex.FUTEX_WAIT, "FUTEX_WAIT")
                .expect(Futex.FUTEX_WAKE, "FUTEX_WAKE")
                .expect(Timespec.LAYOUT.byteSize(), "sizeof(struct timespec)")
                .expectField(0, Long.BYTES, "struct timespec", "tv_sec")
                .expectField(Long.BYTES, Long.BYTES, "struct timespec", "tv_nsec")
                .compare(folder);
    }

    @Test
    void semaphoresHaveRoom() throws IOException, InterruptedException {
        new Headers().require("sizeof(sem_t) <= " + NativeSemaphore.BYTES).compare(folder);
    }

    @Test
    void errors() throws IOException, InterruptedException {
        Headers headers = new Headers();
        for (int errno = 1; errno < 200; errno++) {
            String name = Errno.name(errno);
            if (!name.equals("errno")) {
                headers.expect(errno, name);
            }
        }
        headers.compare(folder);
    }
}

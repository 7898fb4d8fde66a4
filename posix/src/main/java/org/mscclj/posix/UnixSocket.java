package org.mscclj.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;

/**
 * A socket between processes of this host that can pass file descriptors, unlike the sockets of the JDK. Names are
 * abstract: they have no file, and end with the process. For Linux. The methods block, and are for platform threads,
 * one at a time. Methods that fail throw a {@link PosixException}.
 *
 * @param descriptor its file descriptor
 */
public record UnixSocket(int descriptor) implements AutoCloseable {
    static final int AF_UNIX = 1;
    static final int STREAM_CLOSED_ON_EXEC = 1 | 0x80000;
    static final int CLOSED_ON_EXEC = 0x80000;
    private static final int BACKLOG = 64;
    static final int SOL_SOCKET = 1;
    static final int SO_PEERCRED = 17;
    static final int SO_RCVTIMEO = 20;
    static final int SO_SNDTIMEO = 21;

    /**
     * Creates a socket that listens for connections.
     *
     * @throws PosixException if the name is taken
     */
    public static UnixSocket listen(String name) {
        return withAddress(name, (socket, address, length) -> {
            PosixException.check(SocketCalls.bind(socket, address, length), "bind");
            PosixException.check(SocketCalls.listen(socket, BACKLOG), "listen");
        });
    }

    /**
     * Connects to a listening socket.
     *
     * @throws PosixException if there is none of that name
     */
    public static UnixSocket connect(String name) {
        return withAddress(
                name,
                (socket, address, length) ->
                        PosixException.check(SocketCalls.connect(socket, address, length), "connect"));
    }

    private interface Step {
        void run(int socket, MemorySegment address, int length);
    }

    private static UnixSocket withAddress(String name, Step step) {
        UnixSocket socket =
                new UnixSocket(PosixException.check(SocketCalls.socket(AF_UNIX, STREAM_CLOSED_ON_EXEC), "socket"));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = address(arena, name);
            step.run(socket.descriptor, address, (int) address.byteSize());
            return socket;
        } catch (RuntimeException | Error e) {
            socket.close();
            throw e;
        }
    }

    /** {@code struct sockaddr_un}: the family, then the name, which is abstract if its first byte is 0. */
    static MemorySegment address(Arena arena, String name) {
        byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
        MemorySegment address = arena.allocate(Short.BYTES + 1 + bytes.length, Short.BYTES);
        address.set(JAVA_SHORT, 0, (short) AF_UNIX);
        MemorySegment.copy(bytes, 0, address, JAVA_BYTE, Short.BYTES + 1, bytes.length);
        return address;
    }

    /** Waits for a connection. */
    public UnixSocket accept() {
        return new UnixSocket(PosixException.check(SocketCalls.accept(descriptor, CLOSED_ON_EXEC), "accept4"));
    }

    /** Sets a timeout for each send and receive, which then fail with {@link Errno#EAGAIN}. */
    public void limit(int seconds) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment time = time(arena, seconds);
            for (int option : new int[] {SO_RCVTIMEO, SO_SNDTIMEO}) {
                PosixException.check(SocketCalls.setOption(descriptor, SOL_SOCKET, option, time), "setsockopt");
            }
        }
    }

    /** {@code struct timeval}. */
    static MemorySegment time(Arena arena, int seconds) {
        return arena.allocateFrom(JAVA_LONG, seconds, 0);
    }

    /** Returns whether the process at the other end belongs to the user of this process. */
    public boolean isOfSameUser() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment credentials = arena.allocate(CREDENTIALS_BYTES, Integer.BYTES);
            MemorySegment length = arena.allocateFrom(JAVA_INT, (int) credentials.byteSize());
            PosixException.check(
                    SocketCalls.option(descriptor, SOL_SOCKET, SO_PEERCRED, credentials, length), "getsockopt");
            return credentials.get(JAVA_INT, CREDENTIALS_USER) == SocketCalls.user();
        }
    }

    /** Sends bytes, and a copy of a file descriptor if one is given. */
    public void send(byte[] bytes, OptionalInt passed) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment data = arena.allocateFrom(JAVA_BYTE, bytes);
            MemorySegment control = passed.isPresent() ? control(arena) : MemorySegment.NULL;
            passed.ifPresent(number -> control.set(JAVA_INT, DATA, number));
            long sent = PosixException.check(SocketCalls.send(descriptor, message(arena, data, control)), "sendmsg");
            if (sent != bytes.length) {
                throw new PosixException("sendmsg has sent " + sent + " of " + bytes.length + " bytes");
            }
        }
    }

    /**
     * The data of a receive.
     *
     * @param bytes the requested number of bytes; fewer if the other end has closed
     * @param passed a new file descriptor, which the receiver closes; empty if none was sent
     */
    @SuppressWarnings("ArrayRecordComponent") // read once
    public record Received(byte[] bytes, OptionalInt passed) {}

    /** Receives the requested number of bytes in one message, and a file descriptor if one comes with them. */
    public Received receive(int bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment data = arena.allocate(bytes);
            MemorySegment control = control(arena);
            MemorySegment message = message(arena, data, control);
            long received = PosixException.check(SocketCalls.receive(descriptor, message), "recvmsg");
            boolean passed = message.get(JAVA_LONG, CONTROL_LENGTH) >= DATA + Integer.BYTES
                    && control.get(JAVA_INT, LEVEL) == SOL_SOCKET
                    && control.get(JAVA_INT, TYPE) == SCM_RIGHTS;
            return new Received(
                    data.asSlice(0, received).toArray(JAVA_BYTE),
                    passed ? OptionalInt.of(control.get(JAVA_INT, DATA)) : OptionalInt.empty());
        }
    }

    static final int SCM_RIGHTS = 1;

    /**
     * Layout of {@code struct msghdr}, and of {@code struct cmsghdr} with one descriptor; sizes and offsets in bytes.
     */
    static final long MESSAGE_BYTES = 56;

    static final long VECTOR = 16;
    static final long VECTOR_COUNT = 24;
    static final long CONTROL = 32;
    static final long CONTROL_LENGTH = 40;
    static final long LEVEL = 8;
    static final long TYPE = 12;
    static final long DATA = 16;
    static final long CONTROL_BYTES = 24;

    /** Layout of {@code struct ucred}. */
    static final long CREDENTIALS_BYTES = 12;

    static final long CREDENTIALS_USER = 4;

    static MemorySegment message(Arena arena, MemorySegment data, MemorySegment control) {
        MemorySegment vector = arena.allocate(ADDRESS, 2);
        vector.setAtIndex(ADDRESS, 0, data);
        vector.setAtIndex(JAVA_LONG, 1, data.byteSize());
        MemorySegment message = arena.allocate(MESSAGE_BYTES, Long.BYTES);
        message.set(ADDRESS, VECTOR, vector);
        message.set(JAVA_LONG, VECTOR_COUNT, 1);
        message.set(ADDRESS, CONTROL, control);
        message.set(JAVA_LONG, CONTROL_LENGTH, control.byteSize());
        return message;
    }

    static MemorySegment control(Arena arena) {
        MemorySegment control = arena.allocate(CONTROL_BYTES, Long.BYTES);
        control.set(JAVA_LONG, 0, DATA + Integer.BYTES);
        control.set(JAVA_INT, LEVEL, SOL_SOCKET);
        control.set(JAVA_INT, TYPE, SCM_RIGHTS);
        return control;
    }

    /** Closes the socket. */
    @Override
    public void close() {
        int _ = NativeFile.close(descriptor); // a failure has no remedy
    }
}

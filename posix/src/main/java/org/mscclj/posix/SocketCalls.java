package org.mscclj.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The C library's functions for sockets. Functions that fail return the negative of {@code errno}; a function that was
 * interrupted is called again.
 */
final class SocketCalls {
    static final int NO_SIGNAL = 0x4000;
    static final int CLOSE_PASSED_ON_EXEC = 0x4000_0000;

    private static final MethodHandle SOCKET =
            bind("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle BIND = bind("bind", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle LISTEN = bind("listen", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle CONNECT =
            bind("connect", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle ACCEPT =
            bind("accept4", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
    private static final MethodHandle SEND =
            bind("sendmsg", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle RECEIVE =
            bind("recvmsg", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle SET_OPTION =
            bind("setsockopt", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle OPTION =
            bind("getsockopt", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    private static final MethodHandle SHUTDOWN = bind("shutdown", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle USER = bind("geteuid", FunctionDescriptor.of(JAVA_INT));

    private SocketCalls() {}

    private static MethodHandle bind(String name, FunctionDescriptor descriptor) {
        return CLibrary.bindWithErrno(name, descriptor);
    }

    private interface Call {
        long run(MemorySegment state) throws Throwable;
    }

    private static long call(Call call) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CLibrary.STATE);
            while (true) {
                long result = call.run(state);
                if (result >= 0) {
                    return result;
                }
                int errno = CLibrary.errno(state);
                if (errno != Errno.EINTR) {
                    return -errno;
                }
            }
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    static long socket(int domain, int type) {
        return call(state -> (int) SOCKET.invokeExact(state, domain, type, 0));
    }

    static long bind(int socket, MemorySegment address, int length) {
        return call(state -> (int) BIND.invokeExact(state, socket, address, length));
    }

    static long listen(int socket, int backlog) {
        return call(state -> (int) LISTEN.invokeExact(state, socket, backlog));
    }

    static long connect(int socket, MemorySegment address, int length) {
        return call(state -> (int) CONNECT.invokeExact(state, socket, address, length));
    }

    static long accept(int socket, int flags) {
        return call(state -> (int) ACCEPT.invokeExact(state, socket, MemorySegment.NULL, MemorySegment.NULL, flags));
    }

    static long send(int socket, MemorySegment message) {
        return call(state -> (long) SEND.invokeExact(state, socket, message, NO_SIGNAL));
    }

    static long receive(int socket, MemorySegment message) {
        return call(state -> (long) RECEIVE.invokeExact(state, socket, message, CLOSE_PASSED_ON_EXEC));
    }

    static long setOption(int socket, int level, int option, MemorySegment value) {
        return call(state -> (int) SET_OPTION.invokeExact(state, socket, level, option, value, (int) value.byteSize()));
    }

    static long option(int socket, int level, int option, MemorySegment value, MemorySegment length) {
        return call(state -> (int) OPTION.invokeExact(state, socket, level, option, value, length));
    }

    static int user() {
        return (int) call(state -> (int) USER.invokeExact(state));
    }

    static long shutdown(int socket, int direction) {
        return call(state -> (int) SHUTDOWN.invokeExact(state, socket, direction));
    }
}

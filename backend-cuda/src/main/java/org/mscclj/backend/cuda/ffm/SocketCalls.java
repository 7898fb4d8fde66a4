package org.mscclj.backend.cuda.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import org.mscclj.api.error.BackendException;

/**
 * The C library's functions for sockets. Those that fail give the negative of {@code errno}; interrupted ones are
 * called again.
 */
final class SocketCalls {
    static final int EINTR = 4;
    static final int NO_SIGNAL = 0x4000;
    static final int CLOSE_PASSED_ON_EXEC = 0x4000_0000;
    private static final long LONGEST_TEXT = 256;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

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
    private static final MethodHandle CLOSE = bind("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle USER = bind("geteuid", FunctionDescriptor.of(JAVA_INT));
    private static final MethodHandle TEXT = bindPlain("strerror", FunctionDescriptor.of(ADDRESS, JAVA_INT));

    private SocketCalls() {}

    @SuppressWarnings("restricted") // what this class is for
    private static MethodHandle bind(String name, FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name), descriptor, Linker.Option.captureCallState("errno"));
    }

    @SuppressWarnings("restricted") // what this class is for
    private static MethodHandle bindPlain(String name, FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor);
    }

    private interface Call {
        long run(MemorySegment state) throws Throwable;
    }

    private static long call(Call call) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            while (true) {
                long result = call.run(state);
                if (result >= 0) {
                    return result;
                }
                int errno = (int) ERRNO.get(state, 0L);
                if (errno != EINTR) {
                    return -errno;
                }
            }
        } catch (Throwable e) {
            throw NativeLibrary.rethrown(e);
        }
    }

    /** Passes what is not negative; the rest becomes an exception. */
    static int check(long result, String function) {
        if (result >= 0) {
            return (int) result;
        }
        int errno = (int) -result;
        throw new BackendException(function + " failed: " + text(errno), errno, "errno");
    }

    @SuppressWarnings("restricted") // a pointer to a constant
    private static String text(int errno) {
        try {
            return ((MemorySegment) TEXT.invokeExact(errno))
                    .reinterpret(LONGEST_TEXT)
                    .getString(0);
        } catch (Throwable e) {
            throw NativeLibrary.rethrown(e);
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

    static void close(int descriptor) {
        // Not again after an interruption: Linux has closed it then.
        try (Arena arena = Arena.ofConfined()) {
            int _ = (int) CLOSE.invokeExact(arena.allocate(STATE), descriptor);
        } catch (Throwable e) {
            throw NativeLibrary.rethrown(e);
        }
    }
}

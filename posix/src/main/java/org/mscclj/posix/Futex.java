package org.mscclj.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/** Waits on a word of memory that processes share. Allocates nothing. Check {@link PosixSupport} first. */
public final class Futex {
    /** Wakes every waiter. */
    public static final int ALL_WAITERS = Integer.MAX_VALUE;

    static final long SYS_FUTEX = PosixSupport.isAarch64() ? 98 : 202;
    static final int FUTEX_WAIT = 0;
    static final int FUTEX_WAKE = 1;

    private static final MethodHandle FUTEX = CLibrary.bind(
            "syscall",
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT),
            Linker.Option.firstVariadicArg(1));

    private Futex() {}

    /**
     * {@code futex(FUTEX_WAIT)}, between processes. Blocks while the word has the value, until the thread is woken or
     * the time has passed. May return for any other reason.
     *
     * @param timespec address of a {@link Timespec}
     */
    public static void await(long word, int value, long timespec) {
        try {
            long _ = (long) FUTEX.invokeExact(SYS_FUTEX, word, FUTEX_WAIT, value, timespec, 0L, 0);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code futex(FUTEX_WAKE)}, between processes. Wakes threads that wait on the word. */
    public static void wake(long word, int most) {
        try {
            long _ = (long) FUTEX.invokeExact(SYS_FUTEX, word, FUTEX_WAKE, most, 0L, 0L, 0);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }
}

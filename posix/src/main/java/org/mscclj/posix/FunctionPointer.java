package org.mscclj.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * A C function that is known by its address, such as an entry of a driver's table of functions. All arguments are
 * integers or pointers; a pointer is its address.
 *
 * <p>The JVM links one shape of calls in some milliseconds, under emulation in 100. So all functions share two shapes:
 * {@link #invoke} passes six arguments whatever the function takes. The calling conventions of Linux on x86-64 and
 * AArch64 pass the first six integers in registers, and a function does not read registers that it has no parameter
 * for.
 */
@SuppressWarnings("restricted") // calling native code is the purpose of this module
public final class FunctionPointer {
    private static final MethodHandle THREE =
            Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));

    private final MemorySegment address;

    /** Shapes that only set-ups need. */
    private static final class SetUp {
        static final MethodHandle SIX = Linker.nativeLinker()
                .downcallHandle(
                        FunctionDescriptor.of(
                                JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
                        Linker.Option.captureCallState("errno"));

        private SetUp() {}
    }

    /**
     * The outcome of a call.
     *
     * @param value the result; the upper half of an {@code int} is undefined
     * @param errno the error of the calling thread; it means something only if the function has failed
     */
    public record Outcome(long value, int errno) {
        /** Returns the result of a function that returns an {@code int}. */
        public int intValue() {
            return (int) value;
        }
    }

    /** Creates the function at an address. */
    public FunctionPointer(long address) {
        this(MemorySegment.ofAddress(address));
    }

    /**
     * Creates a function.
     *
     * @param address its address, as a look-up of symbols returns it
     */
    public FunctionPointer(MemorySegment address) {
        if (address.address() == 0) {
            throw new IllegalArgumentException("a function at address 0");
        }
        this.address = address;
    }

    /** Calls a function of three parameters that returns an {@code int}. Allocates nothing. */
    public int call(long first, long second, long third) {
        try {
            return (int) THREE.invokeExact(address, first, second, third);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /**
     * Calls a function of up to six parameters, and keeps {@code errno}.
     *
     * @param arguments six at most
     */
    public Outcome invoke(long... arguments) {
        if (arguments.length > 6) {
            throw new IllegalArgumentException(arguments.length + " arguments; allowed: up to 6");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CLibrary.STATE);
            long value = (long) SetUp.SIX.invokeExact(
                    address,
                    state,
                    argument(arguments, 0),
                    argument(arguments, 1),
                    argument(arguments, 2),
                    argument(arguments, 3),
                    argument(arguments, 4),
                    argument(arguments, 5));
            return new Outcome(value, CLibrary.errno(state));
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    private static long argument(long[] arguments, int index) {
        return index < arguments.length ? arguments[index] : 0;
    }
}

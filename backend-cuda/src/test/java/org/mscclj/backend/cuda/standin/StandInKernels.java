package org.mscclj.backend.cuda.standin;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The kernels of the stand-in driver: which have begun, with what, and when those that may wait end. */
@SuppressWarnings("restricted") // what this class is for
public final class StandInKernels {
    private static final int WORDS = 21;
    private static final int ARGUMENTS = 5;

    private static final SymbolLookup DRIVER = SymbolLookup.libraryLookup(StandIn.driver(), Arena.global());
    private static final MethodHandle HOLD = bind("standin_hold", FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT));
    private static final MethodHandle RELEASE =
            bind("standin_release", FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT));
    private static final MethodHandle COUNT = bind("standin_launches", FunctionDescriptor.of(ValueLayout.JAVA_LONG));
    private static final MethodHandle GET = bind(
            "standin_launch", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
    private static final MethodHandle FORGET = bind("standin_forget_launches", FunctionDescriptor.ofVoid());

    private StandInKernels() {}

    /** The functions that there are, in the stand-in's order. */
    public enum Function {
        /** Adds a number once for each block. */
        ADD,
        /** A plan's, or that which moves messages. */
        RUN,
        /** The one that scales outputs. */
        SCALE,
        /** A user's, which may wait. */
        SPIN
    }

    /**
     * A kernel that has begun.
     *
     * @param stream the driver's handle
     * @param early whether it may begin before the kernel before it has ended
     * @param words the first words of what it was given
     */
    public record Launch(Function function, int blocks, int threads, long stream, boolean early, List<Long> words) {
        /** What it was given at an offset, in bytes. */
        public long word(int offset) {
            return words.get(offset / Long.BYTES);
        }
    }

    private static MethodHandle bind(String name, FunctionDescriptor descriptor) {
        return Linker.nativeLinker().downcallHandle(DRIVER.findOrThrow(name), descriptor);
    }

    /** From now on kernels that may wait end only when they are released, or when their communicator is aborted. */
    public static void hold() {
        hold(1);
    }

    /** {@link #hold}, and kernels that scale outputs too, which wait for nobody but may be slow. */
    public static void holdScaling() {
        hold(2);
    }

    /** All kernels end, now and from now on. */
    public static void letEnd() {
        hold(0);
    }

    private static void hold(int held) {
        try {
            HOLD.invokeExact(held);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Lets so many kernels end that are held, in the order of their streams; 0 to have carried out what can be now. */
    public static void release(int kernels) {
        try {
            RELEASE.invokeExact(kernels);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Those that have begun since {@link #forget}, in that order. */
    public static List<Launch> launches() {
        List<Launch> launches = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            long count = (long) COUNT.invokeExact();
            MemorySegment words = arena.allocate(ValueLayout.JAVA_LONG, WORDS);
            for (long i = 0; i < count; i++) {
                if ((int) GET.invokeExact(i, words) == 0) {
                    throw new IllegalStateException("the stand-in has forgotten launch " + i);
                }
                long[] all = words.toArray(ValueLayout.JAVA_LONG);
                launches.add(new Launch(
                        Function.values()[(int) all[0]],
                        (int) all[1],
                        (int) all[2],
                        all[3],
                        all[4] != 0,
                        Arrays.stream(all, ARGUMENTS, WORDS).boxed().toList()));
            }
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
        return launches;
    }

    /** Forgets those that have begun. */
    public static void forget() {
        try {
            FORGET.invokeExact();
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** A word of memory that kernels see, for what only a kernel would write. */
    public static MemorySegment memory(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }
}

package org.mscclj.gpu.multicast;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Calls of the stand-in for the driver by name, with numbers and pointers as arguments. */
@SuppressWarnings("restricted") // what this class is for
final class DriverCalls {
    private static final SymbolLookup LIBRARY =
            SymbolLookup.libraryLookup(Path.of(System.getProperty("mscclj.cuda.library", "none")), Arena.global());
    private static final Map<String, MethodHandle> HANDLES = new ConcurrentHashMap<>();

    private DriverCalls() {}

    /**
     * Makes a call; returns its result. Arguments are {@code Byte}, {@code Integer}, {@code Long} or
     * {@code MemorySegment}.
     */
    static int result(String function, Object... arguments) {
        try {
            return (int) handle(function, ValueLayout.JAVA_INT, arguments).invokeWithArguments(arguments);
        } catch (Throwable e) {
            throw new IllegalStateException(function, e);
        }
    }

    /** Makes a call that must succeed. */
    static void call(String function, Object... arguments) {
        int result = result(function, arguments);
        if (result != 0) {
            throw new IllegalStateException(function + " returns " + result);
        }
    }

    /** Makes a call that must succeed, and returns the number that it writes to its first argument. */
    static long get(String function, Object... arguments) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(ValueLayout.JAVA_LONG);
            Object[] all = new Object[arguments.length + 1];
            all[0] = value;
            System.arraycopy(arguments, 0, all, 1, arguments.length);
            call(function, all);
            return value.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    /** Calls a function that returns a number. */
    static long number(String function, Object... arguments) {
        try {
            return (long) handle(function, ValueLayout.JAVA_LONG, arguments).invokeWithArguments(arguments);
        } catch (Throwable e) {
            throw new IllegalStateException(function, e);
        }
    }

    private static MethodHandle handle(String function, MemoryLayout result, Object... arguments) {
        return HANDLES.computeIfAbsent(
                function,
                name -> Linker.nativeLinker()
                        .downcallHandle(
                                LIBRARY.findOrThrow(name),
                                FunctionDescriptor.of(
                                        result,
                                        Arrays.stream(arguments)
                                                .map(DriverCalls::layout)
                                                .toArray(MemoryLayout[]::new))));
    }

    private static MemoryLayout layout(Object argument) {
        return switch (argument) {
            case Byte _ -> ValueLayout.JAVA_BYTE;
            case Integer _ -> ValueLayout.JAVA_INT;
            case Long _ -> ValueLayout.JAVA_LONG;
            default -> ValueLayout.ADDRESS;
        };
    }
}

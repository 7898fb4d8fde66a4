package org.mscclj.posix;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.stream.Stream;

/** Finds and binds functions of the C library. */
final class CLibrary {
    /**
     * The layout of the memory that receives {@code errno}; a call that keeps it takes this memory as its first
     * argument.
     */
    static final StructLayout STATE = Linker.Option.captureStateLayout();

    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final Linker LINKER = Linker.nativeLinker();

    private CLibrary() {}

    /** Binds a function. */
    @SuppressWarnings("restricted") // calling native code is the purpose of this module
    static MethodHandle bind(String function, FunctionDescriptor descriptor, Linker.Option... options) {
        return LINKER.downcallHandle(find(function), descriptor, options);
    }

    /**
     * Binds a function whose handle takes memory of layout {@link #STATE} as first argument. After a failed call
     * {@link #errno} reads the error from this memory.
     */
    static MethodHandle bindWithErrno(String function, FunctionDescriptor descriptor, Linker.Option... options) {
        return bind(
                function,
                descriptor,
                Stream.concat(Arrays.stream(options), Stream.of(Linker.Option.captureCallState("errno")))
                        .toArray(Linker.Option[]::new));
    }

    /** Returns the address of a function. */
    static MemorySegment find(String function) {
        return LINKER.defaultLookup()
                .find(function)
                .orElseThrow(() -> new IllegalStateException("the C library has no " + function));
    }

    /** Returns the error of a failed call. */
    static int errno(MemorySegment state) {
        return (int) ERRNO.get(state, 0L);
    }
}

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
    /** Memory of a call that keeps {@code errno}; its first argument. */
    static final StructLayout STATE = Linker.Option.captureStateLayout();

    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final Linker LINKER = Linker.nativeLinker();

    private CLibrary() {}

    /** A function. */
    @SuppressWarnings("restricted") // what this module is for
    static MethodHandle bind(String function, FunctionDescriptor descriptor, Linker.Option... options) {
        return LINKER.downcallHandle(find(function), descriptor, options);
    }

    /** A function whose handle takes a {@link #STATE} in front, of which {@link #errno} tells why the call failed. */
    static MethodHandle bindWithErrno(String function, FunctionDescriptor descriptor, Linker.Option... options) {
        return bind(
                function,
                descriptor,
                Stream.concat(Arrays.stream(options), Stream.of(Linker.Option.captureCallState("errno")))
                        .toArray(Linker.Option[]::new));
    }

    /** The address of a function. */
    static MemorySegment find(String function) {
        return LINKER.defaultLookup()
                .find(function)
                .orElseThrow(() -> new IllegalStateException("the C library has no " + function));
    }

    /** The error of a failed call. */
    static int errno(MemorySegment state) {
        return (int) ERRNO.get(state, 0L);
    }
}

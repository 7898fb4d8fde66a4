package org.mscclj.benchmarks;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import org.mscclj.api.type.DataType;

/** The loops of src/main/c/reduce.c; a call takes a few nanoseconds. */
final class CLoop {
    private CLoop() {}

    /** The loop that adds 2 or 4 sources into a destination, given by absolute addresses. */
    static Runnable sum(SymbolLookup library, DataType type, long destination, long[] sources, long elements) {
        ValueLayout[] parameters = new ValueLayout[sources.length + 2];
        Arrays.fill(parameters, ValueLayout.JAVA_LONG);
        MethodHandle handle = Linker.nativeLinker()
                .downcallHandle(
                        library.findOrThrow(type.label() + "_sum" + sources.length),
                        FunctionDescriptor.ofVoid(parameters));
        return () -> {
            try {
                if (sources.length == 2) {
                    handle.invokeExact(destination, sources[0], sources[1], elements);
                } else {
                    handle.invokeExact(destination, sources[0], sources[1], sources[2], sources[3], elements);
                }
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        };
    }
}

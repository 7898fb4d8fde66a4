package org.mscclj.backend.nccl.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;

/** Creates handles of the library's functions, which must exist. */
@SuppressWarnings("restricted") // this package calls native code
final class Binding {
    private Binding() {}

    /** Returns the handle of a function that returns {@code ncclResult_t}. */
    static MethodHandle bind(String name, MemoryLayout... parameters) {
        return bind(name, FunctionDescriptor.of(JAVA_INT, parameters));
    }

    static MethodHandle bind(String name, FunctionDescriptor descriptor) {
        return Linker.nativeLinker()
                .downcallHandle(NcclLibrary.installed().symbols().findOrThrow(name), descriptor);
    }

    /** Reads a string that ends with a zero byte. */
    static AddressLayout text() {
        return ADDRESS.withTargetLayout(MemoryLayout.sequenceLayout(Long.MAX_VALUE, JAVA_BYTE));
    }
}

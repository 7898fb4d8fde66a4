package org.mscclj.backend.nccl.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Optional;
import org.mscclj.api.error.UnsupportedException;

/**
 * Creates handles of a library's functions. The handle of a function that the library does not have throws an
 * {@link UnsupportedException} that names the version to install.
 *
 * @param library the library
 */
@SuppressWarnings("restricted") // this package calls native code
record Binding(NcclLibrary library) {
    private static final MethodHandle MISSING = missing();

    private static MethodHandle missing() {
        try {
            return MethodHandles.lookup()
                    .findVirtual(
                            NcclLibrary.class,
                            "missing",
                            MethodType.methodType(UnsupportedException.class, NcclFunction.class));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the handle of a function that returns {@code ncclResult_t}. */
    MethodHandle result(NcclFunction function, MemoryLayout... parameters) {
        return handle(function, FunctionDescriptor.of(JAVA_INT, parameters));
    }

    /** Returns the handle of a function. */
    MethodHandle handle(NcclFunction function, FunctionDescriptor descriptor) {
        Optional<MemorySegment> symbol = library.symbols().find(function.symbol());
        if (symbol.isPresent()) {
            return Linker.nativeLinker().downcallHandle(symbol.get(), descriptor);
        }
        MethodType type = descriptor.toMethodType();
        MethodHandle thrower = MethodHandles.foldArguments(
                MethodHandles.throwException(type.returnType(), UnsupportedException.class),
                MethodHandles.insertArguments(MISSING, 0, library, function));
        return MethodHandles.dropArguments(thrower, 0, type.parameterList());
    }

    /** Reads a string that ends with a zero byte. */
    static AddressLayout text() {
        return ADDRESS.withTargetLayout(MemoryLayout.sequenceLayout(Long.MAX_VALUE, JAVA_BYTE));
    }
}

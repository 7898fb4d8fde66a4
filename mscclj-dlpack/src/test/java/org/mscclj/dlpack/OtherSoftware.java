package org.mscclj.dlpack;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A library in C that creates and takes tensors, built by the C compiler. Its counter is shared: test classes that read
 * it need {@code @ResourceLock}.
 */
@SuppressWarnings("restricted") // calls functions of the test library
public final class OtherSoftware {
    public static final String COUNTER = "deleted tensors";

    private static final Path LIBRARY = Path.of("target/tensors/libtensors.so").toAbsolutePath();

    private OtherSoftware() {}

    /** Fields that can be changed, in the order of the library. */
    public enum Field {
        DEVICE_TYPE,
        DEVICE_ID,
        DIMENSIONS,
        CODE,
        BITS,
        LANES,
        MAJOR,
        FLAGS,
        DELETER
    }

    private static final class Built {
        static final boolean DONE = build();
    }

    private static final class Functions {
        static final SymbolLookup LIBRARY_SYMBOLS = SymbolLookup.libraryLookup(LIBRARY, Arena.global());
        static final MethodHandle LAYOUT = bind("tensors_layout", FunctionDescriptor.of(JAVA_LONG, JAVA_INT));
        static final MethodHandle DELETED = bind("tensors_deleted", FunctionDescriptor.of(JAVA_INT));
        static final MethodHandle MAKE = bind(
                "tensors_make", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG));
        static final MethodHandle SET = bind("tensors_set", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT, JAVA_LONG));
        static final MethodHandle SUM = bind("tensors_sum", FunctionDescriptor.of(JAVA_DOUBLE, JAVA_LONG, JAVA_INT));
        static final MethodHandle DELETE = bind("tensors_delete", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT));

        private static MethodHandle bind(String name, FunctionDescriptor descriptor) {
            return Linker.nativeLinker().downcallHandle(LIBRARY_SYMBOLS.findOrThrow(name), descriptor);
        }
    }

    /** Skips the test if the library cannot be built. */
    static void require() {
        assumeTrue(Built.DONE, "there is no C compiler (cc), which builds other software that uses tensors");
    }

    private static boolean build() {
        try {
            Files.createDirectories(LIBRARY.getParent());
            Process compiler;
            try {
                compiler = new ProcessBuilder(List.of(
                                "cc",
                                "-shared",
                                "-fPIC",
                                "-O1",
                                "-pthread",
                                "src/test/c/tensors.c",
                                "-o",
                                LIBRARY.toString()))
                        .redirectErrorStream(true)
                        .start();
            } catch (IOException _) {
                return false;
            }
            String output = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (compiler.waitFor() != 0) {
                throw new IllegalStateException("tensors.c does not compile:\n" + output);
            }
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private interface Call<T> {
        T call() throws Throwable;
    }

    private static <T> T call(Call<T> call) {
        try {
            return call.call();
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** A size or an offset, computed by the compiler. */
    public static long layout(int which) {
        require();
        return call(() -> (long) Functions.LAYOUT.invokeExact(which));
    }

    /** Number of tensors of {@link #make} that have been deleted since the last call. */
    static int deleted() {
        return call(() -> (int) Functions.DELETED.invokeExact());
    }

    /** A matrix of floats 0, 1, 2, … without strides. */
    static long make(boolean versioned, long rows, long columns, long byteOffset) {
        return call(() ->
                (long) Functions.MAKE.invokeExact(versioned ? 1 : 0, rows, columns, MemorySegment.NULL, byteOffset));
    }

    /** The same with strides. */
    static long make(boolean versioned, long rows, long columns, long rowStride, long columnStride) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment strides = arena.allocateFrom(JAVA_LONG, rowStride, columnStride);
            return call(() -> (long) Functions.MAKE.invokeExact(versioned ? 1 : 0, rows, columns, strides, 0L));
        }
    }

    /** Changes a field of a versioned tensor. */
    static void set(long tensor, Field field, long value) {
        int number = List.of(Field.values()).indexOf(field);
        call(() -> {
            Functions.SET.invokeExact(tensor, number, value);
            return tensor;
        });
    }

    /** The sum of a matrix of floats on the CPU; -1 for other tensors. */
    static double sum(long tensor, boolean versioned) {
        return call(() -> (double) Functions.SUM.invokeExact(tensor, versioned ? 1 : 0));
    }

    /** Calls the deleter on a thread unknown to the VM. */
    static void delete(long tensor, boolean versioned) {
        call(() -> {
            Functions.DELETE.invokeExact(tensor, versioned ? 1 : 0);
            return tensor;
        });
    }
}

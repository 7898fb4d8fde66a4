package org.mscclj.backend.cuda.ffm;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.posix.IntCall;
import org.mscclj.posix.NativeLibrary;

/** The CUDA driver's library. */
public final class DriverLibrary {
    /** The system property with a file that replaces the driver's library, for tests. */
    public static final String PROPERTY = "mscclj.cuda.library";

    private static final String NAME = "libcuda.so.1";
    private static final String MISSING = NAME + " not found; install the NVIDIA driver, 535 (CUDA 12.2) or newer";

    private static final NativeLibrary LIBRARY =
            NativeLibrary.find(List.of(System.getProperty(PROPERTY, NAME)), MISSING, UnsupportedException::new);

    private DriverLibrary() {}

    /** The reason why there is no driver; empty if there is one. */
    public static Optional<String> missing() {
        return LIBRARY.where().isPresent() ? Optional.empty() : Optional.of(MISSING);
    }

    static boolean has(String function) {
        return LIBRARY.has(function);
    }

    static IntCall call(String function, MemoryLayout... parameters) {
        return LIBRARY.call(function, parameters);
    }

    static MethodHandle bind(String function, FunctionDescriptor descriptor) {
        return LIBRARY.bind(function, descriptor);
    }
}

package org.mscclj.backend.rocm.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;
import org.mscclj.backend.rocm.ffm.HipDevices;
import org.mscclj.backend.rocm.ffm.HipErrors;
import org.mscclj.backend.rocm.ffm.HipLibrary;
import org.mscclj.backend.rocm.ffm.HipLinking;
import org.mscclj.backend.rocm.ffm.HipRtc;
import org.mscclj.backend.rocm.ffm.HipRuntime;
import org.mscclj.gpu.driver.DeviceCalls;
import org.mscclj.gpu.driver.DriverErrors;
import org.mscclj.gpu.driver.EarlyWork;
import org.mscclj.gpu.library.HardwareQueues;
import org.mscclj.posix.NativeAccess;

/** HIP of this process once it has started, or the reason why it cannot be used. The start is tried once. */
final class HipSession {
    /** The hardware queues of a GPU. 4 is HIP's usual number. */
    static final HardwareQueues QUEUES = new HardwareQueues("GPU_MAX_HW_QUEUES", 16, 4);

    /** The first version with uncached memory, with objects that graphs own, and with all functions that are called. */
    private static final int OLDEST_MAJOR = 5;

    private static final int OLDEST_MINOR = 6;

    private static final DeviceFiles FILES = new DeviceFiles(Path.of("/"));

    private HipSession() {}

    private static final class State {
        static final Optional<String> REASON = initialize();
    }

    /** The reason why HIP or its GPUs cannot be used, for users; empty if they can. */
    static Optional<String> unavailable() {
        return State.REASON;
    }

    private static Optional<String> initialize() {
        String machine = System.getProperty("os.arch");
        if (!System.getProperty("os.name").equals("Linux") || !machine.equals("amd64")) {
            return Optional.of("the ROCm backend needs Linux on amd64, and this is " + System.getProperty("os.name")
                    + " on " + machine);
        }
        if (!FILES.mayHaveDriver() && !isLibraryNamed()) { // before the library is loaded: it is large
            return Optional.of("no AMD GPU found: " + FILES.reason());
        }
        return NativeAccess.refusal().or(HipSession::load);
    }

    /** Whether a user or a test names the library. Does not load it. */
    private static boolean isLibraryNamed() {
        return System.getProperty(HipLibrary.PROPERTY) != null || System.getenv(HipLibrary.VARIABLE) != null;
    }

    private static Optional<String> load() {
        QUEUES.request(); // before the library may read it
        return HipLibrary.missing().or(HipSession::start);
    }

    private static Optional<String> start() {
        int result = startWithLinking();
        if (result == HipErrors.NO_DEVICE || result == HipErrors.INVALID_DEVICE) {
            return Optional.of("no AMD GPU found: " + FILES.reason());
        }
        if (result != DriverErrors.SUCCESS) {
            return Optional.of("HIP does not start: hipInit gives " + HipErrors.INSTANCE.name(result) + " (code "
                    + result + "), " + HipErrors.INSTANCE.text(result) + "; rocminfo may tell more");
        }
        int count = HipRuntime.deviceCount();
        return count <= 0
                ? Optional.of("no AMD GPU found: " + FILES.reason())
                : tooOld().or(() -> unknownTarget(count));
    }

    private static Optional<String> tooOld() {
        int major = HipRuntime.major();
        return major < OLDEST_MAJOR || (major == OLDEST_MAJOR && HipRuntime.minor() < OLDEST_MINOR)
                ? Optional.of("HIP is too old: its version is " + HipRuntime.version() + "; install ROCm "
                        + OLDEST_MAJOR + "." + OLDEST_MINOR + " or newer")
                : Optional.empty();
    }

    /** Starts HIP, and meanwhile links what is needed right afterwards. */
    private static int startWithLinking() {
        try (EarlyWork early = new EarlyWork()) {
            early.start("mscclj-rocm-linking", HipLinking::linkAll);
            return HipRuntime.initialize();
        }
    }

    /**
     * The reason why no kernel can be compiled for a GPU; empty if all are known to the compiler, or if it is missing.
     */
    private static Optional<String> unknownTarget(int count) {
        if (HipRtc.LIBRARY.missing().isPresent()) {
            return Optional.empty(); // the compiler says it
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocate(DeviceCalls.MAX_TEXT_BYTES);
            for (int ordinal = 0; ordinal < count; ordinal++) {
                if (HipDevices.INSTANCE.architecture(ordinal, name) == DriverErrors.SUCCESS) {
                    Optional<String> refusal = HipRtcCompiler.refusal(name.getString(0));
                    if (refusal.isPresent()) {
                        return Optional.of(
                                "GPU " + ordinal + ": " + refusal.get() + ", or hide the GPU by HIP_VISIBLE_DEVICES");
                    }
                }
            }
        }
        return Optional.empty();
    }
}

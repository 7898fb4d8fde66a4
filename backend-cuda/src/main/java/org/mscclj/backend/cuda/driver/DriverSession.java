package org.mscclj.backend.cuda.driver;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.backend.cuda.ffm.Driver;
import org.mscclj.backend.cuda.ffm.DriverLibrary;
import org.mscclj.backend.cuda.ffm.Errors;
import org.mscclj.backend.cuda.ffm.Linking;
import org.mscclj.gpu.driver.DriverErrors;
import org.mscclj.gpu.driver.EarlyWork;
import org.mscclj.gpu.library.HardwareQueues;
import org.mscclj.posix.Environment;
import org.mscclj.posix.NativeAccess;

/** The initialised driver of this process, or the reason why there is none. The initialisation is tried once. */
public final class DriverSession {
    /** The hardware queues of a GPU. 8 is the driver's usual number. */
    static final HardwareQueues QUEUES = new HardwareQueues("CUDA_DEVICE_MAX_CONNECTIONS", 32, 8);

    private static final int OLDEST = 12_020;
    private static final Path DRIVER_FILE = Path.of("/dev/nvidiactl");

    /** The device file on Linux inside Windows. */
    private static final Path DRIVER_FILE_OF_WINDOWS = Path.of("/dev/dxg");

    private static final String NOT_ALLOWED = "; or, if it is installed, let this module call it: add"
            + " --enable-native-access=org.mscclj.posix,org.mscclj.backend.cuda,jcuda (on the class path: ALL-UNNAMED)"
            + " to the VM's options";

    private DriverSession() {}

    private static final class State {
        static final Optional<String> REASON = initialize();
    }

    /** The reason why the driver or its devices cannot be used, for users; empty if they can. */
    public static Optional<String> unavailable() {
        return State.REASON;
    }

    /**
     * Initialises the driver, unless this was done before.
     *
     * @throws UnsupportedException with the reason if it cannot be initialised
     */
    public static void require() {
        State.REASON.ifPresent(reason -> {
            throw new UnsupportedException(reason);
        });
    }

    private static Optional<String> initialize() {
        String machine = System.getProperty("os.arch");
        if (!System.getProperty("os.name").equals("Linux") || !machine.equals("amd64")) {
            return Optional.of("the CUDA backend needs Linux on amd64, and this is " + System.getProperty("os.name")
                    + " on " + machine);
        }
        boolean allowed = Stream.of(DriverSession.class, NativeAccess.class)
                .allMatch(type -> type.getModule().isNativeAccessEnabled());
        if (!allowed && !mayHaveDriver()) { // else the VM would warn of a useless native call
            return Optional.of("no NVIDIA driver is loaded: there is no " + DRIVER_FILE + "; install it");
        }
        Optional<String> missing = DriverLibrary.missing().map(reason -> allowed ? reason : reason + NOT_ALLOWED);
        return missing.or(NativeAccess::refusal).or(DriverSession::initializeDriver);
    }

    private static boolean mayHaveDriver() {
        return Files.exists(DRIVER_FILE)
                || Files.exists(DRIVER_FILE_OF_WINDOWS)
                || System.getProperty(DriverLibrary.PROPERTY) != null;
    }

    private static Optional<String> initializeDriver() {
        QUEUES.request();
        // Loading a function at its first launch may wait for kernels that wait for that launch.
        Environment.setDefault("CUDA_MODULE_LOADING", "EAGER");
        int version = Driver.version();
        if (version < OLDEST) {
            return Optional.of("the NVIDIA driver is too old: it supports CUDA " + CudaDriver.text(version)
                    + "; install driver 535 (CUDA 12.2) or newer");
        }
        int result = start();
        if (result == Errors.NO_DEVICE) {
            return Optional.of(noDevice());
        }
        if (result != DriverErrors.SUCCESS) {
            DriverErrors errors = CudaDriver.INSTANCE.errors();
            return Optional.of("the NVIDIA driver does not start: cuInit gives " + errors.name(result) + " (code "
                    + result + "), " + errors.text(result)
                    + "; nvidia-smi may tell more, or load the kernel module nvidia");
        }
        return Driver.deviceCount() <= 0 ? Optional.of(noDevice()) : Optional.empty();
    }

    /** Starts the driver, and meanwhile prepares what is needed right afterwards. Each takes a tenth of a second. */
    private static int start() {
        try (EarlyWork early = new EarlyWork()) {
            early.start("mscclj-cuda-linking", Linking::linkAll);
            early.start("mscclj-cuda-loading", JcudaLibrary::loadIfUnpacked);
            return Driver.initialize();
        }
    }

    private static String noDevice() {
        return "no NVIDIA GPU found; check nvidia-smi, CUDA_VISIBLE_DEVICES, and that a container was given GPUs";
    }
}

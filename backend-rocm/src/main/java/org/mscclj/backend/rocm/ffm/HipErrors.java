package org.mscclj.backend.rocm.ffm;

import java.util.Set;
import org.mscclj.gpu.driver.DriverErrors;
import org.mscclj.posix.IntCall;
import org.mscclj.posix.TextCall;

/** The results of HIP, their names and texts, and their meaning. */
public final class HipErrors implements DriverErrors {
    /** {@code hipErrorNoDevice}. */
    public static final int NO_DEVICE = 100;

    /** {@code hipErrorInvalidDevice}, which {@code hipInit} of HIP 5 returns if there is no GPU. */
    public static final int INVALID_DEVICE = 101;

    /** {@code hipErrorPeerAccessAlreadyEnabled}: the requested access exists. */
    static final int PEER_ACCESS_ALREADY_ENABLED = 704;

    /** {@code hipErrorUnknown}. */
    static final int UNKNOWN = 999;

    /**
     * Errors after which a GPU completes no work of this process any more: {@code hipErrorECCNotCorrectable},
     * {@code IllegalAddress}, {@code LaunchTimeOut}, {@code ContextIsDestroyed}, {@code Assert}, {@code LaunchFailure}
     * and {@code Unknown}. Most faults of kernels end the process instead: see decision 0037.
     */
    static final Set<Integer> OF_LOST_CONTEXTS = Set.of(214, 700, 702, 709, 710, 719, UNKNOWN);

    private static final TextCall NAME = HipLibrary.text("hipGetErrorName");
    private static final TextCall TEXT = HipLibrary.text("hipGetErrorString");
    private static final IntCall LAST = HipLibrary.call("hipGetLastError");

    /** The only instance: it has no state. */
    public static final DriverErrors INSTANCE = new HipErrors();

    private HipErrors() {}

    /**
     * Returns a result, and makes HIP forget it if it is not success: other software of this thread asks for the last
     * error of all calls ({@code hipGetLastError}), and would take an expected result for a failure of its own.
     */
    static int forgotten(int result) {
        if (result != SUCCESS) {
            int _ = LAST.call();
        }
        return result;
    }

    /** {@code hipGetErrorName}. */
    @Override
    public String name(int result) {
        return NAME.call(result);
    }

    /** {@code hipGetErrorString}. */
    @Override
    public String text(int result) {
        return TEXT.call(result);
    }

    @Override
    public boolean isOfLostContext(int result) {
        return result != SUCCESS && result != NOT_READY && OF_LOST_CONTEXTS.contains(result);
    }
}

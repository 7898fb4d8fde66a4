package org.mscclj.backend.host.kernel.variant;

import java.util.Optional;
import jdk.incubator.vector.IntVector;

/** Decides, once, between the vector kernels and their scalar twins. */
public final class VectorSupport {
    /** System property; {@code false} forces the scalar kernels. */
    public static final String PROPERTY = "mscclj.host.vector";

    /** The number of bytes that a scalar kernel processes before its vector twin may replace it. */
    public static final long BYTES_BEFORE_VECTORS = Tier.WORTH_IT_BYTES;

    private static final String MODULE = "jdk.incubator.vector";
    private static final String REASON_AGAINST = reasonAgainst();

    private VectorSupport() {}

    /** Whether the vector kernels are in use. */
    public static boolean isEnabled() {
        return REASON_AGAINST.isEmpty();
    }

    /** Describes the kernels in use, the reason, and how to change the choice. */
    public static String description() {
        return isEnabled() ? "vector, " + Vectors.bits() + " bits" : "scalar: " + REASON_AGAINST;
    }

    /**
     * Blocks until pending promotions of vector kernels are decided: for measurements, and for callers that need steady
     * performance from the start.
     */
    public static void awaitWarmUp() {
        Tier.await();
    }

    private static String reasonAgainst() {
        if ("false".equals(System.getProperty(PROPERTY))) {
            return "-D" + PROPERTY + "=false is set";
        }
        Optional<Module> incubator = ModuleLayer.boot().findModule(MODULE);
        if (incubator.isEmpty()) {
            return "module " + MODULE + " is absent; start Java with --add-modules " + MODULE;
        }
        if (!VectorSupport.class.getModule().canRead(incubator.get())) {
            return "this module does not read " + MODULE + "; start Java with --add-modules " + MODULE;
        }
        return "";
    }

    /** Loaded only where the Vector API is. */
    private static final class Vectors {
        static int bits() {
            return IntVector.SPECIES_PREFERRED.vectorBitSize();
        }
    }
}

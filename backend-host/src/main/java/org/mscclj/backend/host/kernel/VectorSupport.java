package org.mscclj.backend.host.kernel;

import java.util.Optional;

/** Decides, once, between the vector kernels and their scalar twins. */
public final class VectorSupport {
    /** System property; {@code false} forces the scalar kernels. */
    public static final String PROPERTY = "mscclj.host.vector";

    private static final String MODULE = "jdk.incubator.vector";
    private static final String REASON_AGAINST = reasonAgainst();

    private VectorSupport() {}

    /** Whether the vector kernels are in use. */
    public static boolean isEnabled() {
        return REASON_AGAINST.isEmpty();
    }

    /** In words what is in use, why, and how to change it. */
    public static String description() {
        return isEnabled() ? "vector, " + VectorKernels.bits() + " bits" : "scalar: " + REASON_AGAINST;
    }

    /**
     * Blocks until the vector kernels that are being exercised in the background have been judged: for measurements,
     * and for whoever wants the first second behind them.
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
}

package org.mscclj.backend.nccl.ffm;

import org.mscclj.posix.Environment;

/**
 * Turns NVLink multicast off in NCCL, unless {@code NCCL_NVLS_ENABLE} is set: on machines whose GPUs are shared it can
 * put those of others out of service, so that only the user may turn it on.
 */
final class MulticastDefault {
    static final String VARIABLE = "NCCL_NVLS_ENABLE";

    private static final String OFF = "0";

    private MulticastDefault() {}

    /** What NCCL reads. */
    static String value() {
        return System.getenv().getOrDefault(VARIABLE, OFF);
    }

    /** Before NCCL's first call, since it reads its variables once. */
    static void apply() {
        Environment.setDefault(VARIABLE, OFF);
    }
}

package org.mscclj.backend.nccl.ffm;

import org.mscclj.posix.Environment;

/**
 * Turns NVLink multicast (NVLS) off in NCCL, unless {@code NCCL_NVLS_ENABLE} is set. On machines with shared GPUs
 * multicast can disturb the GPUs of other users, so that only the user may turn it on.
 */
final class MulticastDefault {
    static final String VARIABLE = "NCCL_NVLS_ENABLE";

    private static final String OFF = "0";

    private MulticastDefault() {}

    /** The variable that NCCL reads. */
    static String value() {
        return System.getenv().getOrDefault(VARIABLE, OFF);
    }

    /** Sets the variable. Called before the first call of NCCL, which reads its variables once. */
    static void apply() {
        Environment.setDefault(VARIABLE, OFF);
    }
}

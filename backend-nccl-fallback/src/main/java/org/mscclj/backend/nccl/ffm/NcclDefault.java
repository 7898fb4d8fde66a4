package org.mscclj.backend.nccl.ffm;

import org.mscclj.posix.Environment;

/**
 * A variable of NCCL that is 0 where the environment does not set it. NCCL prefers the environment to its configuration
 * files.
 */
enum NcclDefault {
    /**
     * NVLink multicast. On machines with shared GPUs it can disturb those of other users, so only the user turns it on.
     */
    MULTICAST("NCCL_NVLS_ENABLE"),

    /**
     * Whether NCCL from 2.22.3 on connects the ranks for an algorithm when a call first takes it, and not when a
     * communicator opens. Which algorithm a call takes depends on its size, so that a later call could wait for other
     * ranks inside a capture.
     */
    LATE_CONNECTIONS("NCCL_RUNTIME_CONNECT");

    private static final String OFF = "0";

    private final String variable;

    NcclDefault(String variable) {
        this.variable = variable;
    }

    String variable() {
        return variable;
    }

    /** The value that NCCL reads. */
    String value() {
        return System.getenv().getOrDefault(variable, OFF);
    }

    /** Sets the variables. Called before the first call of NCCL, which reads its variables once. */
    static void apply() {
        for (NcclDefault one : values()) {
            Environment.setDefault(one.variable, OFF);
        }
    }
}

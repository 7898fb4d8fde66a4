package org.mscclj.cli.selftest;

import java.util.Arrays;
import java.util.Optional;

/** Backends of GPUs, of which processes may share one. */
enum GpuVendor {
    /** NVIDIA GPUs. */
    CUDA("cuda", "CUDA_DEVICE_MAX_CONNECTIONS", "8"),

    /** AMD GPUs. */
    ROCM("rocm", "GPU_MAX_HW_QUEUES", "4");

    private final String backend;
    private final String queues;
    private final String few;

    /**
     * Describes a backend.
     *
     * @param queues the variable with the number of hardware queues of a process
     * @param few the number for processes that share a GPU
     */
    GpuVendor(String backend, String queues, String few) {
        this.backend = backend;
        this.queues = queues;
        this.few = few;
    }

    /** The vendor whose GPUs a backend uses; empty if it uses none. */
    static Optional<GpuVendor> of(Optional<String> backend) {
        return Arrays.stream(values())
                .filter(vendor -> backend.filter(vendor.backend::equals).isPresent())
                .findFirst();
    }

    /** The name of the backend. */
    String backend() {
        return backend;
    }

    /** The variable with the number of hardware queues of a process. */
    String queues() {
        return queues;
    }

    /** The number of hardware queues for processes that share a GPU. */
    String few() {
        return few;
    }
}

package org.mscclj.gpu.driver;

/** Attributes of a function that a driver reports. */
public enum FunctionAttribute {
    /** Registers per thread. */
    REGISTERS,
    /** The most threads that a block may have. */
    MAX_THREADS,
    /** Shared memory per block that the code itself declares, in bytes. */
    SHARED_BYTES
}

package org.mscclj.gpu.driver;

/** What a driver knows of a function. */
public enum FunctionAttribute {
    /** Registers of a thread. */
    REGISTERS,
    /** The most threads that a block may have. */
    MAX_THREADS,
    /** Shared memory of a block that the code itself declares, in bytes. */
    SHARED_BYTES
}

package org.mscclj.backend.cuda.gpu;

import org.mscclj.api.error.BackendException;

/**
 * The driver of a vendor's GPUs in this process.
 *
 * <p>The groups of calls are constants of the implementation, and so are the handles of its functions. So the VM, which
 * knows one driver as a rule, inlines a call through this interface like a static one.
 */
public interface GpuDriver {
    /**
     * Makes sure that the driver is there and has started, before anything else is called.
     *
     * @throws org.mscclj.api.error.UnsupportedException with the reason if it cannot be used
     */
    void require();

    /** GPUs, and their primary contexts. */
    GpuDevices devices();

    /** Contexts of threads. */
    GpuContexts contexts();

    /** Physical memory, and addresses at which it is mapped. */
    GpuVirtualMemory virtualMemory();

    /** Pinned memory, and memory that other software has allocated. */
    GpuMemory memory();

    /** Copies in a stream. */
    GpuCopies copies();

    /** Loaded code. */
    GpuCode code();

    /** Launches of functions of loaded code. */
    GpuLaunches launches();

    /** Streams. */
    GpuStreams streams();

    /** Events. */
    GpuEvents events();

    /** Captures and graphs. */
    GpuGraphs graphs();

    /** What results mean. */
    GpuErrors errors();

    /**
     * Passes success.
     *
     * @param function what was called
     * @throws BackendException otherwise
     */
    default void check(int result, String function) {
        if (result != GpuErrors.SUCCESS) {
            throw failure(result, function);
        }
    }

    /**
     * Passes success, and errors of a lost context: then there is nothing left to give back, and users of the context
     * have been told.
     *
     * @param function what was called, which frees something
     * @throws BackendException otherwise
     */
    default void checkFreed(int result, String function) {
        if (!errors().isOfLostContext(result)) {
            check(result, function);
        }
    }

    /** An exception with the function, the symbolic name and what the driver says about it. */
    default BackendException failure(int result, String function) {
        return new BackendException(function + " failed: " + errors().text(result), result, errors().name(result));
    }
}

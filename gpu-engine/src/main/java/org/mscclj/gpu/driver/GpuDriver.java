package org.mscclj.gpu.driver;

import java.util.Optional;
import java.util.UUID;
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

    /** The backend whose driver this is, as {@code cuda}. */
    String backend();

    /** Numbers of the vendor's GPUs. Needs no driver. */
    GpuTraits traits();

    /** Words of the vendor. Needs no driver. */
    VendorTerms terms();

    /** The newest version of the programming interface that the driver serves, as {@code 13.0}. */
    String version();

    /** How many GPUs this process sees; 0 or less if there are none. Cheaper than {@link DeviceCalls#count}. */
    int deviceCount();

    /** Compiles kernels. */
    RuntimeCompiler compiler();

    /** Errors of a GPU from now on, which the system reports beside the driver; empty if it reports none. */
    Optional<DeviceErrorEvents> errorEvents(UUID gpu);

    /** GPUs, and their primary contexts. */
    DeviceCalls devices();

    /** Contexts of threads. */
    ContextCalls contexts();

    /** Physical memory, and addresses at which it is mapped. */
    VirtualMemoryCalls virtualMemory();

    /** Pinned memory, and memory that other software has allocated. */
    MemoryCalls memory();

    /** Copies in a stream. */
    CopyCalls copies();

    /** Loaded code. */
    CodeCalls code();

    /** Launches of functions of loaded code. */
    LaunchCalls launches();

    /** Streams. */
    StreamCalls streams();

    /** Events. */
    EventCalls events();

    /** Captures and graphs. */
    GraphCalls graphs();

    /** What results mean. */
    DriverErrors errors();

    /**
     * Passes success.
     *
     * @param operation what was done, as {@code closing a stream}
     * @throws BackendException otherwise
     */
    default void check(int result, String operation) {
        if (result != DriverErrors.SUCCESS) {
            throw failure(result, operation);
        }
    }

    /**
     * Passes success, and errors of a lost context: then there is nothing left to give back, and users of the context
     * have been told.
     *
     * @param operation what was freed, as {@code closing a stream}
     * @throws BackendException otherwise
     */
    default void checkFreed(int result, String operation) {
        if (!errors().isOfLostContext(result)) {
            check(result, operation);
        }
    }

    /** An exception with the operation, the symbolic name of the result, and the text of the driver. */
    default BackendException failure(int result, String operation) {
        return new BackendException(operation + " failed: " + errors().text(result), result, errors().name(result));
    }
}

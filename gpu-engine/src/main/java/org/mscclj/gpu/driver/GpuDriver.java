package org.mscclj.gpu.driver;

import java.util.Optional;
import java.util.UUID;
import org.mscclj.api.error.BackendException;

/**
 * The driver of a vendor's GPUs in this process.
 *
 * <p>The groups of calls are constants of the implementation, and so are the handles of its functions. A process
 * normally has one driver, so the VM inlines a call through this interface like a static call.
 */
public interface GpuDriver {
    /** The reason why the driver or its GPUs cannot be used, for users; empty if they can. Starts the driver. */
    Optional<String> unavailable();

    /**
     * Checks that the driver is present, and starts it. Called before all other methods.
     *
     * @throws org.mscclj.api.error.UnsupportedException with the reason if the driver cannot be used
     */
    void require();

    /** The name of the backend that uses this driver, as {@code cuda}. */
    String backend();

    /** Numeric properties of the vendor's GPUs. Does not use the driver. */
    GpuTraits traits();

    /** The links between the GPUs of the host; empty if they are unknown. Does not use the driver. */
    default Optional<GpuLinks> links() {
        return Optional.empty();
    }

    /** The vendor's terms for messages. Does not use the driver. */
    VendorTerms terms();

    /** The newest version of the programming interface that the driver supports, as {@code 13.0}. */
    String version();

    /**
     * The number of GPUs that this process sees; 0 or less if there are none. Cheaper than {@link DeviceCalls#count}.
     */
    int deviceCount();

    /** The compiler for kernels. */
    RuntimeCompiler compiler();

    /**
     * Subscribes to the error events of a GPU that the system reports independently of the driver; empty if it reports
     * none.
     */
    Optional<DeviceErrorEvents> errorEvents(UUID gpu);

    /** Calls for GPUs and their primary contexts. */
    DeviceCalls devices();

    /** Calls for contexts of threads. */
    ContextCalls contexts();

    /** Calls for memory of GPUs that peers can map. */
    DeviceMemoryCalls deviceMemory();

    /** Calls for multicast objects; empty if the vendor has none. Looks nothing up: the first of the calls does. */
    default Optional<MulticastCalls> multicast() {
        return Optional.empty();
    }

    /** How the GPUs of the host are registered with a fabric of switches; empty if none is. Does not use the driver. */
    default Optional<String> fabricSummary() {
        return Optional.empty();
    }

    /** The registration of a GPU with a fabric of switches; empty if it is unknown. Does not use the driver. */
    default Optional<FabricState> fabric(UUID gpu) {
        return Optional.empty();
    }

    /** Calls for pinned memory, and for memory that other software has allocated. */
    MemoryCalls memory();

    /** Calls for copies in a stream. */
    CopyCalls copies();

    /** Calls for loaded code. */
    CodeCalls code();

    /** Calls that launch functions of loaded code. */
    LaunchCalls launches();

    /** Calls for streams. */
    StreamCalls streams();

    /** Calls for events. */
    EventCalls events();

    /** Calls for captures and graphs. */
    GraphCalls graphs();

    /** The meaning of results. */
    DriverErrors errors();

    /**
     * Throws if a result is not success.
     *
     * @param operation the operation of the call, as {@code closing a stream}
     * @throws BackendException if the result is not success
     */
    default void check(int result, String operation) {
        if (result != DriverErrors.SUCCESS) {
            throw failure(result, operation);
        }
    }

    /**
     * Throws if a result is neither success nor an error of a lost context. In a lost context nothing is left to free,
     * and its users have been notified.
     *
     * @param operation the freeing operation, as {@code closing a stream}
     * @throws BackendException if the result is any other error
     */
    default void checkFreed(int result, String operation) {
        if (!errors().isOfLostContext(result)) {
            check(result, operation);
        }
    }

    /** Creates an exception with the operation, the symbolic name of the result, and the text of the driver. */
    default BackendException failure(int result, String operation) {
        return new BackendException(operation + " failed: " + errors().text(result), result, errors().name(result));
    }
}

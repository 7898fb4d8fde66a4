package org.mscclj.gpu.context;

import java.util.Optional;
import java.util.UUID;
import org.mscclj.gpu.driver.GpuDriver;

/** Finds GPUs of this process, and determines which of them can access each other. */
public final class PeerAccess {
    private PeerAccess() {}

    /** The number of a GPU, if this process sees it. The driver must have been started by opening a context. */
    public static Optional<Integer> find(GpuDriver driver, UUID uuid) {
        int count = driver.devices().count();
        for (int ordinal = 0; ordinal < count; ordinal++) {
            if (DeviceProperties.uuid(driver, ordinal).equals(uuid)) {
                return Optional.of(ordinal);
            }
        }
        return Optional.empty();
    }

    /**
     * Whether one GPU can access the memory of another, including atomic operations, which kernels need for signals.
     */
    static boolean between(GpuDriver driver, int ordinal, int peer) {
        return DeviceProperties.number(
                                driver,
                                can -> driver.devices().canAccessPeer(ordinal, peer, can),
                                "reading the peer access of GPUs " + ordinal + " and " + peer)
                        != 0
                && DeviceProperties.number(
                                driver,
                                has -> driver.devices().hasPeerAtomics(ordinal, peer, has),
                                "reading the peer atomics of GPUs " + ordinal + " and " + peer)
                        != 0;
    }
}

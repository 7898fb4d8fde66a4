package org.mscclj.backend.cuda.context;

import java.util.Optional;
import java.util.UUID;
import jcuda.driver.CUdevice_P2PAttribute;
import jcuda.driver.JCudaDriver;
import org.mscclj.backend.cuda.driver.DriverResult;
import org.mscclj.backend.cuda.ffm.Driver;

/** Which GPUs of this process there are, and which reach which. */
public final class PeerAccess {
    private PeerAccess() {}

    /** The number of a GPU, if this process sees it. The driver must have been started by opening a context. */
    public static Optional<Integer> find(UUID uuid) {
        int count = Driver.deviceCount();
        for (int ordinal = 0; ordinal < count; ordinal++) {
            if (DeviceProperties.uuid(DeviceProperties.device(ordinal)).equals(uuid)) {
                return Optional.of(ordinal);
            }
        }
        return Optional.empty();
    }

    /** Whether one GPU can access the memory of another, atomic operations included: kernels signal by them. */
    static boolean between(int ordinal, int peer) {
        int[] can = new int[1];
        DriverResult.checkJcuda(
                () -> JCudaDriver.cuDeviceCanAccessPeer(
                        can, DeviceProperties.device(ordinal), DeviceProperties.device(peer)),
                "cuDeviceCanAccessPeer of GPUs " + ordinal + " and " + peer);
        return can[0] != 0 && hasAtomics(ordinal, peer);
    }

    private static boolean hasAtomics(int ordinal, int peer) {
        int[] has = new int[1];
        DriverResult.checkJcuda(
                () -> JCudaDriver.cuDeviceGetP2PAttribute(
                        has,
                        CUdevice_P2PAttribute.CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED,
                        DeviceProperties.device(ordinal),
                        DeviceProperties.device(peer)),
                "cuDeviceGetP2PAttribute of GPUs " + ordinal + " and " + peer);
        return has[0] != 0;
    }
}

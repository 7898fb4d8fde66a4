package org.mscclj.dlpack;

import org.mscclj.api.device.Device;
import org.mscclj.api.error.UnsupportedException;

/**
 * A device in DLPack's terms.
 *
 * @param type DLPack's type of device
 * @param id index among the devices of that type
 */
record TensorDevice(int type, int id) {
    private static final int CPU = 1;
    private static final int CUDA = 2;
    private static final int ROCM = 10;

    /**
     * The DLPack device of a device of this library.
     *
     * @throws UnsupportedException if DLPack has no type for its backend
     */
    static TensorDevice of(Device device) {
        return switch (device.backend()) {
            case "host" -> new TensorDevice(CPU, 0); // for any rank's share of it
            case "cuda" -> new TensorDevice(CUDA, device.index());
            case "rocm" -> new TensorDevice(ROCM, device.index());
            default ->
                throw new UnsupportedException("devices of backend " + device.backend()
                        + " have no name in DLPack that is known here; those of host, cuda and rocm have");
        };
    }

    @Override
    public String toString() {
        String name = switch (type) {
            case CPU -> "kDLCPU";
            case CUDA -> "kDLCUDA";
            case ROCM -> "kDLROCM";
            default -> "DLPack's device type " + type;
        };
        return name + " " + id;
    }
}

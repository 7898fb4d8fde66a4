package org.mscclj.backend.rocm.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.mscclj.gpu.driver.DeviceCalls;
import org.mscclj.gpu.driver.DriverErrors;
import org.mscclj.posix.IntCall;

/** Calls for GPUs. Attributes are asked one by one, since the structure with all of them differs by version. */
public final class HipDevices implements DeviceCalls {
    /** {@code hipDeviceAttributeMultiprocessorCount} and {@code WarpSize}. */
    static final int MULTIPROCESSORS = 63;

    static final int WARP_SIZE = 87;

    /** {@code hipDevP2PAttrNativeAtomicSupported}. */
    static final int NATIVE_ATOMICS = 2;

    /** The bytes of the name of a PCI device. */
    private static final int PCI_BYTES = 32;

    private static final IntCall NAME = HipLibrary.call("hipDeviceGetName", ADDRESS, JAVA_INT, JAVA_INT);
    private static final IntCall UUID = HipLibrary.call("hipDeviceGetUuid", ADDRESS, JAVA_INT);
    private static final IntCall PCI_NAME = HipLibrary.call("hipDeviceGetPCIBusId", ADDRESS, JAVA_INT, JAVA_INT);
    private static final IntCall ATTRIBUTE = HipLibrary.call("hipDeviceGetAttribute", ADDRESS, JAVA_INT, JAVA_INT);
    private static final IntCall CAN_ACCESS = HipLibrary.call("hipDeviceCanAccessPeer", ADDRESS, JAVA_INT, JAVA_INT);
    private static final IntCall PEER_ATTRIBUTE =
            HipLibrary.call("hipDeviceGetP2PAttribute", ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT);
    private static final IntCall MEMORY = HipLibrary.call("hipMemGetInfo", ADDRESS, ADDRESS);

    private static final DeviceStructure STRUCTURE = DeviceStructure.ofLibrary();
    private static final IntCall PROPERTIES = HipLibrary.call(STRUCTURE.function(), ADDRESS, JAVA_INT);

    /** The only instance: it has no state. */
    public static final DeviceCalls INSTANCE = new HipDevices();

    private HipDevices() {}

    /**
     * {@code hipDeviceProp_t}, from which only the architecture is read.
     *
     * @param function the function that fills it
     * @param bytes its size
     * @param architecture the offset of {@code gcnArchName}, of 256 bytes
     */
    record DeviceStructure(String function, long bytes, long architecture) {
        /** HIP 6 and newer. Their libraries have the older function too, for programs that were built for HIP 5. */
        static final DeviceStructure NEWER = new DeviceStructure("hipGetDevicePropertiesR0600", 1472, 1160);

        /** HIP 5. */
        static final DeviceStructure OLDER = new DeviceStructure("hipGetDeviceProperties", 792, 396);

        static DeviceStructure ofLibrary() {
            return HipLibrary.has(NEWER.function) ? NEWER : OLDER;
        }
    }

    /** {@code hipGetDeviceCount}. */
    @Override
    public int count() {
        return HipRuntime.deviceCount();
    }

    /** {@code hipDeviceGetName}. */
    @Override
    public int name(int ordinal, MemorySegment name) {
        return NAME.call(name, MAX_TEXT_BYTES, ordinal);
    }

    /**
     * {@code hipDeviceGetUuid}, which is 16 characters. GPUs that have no number of their own have fewer: their place
     * on the PCI bus is their identity, which is the same in all processes of a host.
     */
    @Override
    public int uuid(int ordinal, MemorySegment uuid) {
        int result = UUID.call(uuid, ordinal);
        if (result != DriverErrors.SUCCESS || uuid.get(JAVA_BYTE, UUID_BYTES - 1L) != 0) {
            return result;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment place = arena.allocate(PCI_BYTES);
            int found = PCI_NAME.call(place, PCI_BYTES, ordinal);
            MemorySegment.copy(place, 0, uuid, 0, UUID_BYTES);
            return found;
        }
    }

    /** {@code hipDeviceGetPCIBusId}. */
    @Override
    public int busAddress(int ordinal, MemorySegment address) {
        return PCI_NAME.call(address, MAX_TEXT_BYTES, ordinal);
    }

    /**
     * The first part of {@code gcnArchName}, as {@code gfx90a}. The rest, as in {@code gfx90a:sramecc+:xnack-}, says in
     * which mode the GPU is: code for {@code gfx90a} runs in all modes.
     */
    @Override
    public int architecture(int ordinal, MemorySegment name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment properties = arena.allocate(STRUCTURE.bytes(), Long.BYTES);
            int result = PROPERTIES.call(properties, ordinal);
            if (result == DriverErrors.SUCCESS) {
                String full = properties
                        .asSlice(STRUCTURE.architecture(), MAX_TEXT_BYTES)
                        .getString(0, StandardCharsets.US_ASCII);
                int end = full.indexOf(':');
                name.setString(0, end < 0 ? full : full.substring(0, end));
            }
            return result;
        }
    }

    /** {@code hipDeviceGetAttribute}. */
    @Override
    public int multiprocessors(int ordinal, MemorySegment number) {
        return ATTRIBUTE.call(number, MULTIPROCESSORS, ordinal);
    }

    /** {@code hipDeviceGetAttribute}: 64 for CDNA, and 32 for RDNA. */
    @Override
    public int warpSize(int ordinal, MemorySegment threads) {
        return ATTRIBUTE.call(threads, WARP_SIZE, ordinal);
    }

    /** None of the memory is virtual. */
    @Override
    public int directRdma(int ordinal, MemorySegment can) {
        can.set(JAVA_INT, 0, 0);
        return DriverErrors.SUCCESS;
    }

    /** {@code hipDeviceCanAccessPeer}. */
    @Override
    public int canAccessPeer(int ordinal, int peer, MemorySegment can) {
        return CAN_ACCESS.call(can, ordinal, peer);
    }

    /** {@code hipDeviceGetP2PAttribute}. */
    @Override
    public int hasPeerAtomics(int ordinal, int peer, MemorySegment has) {
        return PEER_ATTRIBUTE.call(has, NATIVE_ATOMICS, ordinal, peer);
    }

    /** A GPU needs no call: HIP starts it with its first use. */
    @Override
    public int retainContext(int ordinal, MemorySegment context) {
        context.set(JAVA_LONG, 0, HipContexts.of(ordinal));
        return DriverErrors.SUCCESS;
    }

    /** HIP stops a GPU when the process ends. */
    @Override
    public int releaseContext(int ordinal) {
        return DriverErrors.SUCCESS;
    }

    /** {@code hipMemGetInfo}. */
    @Override
    public int freeMemory(MemorySegment bytes) {
        try (Arena arena = Arena.ofConfined()) {
            return MEMORY.call(bytes, arena.allocate(JAVA_LONG));
        }
    }
}

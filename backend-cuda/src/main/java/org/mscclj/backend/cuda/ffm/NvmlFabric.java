package org.mscclj.backend.cuda.ffm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What NVML knows of the registration of GPUs with the fabric of switches. Source: NVML's reference, "Device Queries",
 * {@code nvmlDeviceGetGpuFabricInfoV}, which drivers have since 550.
 *
 * @param state {@code NVML_GPU_FABRIC_STATE_…}: 0 for no fabric, 1 for not started, 2 for in progress, 3 for completed
 * @param status NVML's result of the registration; 0 for success
 * @param cluster the domain
 * @param clique the part of the domain
 */
public record NvmlFabric(int state, int status, UUID cluster, int clique) {
    /** {@code nvmlGpuFabricInfo_v2_t}. */
    static final StructLayout INFO = MemoryLayout.structLayout(
            JAVA_INT.withName("version"),
            MemoryLayout.sequenceLayout(16, JAVA_BYTE).withName("clusterUuid"),
            JAVA_INT.withName("status"),
            JAVA_INT.withName("cliqueId"),
            JAVA_BYTE.withName("state"),
            MemoryLayout.paddingLayout(3),
            JAVA_INT.withName("healthMask"));

    private static final int VERSION = (int) INFO.byteSize() | 2 << 24;

    /** The registration of a GPU; empty if this system does not know it. */
    public static Optional<NvmlFabric> of(UUID gpu) {
        if (Nvml.init() != Nvml.SUCCESS) {
            return Optional.empty();
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment device = arena.allocate(JAVA_LONG);
            return Nvml.device("GPU-" + gpu, device) == Nvml.SUCCESS ? read(arena, device) : Optional.empty();
        }
    }

    /** The registrations of all GPUs of the system, as far as it knows them. */
    public static List<NvmlFabric> all() {
        List<NvmlFabric> all = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment count = arena.allocate(JAVA_INT);
            MemorySegment device = arena.allocate(JAVA_LONG);
            if (Nvml.init() == Nvml.SUCCESS && Nvml.count(count) == Nvml.SUCCESS) {
                for (int index = 0; index < count.get(JAVA_INT, 0); index++) {
                    if (Nvml.byIndex(index, device) == Nvml.SUCCESS) {
                        read(arena, device).ifPresent(all::add);
                    }
                }
            }
        }
        return all;
    }

    private static Optional<NvmlFabric> read(Arena arena, MemorySegment device) {
        MemorySegment info = arena.allocate(INFO);
        info.set(JAVA_INT, 0, VERSION);
        return Nvml.fabric(device.get(JAVA_LONG, 0), info) == Nvml.SUCCESS ? Optional.of(read(info)) : Optional.empty();
    }

    private static NvmlFabric read(MemorySegment info) {
        ByteBuffer cluster = info.asSlice(4, 16).asByteBuffer(); // in network order, as a UUID is written
        return new NvmlFabric(
                info.get(JAVA_BYTE, 28),
                info.get(JAVA_INT, 20),
                new UUID(cluster.getLong(), cluster.getLong()),
                info.get(JAVA_INT, 24));
    }
}

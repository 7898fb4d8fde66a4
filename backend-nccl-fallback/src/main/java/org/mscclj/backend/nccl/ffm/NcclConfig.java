package org.mscclj.backend.nccl.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code ncclConfig_t}, to which versions have added fields at the end. NCCL reads the fields that the version in the
 * structure has, so it gets the structure of its own version, or of the last one that is known here.
 */
final class NcclConfig {
    private static final int MAGIC = 0xcafebeef;

    /** {@code NCCL_CONFIG_UNDEF_INT}: NCCL chooses. */
    private static final int UNDEFINED = Integer.MIN_VALUE;

    /** The last version whose structure is known. */
    private static final NcclVersion LATEST = NcclVersion.of(2, 30, 99);

    /** A field, and the first version that has it. */
    private record Field(String name, boolean text, NcclVersion since) {}

    private static final List<Field> FIELDS = List.of(
            number("blocking", 14),
            number("cgaClusterSize", 17),
            number("minCTAs", 17),
            number("maxCTAs", 17),
            text("netName", 17),
            number("splitShare", 18),
            number("trafficClass", 26), // in the padding of 2.18, so the size did not change
            text("commName", 27),
            number("collnetEnable", 27),
            number("CTAPolicy", 27),
            number("shrinkShare", 27),
            number("nvlsCTAs", 27),
            number("nChannelsPerNetPeer", 28),
            number("nvlinkCentricSched", 28),
            number("graphUsageMode", 29),
            number("numRmaCtx", 29),
            number("maxP2pPeers", 30),
            new Field("graphStreamOrdering", false, NcclVersion.of(2, 30, 7))); // in the padding of 2.30.3

    private NcclConfig() {}

    private static Field number(String name, int minor) {
        return new Field(name, false, NcclVersion.of(2, minor, 0));
    }

    private static Field text(String name, int minor) {
        return new Field(name, true, NcclVersion.of(2, minor, 0));
    }

    /** Returns the layout of a version. */
    static StructLayout layout(NcclVersion version) {
        List<MemoryLayout> members = new ArrayList<>(
                List.of(JAVA_LONG.withName("size"), JAVA_INT.withName("magic"), JAVA_INT.withName("version")));
        long end = 16;
        for (Field field : FIELDS) {
            if (version.isAtLeast(field.since())) {
                if (field.text() && end % ADDRESS.byteSize() != 0) {
                    members.add(MemoryLayout.paddingLayout(ADDRESS.byteSize() - end % ADDRESS.byteSize()));
                    end += ADDRESS.byteSize() - end % ADDRESS.byteSize();
                }
                members.add((field.text() ? ADDRESS : JAVA_INT).withName(field.name()));
                end += field.text() ? ADDRESS.byteSize() : Integer.BYTES;
            }
        }
        if (end % ADDRESS.byteSize() != 0) {
            members.add(MemoryLayout.paddingLayout(ADDRESS.byteSize() - end % ADDRESS.byteSize()));
        }
        return MemoryLayout.structLayout(members.toArray(MemoryLayout[]::new));
    }

    /**
     * Allocates a configuration in which all fields but one are left to NCCL.
     *
     * @param version the version of the library
     * @param blocking whether calls of the communicator return when they are done, or at once
     */
    static MemorySegment allocate(Arena arena, NcclVersion version, boolean blocking) {
        NcclVersion known = version.isAtLeast(LATEST) ? LATEST : version;
        StructLayout layout = layout(known);
        MemorySegment config = arena.allocate(layout);
        for (Field field : FIELDS) {
            if (known.isAtLeast(field.since()) && !field.text()) {
                config.set(JAVA_INT, layout.byteOffset(PathElement.groupElement(field.name())), UNDEFINED);
            }
        }
        config.set(JAVA_LONG, 0, layout.byteSize());
        config.set(JAVA_INT, layout.byteOffset(PathElement.groupElement("magic")), MAGIC);
        config.set(JAVA_INT, layout.byteOffset(PathElement.groupElement("version")), known.code());
        config.set(JAVA_INT, layout.byteOffset(PathElement.groupElement("blocking")), blocking ? 1 : 0);
        return config;
    }
}

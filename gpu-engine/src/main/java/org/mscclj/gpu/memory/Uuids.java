package org.mscclj.gpu.memory;

import java.nio.ByteBuffer;
import java.util.UUID;

/** UUIDs in memory handles. */
final class Uuids {
    private Uuids() {}

    static UUID get(ByteBuffer from) {
        return new UUID(from.getLong(), from.getLong());
    }

    static void put(ByteBuffer to, UUID uuid) {
        to.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits());
    }
}

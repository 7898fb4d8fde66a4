package org.mscclj.gpu.descriptor;

import java.nio.ByteBuffer;
import java.util.UUID;

/** UUIDs in handles. */
public final class Uuids {
    private Uuids() {}

    public static UUID get(ByteBuffer from) {
        return new UUID(from.getLong(), from.getLong());
    }

    public static void put(ByteBuffer to, UUID uuid) {
        to.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits());
    }
}

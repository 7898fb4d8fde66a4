package org.mscclj.runtime.multicast;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.mscclj.runtime.control.Wire;
import org.mscclj.spi.device.MemoryNeeds;

/**
 * First contribution of a rank to the set-up of multicast groups.
 *
 * @param refusal why this rank cannot be a member; empty if it can, or need not
 * @param provider name of the provider; empty if this rank is in no team
 * @param needs needs of memory
 * @param descriptors descriptions of the groups that this rank has created, in the order of the teams
 */
record GroupOffer(String refusal, String provider, MemoryNeeds needs, List<byte[]> descriptors) {
    /** The contribution of a rank that is in no team. */
    static final GroupOffer NOTHING = refused("");

    static GroupOffer refused(String reason) {
        return new GroupOffer(reason, "", MemoryNeeds.NONE, List.of());
    }

    byte[] encode() {
        return Wire.encode(out -> {
            Wire.writeText(out, refusal);
            out.writeUTF(provider);
            out.writeLong(needs.granularity());
            out.writeUTF(needs.handleType());
            out.writeInt(descriptors.size());
            for (byte[] descriptor : descriptors) {
                Wire.writeBytes(out, descriptor);
            }
        });
    }

    static GroupOffer decode(byte[] message) {
        return Wire.decode(message, in -> {
            String refusal = in.readUTF();
            String provider = in.readUTF();
            MemoryNeeds needs = new MemoryNeeds(in.readLong(), in.readUTF());
            int count = in.readInt();
            if (count < 0 || (long) count * Integer.BYTES > in.available()) {
                throw new IOException(count + " groups are announced, where " + in.available() + " bytes are left");
            }
            List<byte[]> descriptors = new ArrayList<>(count);
            for (int left = count; left > 0; left--) {
                descriptors.add(Wire.readBytes(in));
            }
            return new GroupOffer(refusal, provider, needs, List.copyOf(descriptors));
        });
    }
}

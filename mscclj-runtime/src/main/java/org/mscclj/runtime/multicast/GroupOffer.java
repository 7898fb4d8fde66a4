package org.mscclj.runtime.multicast;

import java.io.DataInputStream;
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
 * @param leads the leads of the buffers that have groups, in their order: positions in groups depend on them
 * @param descriptors descriptions of the groups that this rank has created, in the order of the teams
 */
record GroupOffer(String refusal, String provider, MemoryNeeds needs, List<Long> leads, List<byte[]> descriptors) {
    /** The contribution of a rank that is in no team. */
    static final GroupOffer NOTHING = refused("");

    static GroupOffer refused(String reason) {
        return new GroupOffer(reason, "", MemoryNeeds.NONE, List.of(), List.of());
    }

    /** The provider, and what it says of this rank's memory, in words. */
    String memory() {
        return "provider " + provider + " with " + needs + " and buffers that begin at " + leads;
    }

    byte[] encode() {
        return Wire.encode(out -> {
            Wire.writeText(out, refusal);
            out.writeUTF(provider);
            out.writeLong(needs.granularity());
            out.writeUTF(needs.handleType());
            out.writeInt(leads.size());
            for (long lead : leads) {
                out.writeLong(lead);
            }
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
            List<Long> leads = new ArrayList<>();
            for (int left = count(in, Long.BYTES); left > 0; left--) {
                leads.add(in.readLong());
            }
            int count = count(in, Integer.BYTES);
            List<byte[]> descriptors = new ArrayList<>(count);
            for (int left = count; left > 0; left--) {
                descriptors.add(Wire.readBytes(in));
            }
            return new GroupOffer(refusal, provider, needs, List.copyOf(leads), List.copyOf(descriptors));
        });
    }

    /** Reads how many elements follow, each of which takes some bytes at least. */
    private static int count(DataInputStream in, int leastBytes) throws IOException {
        int count = in.readInt();
        if (count < 0 || (long) count * leastBytes > in.available()) {
            throw new IOException(count + " elements are announced, where " + in.available() + " bytes are left");
        }
        return count;
    }
}

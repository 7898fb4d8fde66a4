package org.mscclj.spi.multicast;

import java.util.List;
import org.mscclj.api.device.DeviceBuffer;

/** A member's view of a multicast group. Used by one thread at a time. */
public interface MulticastGroup extends AutoCloseable {
    /** Returns the description by which other ranks open the group. Only for the member that has created it. */
    byte[] descriptor();

    /** Adds this member's device to the group. */
    void join();

    /**
     * Binds memory of this member and maps the group, after all members have joined. Called once. Launches use the
     * address after all members have bound.
     *
     * @return the multicast address of the group's first byte
     */
    long bind(List<Binding> bindings);

    /**
     * Leaves the group. Members leave one after the other. What a member has bound must stay bound, and its memory
     * allocated, until the last member has left or has ended. Idempotent; also called if a step has failed.
     */
    @Override
    void close();

    /**
     * Memory at a position of a group. The positions of a kind of buffer are equal on all members.
     *
     * @param buffer memory of this member
     * @param offset position in the group, in bytes, of the memory that begins {@link MulticastProvider#lead} before
     *     the buffer; a multiple of the granularity
     */
    record Binding(DeviceBuffer buffer, long offset) {}
}

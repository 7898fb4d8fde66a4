package org.mscclj.api.channel;

import java.time.Duration;
import org.mscclj.api.type.PacketType;

/**
 * A channel over mapped memory: the caller loads from and stores to the peer's memory. <em>Target</em> is the peer's
 * registered memory, <em>origin</em> this rank's; offsets and sizes are bytes, and are checked.
 *
 * <p>Data operations order nothing by themselves; {@link #signal} and {@link #await} do. Packets validate themselves.
 */
public interface MemoryChannel extends Channel {
    /** Copies from origin to target. */
    void put(long targetOffset, long originOffset, long bytes);

    /** Copies from target to origin. */
    void get(long targetOffset, long originOffset, long bytes);

    /** The 64-bit word of the target at an offset that is a multiple of 8. */
    long read(long targetOffset);

    /** Stores a 64-bit word into the target at an offset that is a multiple of 8. */
    void write(long targetOffset, long value);

    /** Raises the peer's counter without releasing earlier writes. */
    void signalRelaxed();

    /**
     * Waits for the next signal without acquiring: data that the peer wrote before its signal need not be visible
     * afterwards. It is for signals that only confirm that data was read, or that the peer is ready. An implementation
     * may acquire nevertheless.
     *
     * @throws org.mscclj.api.error.OperationTimeoutException if none arrives in time; the message names the peer
     * @throws org.mscclj.api.error.AbortedException if the communicator is aborted
     */
    default void awaitRelaxed(Duration timeout) {
        await(timeout);
    }

    /**
     * Writes data as packets into the target, twice its size. A reader that sees a packet also sees everything that
     * this thread wrote before.
     *
     * @param targetOffset offset of the packets, a multiple of 16
     * @param originOffset offset of the data
     * @param bytes of payload, a multiple of 8
     * @param flag not 0, and not the flag of packets already there
     * @param type the format
     */
    void putPackets(long targetOffset, long originOffset, long bytes, int flag, PacketType type);

    /**
     * Reads packets that the peer has put into this channel's packet memory, and stores their payload in the origin.
     *
     * @param packetOffset offset of the packets in this rank's packet memory, a multiple of 16
     * @param originOffset offset to store the data at
     * @param bytes of payload, a multiple of 8
     * @param flag the flag that the peer used
     * @param type the format
     * @param timeout the longest time to wait for packets that have not arrived
     * @throws org.mscclj.api.error.OperationTimeoutException if they do not arrive in time; the message names the peer
     */
    void getPackets(long packetOffset, long originOffset, long bytes, int flag, PacketType type, Duration timeout);
}

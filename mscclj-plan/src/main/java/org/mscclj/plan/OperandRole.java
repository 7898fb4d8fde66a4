package org.mscclj.plan;

/** The memory of an operand of a data operation, and whether it holds packets. */
public enum OperandRole {
    /** Plain data of the rank itself. */
    PLAIN,
    /** Packets in the scratch of the rank itself. */
    PACKETS,
    /** Plain data of a peer. */
    PEER_PLAIN,
    /** Packets in a peer's scratch. */
    PEER_PACKETS,
    /** Plain data of all members of a switch channel. */
    GROUP_PLAIN,
    /** Packets in the scratch of all members of a switch channel. */
    GROUP_PACKETS;

    /** Whether the operand holds packets. */
    public boolean packets() {
        return this == PACKETS || this == PEER_PACKETS || this == GROUP_PACKETS;
    }

    /** Whether it is in the rank's own memory. */
    public boolean local() {
        return this == PLAIN || this == PACKETS;
    }

    /** Whether it is in a peer's memory. */
    public boolean peer() {
        return this == PEER_PLAIN || this == PEER_PACKETS;
    }
}

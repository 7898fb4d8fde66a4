package org.mscclj.transport.ib.ffm;

/**
 * The state of an adapter's port.
 *
 * @param state 4 if it is active
 * @param mtu the code of its MTU: 1 for 256 bytes to 5 for 4,096 bytes
 * @param gids the number of entries in its table of GIDs
 * @param partitions the number of entries in its table of partition keys
 * @param maxMessage the most bytes of one message
 * @param lid its address within an InfiniBand subnet; 0 on Ethernet
 * @param ethernet whether its link is Ethernet (RoCE)
 */
public record PortAttributes(int state, int mtu, int gids, int partitions, long maxMessage, int lid, boolean ethernet) {
    private static final int ACTIVE = 4;

    /** Whether the port carries data. */
    public boolean isActive() {
        return state == ACTIVE;
    }

    /** Returns the name of the state, for messages. */
    public String stateName() {
        return switch (state) {
            case 1 -> "down";
            case 2 -> "initializing (is a subnet manager running?)";
            case 3 -> "armed";
            case ACTIVE -> "active";
            default -> "in state " + state;
        };
    }
}

package org.mscclj.plan;

/** The operations that move or reduce data. L is local, R remote (of a peer), P a packet area in scratch. */
public enum DataKind {
    /** Copy each local source to its remote destination. */
    PUT("put"),
    /** Port channels: put, then signal. */
    PUT_WITH_SIGNAL("pws"),
    /** Port channels: put, signal, then flush. */
    PUT_WITH_SIGNAL_AND_FLUSH("pwsf"),
    /** Copy each remote source to its local destination. */
    GET("get"),
    /** Local copy. */
    COPY("copy"),
    /** {@code dst[0] = src[0] + src[1] + …}, all local, in list order. */
    REDUCE("re"),
    /** {@link #REDUCE}, with the result also stored in each remote {@code dst[1..]}. */
    REDUCE_SEND("res"),
    /** Like {@link #REDUCE}, with {@code src[1..]} remote. */
    READ_REDUCE("rre"),
    /** {@link #READ_REDUCE}, with the result also stored in each remote {@code dst[1..]}. */
    READ_REDUCE_SEND("rres"),
    /** Write each plain source as packets into the peer's P; over port channels, the source already holds packets. */
    PUT_PACKETS("ppkt"),
    /** Wait for each packet of P {@code src[0]} and forward it as a packet to every destination. */
    READ_PUT_PACKETS("rppkt"),
    /** Copy plain local data to local packets. */
    COPY_PACKETS("cpkt"),
    /** Wait for local packets and store their data. */
    UNPACK_PACKETS("upkt"),
    /**
     * {@code dst[0] = pkt(src[1]) + pkt(src[2]) + … + src[0]}: the plain operand is added last, unless the operation
     * states its place.
     */
    REDUCE_PACKETS("repkt"),
    /** {@link #REDUCE_PACKETS}, with the result also sent as packets to each remote {@code dst[1..]}. */
    REDUCE_SEND_PACKETS("respkt"),
    /** {@link #REDUCE_PACKETS}, with the result also stored as local packets in {@code dst[1]}. */
    REDUCE_COPY_PACKETS("recpkt"),
    /** {@link #REDUCE_COPY_PACKETS}, with packets also sent to each remote {@code dst[2..]}. */
    REDUCE_COPY_SEND_PACKETS("recspkt"),
    /** Store the local source through the multicast destination in all members. */
    SWITCH_STORE("gstore"),
    /** Wait for each local packet, then store it as a packet through the multicast destination. */
    SWITCH_STORE_PACKETS("gstorepkt"),
    /** Load-reduce through the multicast source, store the result through the multicast destination. */
    SWITCH_REDUCE_STORE("glres");

    private final String label;

    DataKind(String label) {
        this.label = label;
    }

    /** The operation's name in plan files. */
    public String label() {
        return label;
    }

    /** Whether the operation combines operands by a reduce operation. */
    public boolean reduces() {
        return switch (this) {
            case REDUCE,
                    REDUCE_SEND,
                    READ_REDUCE,
                    READ_REDUCE_SEND,
                    REDUCE_PACKETS,
                    REDUCE_SEND_PACKETS,
                    REDUCE_COPY_PACKETS,
                    REDUCE_COPY_SEND_PACKETS,
                    SWITCH_REDUCE_STORE -> true;
            default -> false;
        };
    }

    /** Whether the operation combines packets and one plain operand. */
    public boolean reducesPackets() {
        return switch (this) {
            case REDUCE_PACKETS, REDUCE_SEND_PACKETS, REDUCE_COPY_PACKETS, REDUCE_COPY_SEND_PACKETS -> true;
            default -> false;
        };
    }

    /** Whether the operation also signals after its put. */
    public boolean signals() {
        return this == PUT_WITH_SIGNAL || this == PUT_WITH_SIGNAL_AND_FLUSH;
    }

    /** Whether the operation ends only when its put has read its source. */
    public boolean flushes() {
        return this == PUT_WITH_SIGNAL_AND_FLUSH;
    }

    /**
     * Whether the operation waits for packets and reads them. {@link #PUT_PACKETS} through a port channel moves packets
     * without reading their flags.
     */
    public boolean awaitsPackets() {
        return switch (this) {
            case READ_PUT_PACKETS,
                    UNPACK_PACKETS,
                    SWITCH_STORE_PACKETS,
                    REDUCE_PACKETS,
                    REDUCE_SEND_PACKETS,
                    REDUCE_COPY_PACKETS,
                    REDUCE_COPY_SEND_PACKETS -> true;
            default -> false;
        };
    }

    /** Whether all operands are local, so that no channel is involved. */
    public boolean local() {
        return switch (this) {
            case COPY, REDUCE, COPY_PACKETS, UNPACK_PACKETS, REDUCE_PACKETS, REDUCE_COPY_PACKETS -> true;
            default -> false;
        };
    }

    /** Whether any operand is a packet area; such an operation runs whole in every pipeline iteration. */
    public boolean packets() {
        return switch (this) {
            case PUT_PACKETS,
                    READ_PUT_PACKETS,
                    COPY_PACKETS,
                    UNPACK_PACKETS,
                    REDUCE_PACKETS,
                    REDUCE_SEND_PACKETS,
                    REDUCE_COPY_PACKETS,
                    REDUCE_COPY_SEND_PACKETS,
                    SWITCH_STORE_PACKETS -> true;
            default -> false;
        };
    }
}

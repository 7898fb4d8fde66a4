package org.mscclj.plan;

/** The operations that move or reduce data. L is local, R the peer's, P a packet area in scratch. */
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
    /** {@link #REDUCE}, and the result also to each remote {@code dst[1..]}. */
    REDUCE_SEND("res"),
    /** Like {@link #REDUCE}, with {@code src[1..]} remote. */
    READ_REDUCE("rre"),
    /** {@link #READ_REDUCE}, and the result also to each remote {@code dst[1..]}. */
    READ_REDUCE_SEND("rres"),
    /** Write each plain source as packets into the peer's P; port channels: the source already is packets. */
    PUT_PACKETS("ppkt"),
    /** Wait for each packet of P {@code src[0]} and write it on as a packet to every destination. */
    READ_PUT_PACKETS("rppkt"),
    /** Plain local source to local packets. */
    COPY_PACKETS("cpkt"),
    /** Wait for local packets and store them plain. */
    UNPACK_PACKETS("upkt"),
    /** {@code dst[0] = pkt(src[1]) + pkt(src[2]) + … + src[0]}: the plain operand is added last. */
    REDUCE_PACKETS("repkt"),
    /** {@link #REDUCE_PACKETS}, and the result as packets to each remote {@code dst[1..]}. */
    REDUCE_SEND_PACKETS("respkt"),
    /** {@link #REDUCE_PACKETS}, and the result also as local packets to {@code dst[1]}. */
    REDUCE_COPY_PACKETS("recpkt"),
    /** {@link #REDUCE_COPY_PACKETS}, and packets to each remote {@code dst[2..]}. */
    REDUCE_COPY_SEND_PACKETS("recspkt"),
    /** Store the local source through the multicast destination: all members get it. */
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

    /** Whether operands are combined by a reduce operation. */
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

    /** Whether it signals by itself when it has put. */
    public boolean signals() {
        return this == PUT_WITH_SIGNAL || this == PUT_WITH_SIGNAL_AND_FLUSH;
    }

    /** Whether it ends only when what it has put has left its source. */
    public boolean flushes() {
        return this == PUT_WITH_SIGNAL_AND_FLUSH;
    }

    /**
     * Whether it waits for packets, and reads them. {@link #PUT_PACKETS} through a port channel moves packets without
     * looking at them.
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

    /** Whether any operand is a packet area, so that the operation runs whole in every pipeline iteration. */
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

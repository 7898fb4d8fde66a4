package org.mscclj.plan;

import static org.mscclj.plan.OperandRole.GROUP_PACKETS;
import static org.mscclj.plan.OperandRole.GROUP_PLAIN;
import static org.mscclj.plan.OperandRole.PACKETS;
import static org.mscclj.plan.OperandRole.PEER_PACKETS;
import static org.mscclj.plan.OperandRole.PEER_PLAIN;
import static org.mscclj.plan.OperandRole.PLAIN;

import java.util.List;

/**
 * The operands that an operation takes on one side: number and role of each.
 *
 * @param leading the roles of the first operands, all of which are required
 * @param rest the role of the operands after those
 * @param least least number of these
 * @param most greatest number of these
 */
public record OperandShape(List<OperandRole> leading, OperandRole rest, int least, int most) {
    /** Copies the list. */
    public OperandShape {
        leading = List.copyOf(leading);
    }

    private static OperandShape exactly(OperandRole... roles) {
        return new OperandShape(List.of(roles), roles[0], 0, 0);
    }

    private static OperandShape any(OperandRole rest) {
        return new OperandShape(List.of(), rest, 1, Integer.MAX_VALUE);
    }

    private OperandShape then(int number, OperandRole role) {
        return new OperandShape(leading, role, number, Integer.MAX_VALUE);
    }

    /** The role of the operand at a position. */
    public OperandRole role(int position) {
        return position < leading.size() ? leading.get(position) : rest;
    }

    /** Whether a number of operands is allowed. */
    public boolean allows(int count) {
        int following = count - leading.size();
        return following >= least && following <= most;
    }

    /** Describes the allowed number. */
    public String count() {
        int from = leading.size() + least;
        return most == 0 ? "exactly " + from : from + " or more";
    }

    /** The operands that an operation reads. */
    public static OperandShape sources(Operation.Data data) {
        return switch (data.kind()) {
            case PUT, PUT_WITH_SIGNAL, PUT_WITH_SIGNAL_AND_FLUSH, REDUCE, REDUCE_SEND -> any(PLAIN);
            case GET -> any(PEER_PLAIN);
            case READ_REDUCE, READ_REDUCE_SEND -> exactly(PLAIN).then(0, PEER_PLAIN);
            // A proxy cannot make packets: the source must already hold some.
            case PUT_PACKETS -> any(data.byPort() ? PACKETS : PLAIN);
            case COPY, COPY_PACKETS, SWITCH_STORE -> exactly(PLAIN);
            case READ_PUT_PACKETS, UNPACK_PACKETS, SWITCH_STORE_PACKETS -> exactly(PACKETS);
            case REDUCE_PACKETS, REDUCE_SEND_PACKETS, REDUCE_COPY_PACKETS, REDUCE_COPY_SEND_PACKETS ->
                exactly(PLAIN).then(1, PACKETS);
            case SWITCH_REDUCE_STORE -> exactly(GROUP_PLAIN);
        };
    }

    /** The operands that an operation writes. */
    public static OperandShape destinations(DataKind kind) {
        return switch (kind) {
            case PUT, PUT_WITH_SIGNAL, PUT_WITH_SIGNAL_AND_FLUSH -> any(PEER_PLAIN);
            case GET -> any(PLAIN);
            case COPY, REDUCE, READ_REDUCE, UNPACK_PACKETS, REDUCE_PACKETS -> exactly(PLAIN);
            case REDUCE_SEND, READ_REDUCE_SEND -> exactly(PLAIN).then(0, PEER_PLAIN);
            case PUT_PACKETS, READ_PUT_PACKETS -> any(PEER_PACKETS);
            case COPY_PACKETS -> exactly(PACKETS);
            case REDUCE_SEND_PACKETS -> exactly(PLAIN).then(0, PEER_PACKETS);
            case REDUCE_COPY_PACKETS -> exactly(PLAIN, PACKETS);
            case REDUCE_COPY_SEND_PACKETS -> exactly(PLAIN, PACKETS).then(0, PEER_PACKETS);
            case SWITCH_STORE, SWITCH_REDUCE_STORE -> exactly(GROUP_PLAIN);
            case SWITCH_STORE_PACKETS -> exactly(GROUP_PACKETS);
        };
    }
}

package org.mscclj.device.kernels.plan;

import java.util.Locale;
import java.util.OptionalLong;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.pairing.ChannelPairing;
import org.mscclj.spi.engine.ContextLayout;
import org.mscclj.spi.engine.ContextSpec;
import org.mscclj.spi.engine.LaunchSpec;

/** Where everything lies that a rank's kernel accesses, as its device sees it. */
final class RankAddresses {
    private final ContextSpec context;
    private final LaunchSpec launch;

    RankAddresses(ContextSpec context, LaunchSpec launch) {
        this.context = context;
        this.launch = launch;
    }

    private long buffer(int rank, BufferType buffer) {
        OptionalLong address = switch (buffer) {
            case INPUT -> launch.buffers().get(rank).input();
            case OUTPUT -> launch.buffers().get(rank).output();
            case SCRATCH ->
                rank == context.rank()
                        ? OptionalLong.of(context.scratch().address())
                        : context.peers().get(rank).scratch();
        };
        return address.orElseThrow(
                () -> new UnsupportedException(
                        where() + ": the "
                                + buffer.name().toLowerCase(Locale.ROOT) + " of rank " + rank
                                + " is not mapped here; use memory from Communicator.allocate, or a plan with port channels to that rank"));
    }

    /** Distance of the halves of a rank's double scratch, in bytes. */
    long halfBytes(int rank) {
        return ContextLayout.halfBytes(context.plan(), rank, context.slotBytes());
    }

    /** Where the buffer starts that an operand lies in. */
    long of(Place place) {
        return buffer(place.rank(), place.buffer());
    }

    /** The counter that this rank waits for on a channel. */
    long ownCounter(ChannelType type, int channel) {
        return context.counters().address() + layout(context.rank()).counterOffset(type, channel);
    }

    /** The peer's counter that a memory channel of this rank raises. */
    long peerCounter(int channel) {
        ChannelPairing.Endpoint partner = context.memoryPairing().partner(context.rank(), channel);
        long counters = context.peers()
                .get(partner.rank())
                .counters()
                .orElseThrow(() -> new UnsupportedException(where() + ": the counters of rank " + partner.rank()
                        + " are not mapped here; memory channels need ranks that map each other's memory"));
        return counters + layout(partner.rank()).counterOffset(ChannelType.MEMORY, partner.slot());
    }

    private ContextLayout layout(int rank) {
        return ContextLayout.of(
                context.plan(), context.memoryPairing(), context.portPairing(), rank, context.slotBytes());
    }

    private String where() {
        return "plan " + context.plan().label() + ", rank " + context.rank();
    }
}

package org.mscclj.device.kernels.plan;

import org.mscclj.api.error.UnsupportedException;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.pairing.ChannelPairing;
import org.mscclj.spi.engine.ContextLayout;
import org.mscclj.spi.engine.ContextSpec;

/**
 * Addresses of the counters of a context on its rank's device.
 *
 * @param context the context
 */
public record CounterAddresses(ContextSpec context) {
    /** The counter of this rank for waits on a channel. */
    public long own(ChannelType type, int channel) {
        return context.counters().address() + layout(context.rank()).counterOffset(type, channel);
    }

    /** The peer's counter that a memory channel of this rank raises. */
    public long ofPeer(int channel) {
        ChannelPairing.Endpoint partner = context.memoryPairing().partner(context.rank(), channel);
        long counters = context.peers()
                .get(partner.rank())
                .counters()
                .orElseThrow(() -> new UnsupportedException(
                        "plan " + context.plan().label() + ", rank " + context.rank() + ": the counters of rank "
                                + partner.rank()
                                + " are not mapped here; memory channels need ranks that map each other's memory"));
        return counters + layout(partner.rank()).counterOffset(ChannelType.MEMORY, partner.slot());
    }

    private ContextLayout layout(int rank) {
        return ContextLayout.of(
                context.plan(), context.memoryPairing(), context.portPairing(), rank, context.slotBytes());
    }
}

package org.mscclj.support.interpreter;

import org.mscclj.api.error.UnsupportedException;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.pairing.ChannelPairing;
import org.mscclj.spi.engine.ContextLayout;
import org.mscclj.spi.engine.ContextSpec;
import org.mscclj.support.interpreter.Action.Outcome;
import org.mscclj.support.memory.Memory;

/**
 * Signals of memory channels, and waits for signals of memory channels and port channels. Counters and the numbers of
 * signals that were waited for exist as long as the context. Every signal releases and every wait acquires, relaxed
 * ones too (SPEC 4.3).
 */
final class ChannelSignals {
    private final ContextSpec spec;
    private final Memory memory;
    private final ContextLayout layout;
    private final long[] memoryAwaited;
    private final long[] portAwaited;

    ChannelSignals(ContextSpec spec, Memory memory) {
        this.spec = spec;
        this.memory = memory;
        this.layout = layoutOf(spec.rank());
        this.memoryAwaited = new long[layout.memoryCounters()];
        this.portAwaited = new long[layout.portCounters()];
    }

    private ContextLayout layoutOf(int rank) {
        return ContextLayout.of(spec.plan(), spec.memoryPairing(), spec.portPairing(), rank, spec.slotBytes());
    }

    /** Raises the counter at the other end of a memory channel of the rank. */
    Action signal(int channel) {
        ChannelPairing.Endpoint partner = spec.memoryPairing().partner(spec.rank(), channel);
        long counters = spec.peers()
                .get(partner.rank())
                .counters()
                .orElseThrow(
                        () -> new UnsupportedException("plan " + spec.plan().label() + ", rank " + spec.rank()
                                + ": the counters of rank " + partner.rank()
                                + " are not mapped here; memory channels need ranks that share memory"));
        long counter = counters + layoutOf(partner.rank()).counterOffset(ChannelType.MEMORY, partner.slot());
        return Action.of(() -> memory.add(counter, 1));
    }

    /** Waits for the next signal of a channel of the rank. */
    Action await(ChannelType type, int channel) {
        long counter = spec.counters().address() + layout.counterOffset(type, channel);
        long[] counts = type == ChannelType.PORT ? portAwaited : memoryAwaited;
        return () -> {
            if (memory.getAcquire(counter) <= counts[channel]) {
                return Outcome.WAITS;
            }
            counts[channel]++;
            return Outcome.ENDED;
        };
    }
}

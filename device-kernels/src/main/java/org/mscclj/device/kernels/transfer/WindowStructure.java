package org.mscclj.device.kernels.transfer;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.mscclj.device.kernels.channel.InboundSignals;
import org.mscclj.device.kernels.plan.CounterAddresses;
import org.mscclj.device.kernels.plan.StateLayout;
import org.mscclj.plan.ChannelType;
import org.mscclj.spi.engine.ContextSpec;
import org.mscclj.spi.transfer.TransferLanes;
import org.mscclj.spi.transfer.WindowSpec;

/** Writes the structure {@code Window} of the device library, followed by a {@code WindowRank} for each rank. */
public final class WindowStructure {
    static final int BYTES = 32;
    static final int RANK = 0;
    static final int RANK_COUNT = 8;
    static final int ABORT_WORD = 16;
    static final int RANKS = 24;

    static final int BYTES_OF_RANK = 56;
    static final int COUNTER = InboundSignals.BYTES;
    static final int MEMORY = 40;
    static final int BYTE_SIZE = 48;

    private final ContextSpec context;
    private final WindowSpec window;
    private final StateLayout state;

    /** Creates the structure of a window whose lanes have a context. */
    public WindowStructure(ContextSpec context, WindowSpec window, StateLayout state) {
        this.context = context;
        this.window = window;
        this.state = state;
    }

    /** Size in bytes. */
    public int byteSize() {
        return BYTES + window.sizes().size() * BYTES_OF_RANK;
    }

    /**
     * Writes the structure.
     *
     * @param memory of {@link #byteSize} bytes, zeroed
     * @param address address of the structure on the device
     * @param stateAddress address of the context's state on the device
     * @param abortWord address of the communicator's abort word on the device
     * @param peerWords for each rank whose {@linkplain #signals signals} kernels can wait for, the address of the word
     *     that ends waits for it; otherwise ignored
     */
    public void write(MemorySegment memory, long address, long stateAddress, long abortWord, List<Long> peerWords) {
        memory.set(ValueLayout.JAVA_LONG, RANK, context.rank());
        memory.set(ValueLayout.JAVA_LONG, RANK_COUNT, window.sizes().size());
        memory.set(ValueLayout.JAVA_LONG, ABORT_WORD, abortWord);
        memory.set(ValueLayout.JAVA_LONG, RANKS, address + BYTES);
        for (int rank = 0; rank < window.sizes().size(); rank++) {
            MemorySegment entry = memory.asSlice(BYTES + (long) rank * BYTES_OF_RANK, BYTES_OF_RANK);
            entry.set(ValueLayout.JAVA_LONG, MEMORY, window.addresses().get(rank));
            entry.set(ValueLayout.JAVA_LONG, BYTE_SIZE, window.sizes().get(rank));
            if (signals(rank)) {
                writeSignals(entry, rank, stateAddress, abortWord, peerWords.get(rank));
            }
        }
    }

    /** Whether kernels can wait for signals of a rank. */
    public boolean signals(int rank) {
        return rank != context.rank() && window.lanes().isMapped(context.rank(), rank);
    }

    private void writeSignals(MemorySegment entry, int peer, long stateAddress, long abortWord, long peerWord) {
        CounterAddresses counters = new CounterAddresses(context);
        TransferLanes lanes = window.lanes();
        int inward = lanes.channel(context.rank(), peer, 0, false);
        int outward = lanes.channel(context.rank(), peer, 0, true);
        InboundSignals.write(
                entry,
                counters.own(ChannelType.MEMORY, inward),
                stateAddress + state.awaited(ChannelType.MEMORY, inward),
                abortWord,
                peerWord);
        entry.set(ValueLayout.JAVA_LONG, COUNTER, counters.ofPeer(outward));
    }
}

package org.mscclj.device.kernels.natives;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.Communicator;
import org.mscclj.api.channel.ChannelKind;
import org.mscclj.api.channel.ChannelSetup;
import org.mscclj.api.channel.Connection;
import org.mscclj.api.channel.MemoryChannel;
import org.mscclj.api.channel.RegisteredMemory;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.DeviceKernel;
import org.mscclj.api.device.Stream;

/**
 * Signals between all ranks, in the order of streams: a kernel of one block signals peers, and then waits for signals
 * of peers. Copies before it on the stream have ended when peers get its signals, and copies behind it begin after its
 * waits. It ends at once where a wait gives no signal, as the communicator was aborted or a peer is gone.
 *
 * <p>A peer's <em>slot</em> counts from this rank on, so that ranks begin with different peers: slot 0 is the next
 * rank. Each launch of a collective consumes all signals that it causes, so that all launches share the channels.
 */
final class PeerSignals implements AutoCloseable {
    /** Apart from the tags of applications. */
    private static final int TAG = 0x4d5c_0000;

    private static final int MAX_THREADS = 128; // as the source has them
    private static final String FUNCTION = "mscclj_signals";

    private static final String SOURCE = """
            #include "mscclj/memorychannel.cuh"

            // Signals the slots from signalFrom to signalTo, and waits for those from waitFrom to waitTo.
            // Leaves out one slot.
            extern "C" __global__ void __launch_bounds__(128)
            mscclj_signals(const mscclj::MemoryChannel* const* channels, unsigned signalFrom, unsigned signalTo,
               unsigned waitFrom, unsigned waitTo, unsigned except) {
                for (unsigned slot = signalFrom + threadIdx.x; slot < signalTo; slot += blockDim.x) {
                    if (slot != except) {
                        channels[slot]->signal();
                    }
                }
                for (unsigned slot = waitFrom + threadIdx.x; slot < waitTo; slot += blockDim.x) {
                    if (slot != except && !channels[slot]->wait()) {
                        return; // aborted, or the peer is gone
                    }
                }
            }
            """;

    private final int rank;
    private final int ranks;
    private final ClosedTogether parts = new ClosedTogether();
    private final DeviceKernel kernel;

    /** The addresses of the channels, by slot. */
    private final DeviceBuffer table;

    private int exchanges;

    private PeerSignals(Communicator communicator) {
        this.rank = communicator.rank();
        this.ranks = communicator.size();
        this.kernel = parts.add(communicator.device().compile(SOURCE, FUNCTION));
        try {
            this.table = parts.add(communicator.device().allocate((long) ranks * Long.BYTES));
        } catch (RuntimeException | Error e) {
            parts.closeSuppressing(e);
            throw e;
        }
    }

    /** Connects all ranks, which call this together. */
    static PeerSignals open(Communicator communicator) {
        PeerSignals signals = new PeerSignals(communicator);
        try {
            signals.connect(communicator.channels());
            return signals;
        } catch (RuntimeException | Error e) {
            signals.parts.closeSuppressing(e);
            throw e;
        }
    }

    private void connect(ChannelSetup setup) {
        RegisteredMemory own = parts.add(setup.register(table)); // channels need memory, and these only signal
        List<Integer> others = others();
        others.forEach(peer -> setup.sendMemory(own, peer, TAG));
        long[] handles = new long[ranks];
        for (int peer : others) {
            RegisteredMemory target = parts.add(setup.receiveMemory(peer, TAG));
            Connection connection = parts.add(setup.connect(peer, TAG, ChannelKind.MEMORY));
            MemoryChannel channel =
                    parts.add(setup.memoryChannel(parts.add(setup.createSemaphore(connection, TAG)), target, own));
            handles[slot(peer)] = channel.deviceHandle();
        }
        try (Arena arena = Arena.ofConfined()) {
            table.copyFrom(arena.allocateFrom(ValueLayout.JAVA_LONG, handles));
        }
    }

    /** Returns the other ranks, ascending: ranks that wait for each other in this order wait in no circle. */
    List<Integer> others() {
        List<Integer> others = new ArrayList<>();
        for (int peer = 0; peer < ranks; peer++) {
            if (peer != rank) {
                others.add(peer);
            }
        }
        return others;
    }

    /** Returns a tag for the next exchange with all peers, which make the same exchanges. */
    int nextTag() {
        exchanges++;
        return TAG + exchanges;
    }

    /** Returns this rank. */
    int rank() {
        return rank;
    }

    /** Returns the number of other ranks. */
    int peers() {
        return ranks - 1;
    }

    /** Returns the slot of another rank. */
    int slot(int peer) {
        return slot(rank, peer, ranks);
    }

    /** Returns the slot of a rank on another one. */
    static int slot(int on, int rank, int ranks) {
        return Math.floorMod(rank - on - 1, ranks);
    }

    /** Enqueues a meeting with all peers. */
    void meet(Stream stream) {
        launch(stream, 0, peers(), 0, peers(), ranks);
    }

    /** Enqueues a meeting with all peers but one, by its slot. */
    void meetWithout(Stream stream, int except) {
        launch(stream, 0, peers(), 0, peers(), except);
    }

    /** Enqueues a wait for a signal of each peer. */
    void awaitAll(Stream stream) {
        launch(stream, 0, 0, 0, peers(), ranks);
    }

    /** Enqueues a signal to a peer, by its slot. */
    void signal(Stream stream, int slot) {
        launch(stream, slot, slot + 1, 0, 0, ranks);
    }

    private void launch(Stream stream, int signalFrom, int signalTo, int waitFrom, int waitTo, int except) {
        if (peers() > 0) {
            int threads = Math.min(MAX_THREADS, kernel.maxThreads());
            kernel.launch(stream, 1, threads, 0, table.address(), signalFrom, signalTo, waitFrom, waitTo, except);
        }
    }

    @Override
    public void close() {
        parts.close();
    }
}

package org.mscclj.device.kernels.natives;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.channel.ChannelSetup;
import org.mscclj.api.channel.RegisteredMemory;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;

/**
 * The memory of the peers in which the outputs of a kind of calls lie, as memory of this rank's device. Serves calls of
 * any size, anywhere in this memory.
 */
final class PeerOutputs implements AutoCloseable {
    private final ClosedTogether parts = new ClosedTogether();
    private final DeviceBuffer own;

    /** By slot. */
    private final List<DeviceBuffer> peers = new ArrayList<>();

    private PeerOutputs(DeviceBuffer own) {
        this.own = own;
    }

    /**
     * Maps the memory of all peers, which call this together. This rank's memory may be closed before the result: peers
     * keep what they have mapped.
     *
     * @param own this rank's memory
     */
    static PeerOutputs open(ChannelSetup setup, PeerSignals signals, DeviceBuffer own) {
        PeerOutputs outputs = new PeerOutputs(own);
        try (RegisteredMemory registered = setup.register(own)) { // all ranks wait for all maps before a call returns
            outputs.map(setup, signals, registered);
            return outputs;
        } catch (RuntimeException | Error e) {
            outputs.parts.closeSuppressing(e);
            throw e;
        }
    }

    private void map(ChannelSetup setup, PeerSignals signals, RegisteredMemory registered) {
        int tag = signals.nextTag(); // what an attempt that failed has left is not received
        signals.others().forEach(peer -> setup.sendMemory(registered, peer, tag));
        RegisteredMemory[] bySlot = new RegisteredMemory[signals.peers()];
        for (int peer : signals.others()) {
            bySlot[signals.slot(peer)] = parts.add(setup.receiveMemory(peer, tag));
        }
        for (RegisteredMemory memory : bySlot) {
            peers.add(memory.buffer());
        }
    }

    /** Returns where the output of a call begins in the memory of all ranks, in bytes. */
    long offset(DeviceBuffer output) {
        return output.address() - own.address();
    }

    /** Enqueues a copy into the memory of a peer, by its slot. */
    void put(Stream stream, DeviceBuffer source, int slot, long offset) {
        if (source.byteSize() > 0) {
            stream.copy(source, peers.get(slot).slice(offset, source.byteSize()));
        }
    }

    @Override
    public void close() {
        parts.close();
    }
}

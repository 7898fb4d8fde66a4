package org.mscclj.device.kernels.natives;

import org.mscclj.api.CollectiveCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.type.Collective;

/**
 * A broadcast: the root copies a part of its input to each rank, and each rank copies its part to all ranks but the
 * root. So the root sends its input once, however many ranks there are.
 */
public final class CopyingBroadcast extends CopyingAlgorithm {
    /** Parts begin at multiples of this many bytes behind the first one. */
    private static final long ALIGNMENT = 512;

    /** Creates an algorithm; called by the service loader. */
    public CopyingBroadcast() {
        super(Collective.BROADCAST);
    }

    @Override
    void launch(PeerSignals signals, PeerOutputs outputs, CollectiveCall call, Stream stream) {
        Launch launch = new Launch(signals, outputs, call, stream);
        if (signals.rank() == call.root()) {
            launch.send();
        } else {
            launch.relay();
        }
    }

    private record Launch(PeerSignals signals, PeerOutputs outputs, CollectiveCall call, Stream stream) {
        void send() {
            signals.awaitAll(stream); // the outputs may be written
            for (int slot = 0; slot < signals.peers(); slot++) {
                put(call.input(), slot, slot);
                signals.signal(stream, slot);
            }
            if (call.output().address() != call.input().address()) {
                stream.copy(call.input(), call.output());
            }
        }

        void relay() {
            signals.meet(stream); // the outputs of other ranks may be written, and the root has sent a part
            if (signals.peers() == 1) {
                return;
            }
            int ranks = signals.peers() + 1;
            int part = PeerSignals.slot(call.root(), signals.rank(), ranks);
            int root = signals.slot(call.root());
            for (int slot = 0; slot < signals.peers(); slot++) {
                if (slot != root) {
                    put(call.output(), part, slot);
                }
            }
            signals.meetWithout(stream, root); // the other parts have come
        }

        /** Copies a part, of which there is one for each rank but the root, into the output of a peer. */
        private void put(DeviceBuffer source, int part, int slot) {
            long bytes = source.byteSize();
            long most = Math.ceilDiv(Math.ceilDiv(bytes, signals.peers()), ALIGNMENT) * ALIGNMENT;
            long from = Math.min(bytes, part * most);
            DeviceBuffer data = source.slice(from, Math.min(bytes - from, most));
            outputs.put(stream, data, slot, outputs.offset(call.output()) + from);
        }
    }
}

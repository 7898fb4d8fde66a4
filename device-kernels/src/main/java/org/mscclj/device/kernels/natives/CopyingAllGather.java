package org.mscclj.device.kernels.natives;

import org.mscclj.api.CollectiveCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.type.Collective;

/** An allgather: each rank copies its input into the outputs of all ranks. */
public final class CopyingAllGather extends CopyingAlgorithm {
    /** Creates an algorithm; called by the service loader. */
    public CopyingAllGather() {
        super(Collective.ALLGATHER);
    }

    @Override
    void launch(PeerSignals signals, PeerOutputs outputs, CollectiveCall call, Stream stream) {
        DeviceBuffer input = call.input();
        long place = signals.rank() * input.byteSize();
        DeviceBuffer part = call.output().slice(place, input.byteSize());
        if (part.address() != input.address()) {
            stream.copy(input, part);
        }
        signals.meet(stream); // from now on peers may write the output
        for (int slot = 0; slot < signals.peers(); slot++) {
            outputs.put(stream, input, slot, outputs.offset(call.output()) + place);
        }
        signals.meet(stream); // all parts have come
    }
}

package org.mscclj.device.kernels.natives;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.NativeAlgorithm;
import org.mscclj.api.algorithm.CallKind;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.device.Stream;
import org.mscclj.api.type.Collective;

/**
 * A collective whose data the copy engines of GPUs move: each rank enqueues copies into the registered outputs of its
 * peers, and signals between them. All multiprocessors but one are free for other work meanwhile.
 */
abstract sealed class CopyingAlgorithm implements NativeAlgorithm<CopyingAlgorithm.Context>
        permits CopyingAllGather, CopyingBroadcast {
    private final Collective collective;
    private @Nullable PeerSignals signals;

    CopyingAlgorithm(Collective collective) {
        this.collective = collective;
    }

    /**
     * What the calls of a kind use.
     *
     * @param outputs empty for calls of size 0, which use nothing
     */
    record Context(Optional<PeerOutputs> outputs) implements AutoCloseable {
        @Override
        public void close() {
            outputs.ifPresent(PeerOutputs::close);
        }
    }

    /** Enqueues the work of a call that has data. */
    abstract void launch(PeerSignals signals, PeerOutputs outputs, CollectiveCall call, Stream stream);

    @Override
    public final String name() {
        return "copies_" + collective.label();
    }

    @Override
    public final Collective collective() {
        return collective;
    }

    /** Where copies are faster depends on the GPUs, which a tuner finds out. */
    @Override
    public final boolean onlyByName() {
        return true;
    }

    @Override
    public final Optional<String> refusal(CallShape shape) {
        return shape.registered() || shape.bytes() == 0
                ? Optional.empty()
                : Optional.of("peers copy into the output, so both buffers have to be memory of Communicator.allocate"
                        + " or register, at equal offsets on all ranks");
    }

    @Override
    public final void initialise(Communicator communicator) {
        signals = PeerSignals.open(communicator);
    }

    private PeerSignals connected() {
        return Objects.requireNonNull(signals, "not initialised");
    }

    @Override
    public final Context context(Communicator communicator, CallKind kind) {
        return new Context(kind.output().map(own -> PeerOutputs.open(communicator.channels(), connected(), own)));
    }

    @Override
    public final void launch(Context context, CollectiveCall call, LaunchSize size, Stream stream) {
        context.outputs().ifPresent(outputs -> launch(connected(), outputs, call, stream));
    }

    @Override
    public final void close() {
        PeerSignals known = signals;
        if (known != null) {
            signals = null;
            known.close();
        }
    }
}

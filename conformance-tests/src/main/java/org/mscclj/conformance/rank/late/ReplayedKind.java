package org.mscclj.conformance.rank.late;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.mscclj.api.BarrierCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.TransferCall;
import org.mscclj.api.Window;
import org.mscclj.api.WindowCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.scenario.CaseData;
import org.mscclj.conformance.task.Opened;

/** The content of graphs that too few ranks replay. Rank 0 waits for all others. */
enum ReplayedKind {
    /** The collective of the case. */
    COLLECTIVE {
        @Override
        Runnable prepare(RankContext context, Stream stream, Opened opened) {
            Communicator communicator = context.communicator();
            CaseBuffers buffers = opened.add(CaseBuffers.allocate(communicator, context.test()), CaseBuffers::close);
            buffers.fill(new CaseData(context.test()));
            PreparedOperation operation = opened.add(
                    communicator.prepare(RankContext.call(context.test(), buffers.input(), buffers.output())),
                    PreparedOperation::close);
            return () -> operation.launch(stream);
        }
    },

    /** The collective of the case, for which one rank replays a graph with a barrier instead. */
    OTHER_COLLECTIVE {
        @Override
        Runnable prepare(RankContext context, Stream stream, Opened opened) {
            return COLLECTIVE.prepare(context, stream, opened);
        }

        @Override
        Optional<Runnable> prepareOther(RankContext context, Stream stream, Opened opened) {
            PreparedOperation barrier =
                    opened.add(context.communicator().prepare(BarrierCall.STREAMS), PreparedOperation::close);
            return Optional.of(() -> barrier.launch(stream));
        }

        @Override
        boolean isReplayedByAll() {
            return true;
        }
    },

    /** A send to rank 0 from each of the other ranks. */
    MESSAGES {
        @Override
        Runnable prepare(RankContext context, Stream stream, Opened opened) {
            Communicator communicator = context.communicator();
            TransferCall call = TransferCall.batch();
            for (int peer : peers(context)) {
                DeviceBuffer buffer = opened.add(communicator.device().allocate(BYTES), DeviceBuffer::close);
                call = context.rank() == 0 ? call.receive(buffer, peer) : call.send(buffer, peer);
            }
            PreparedOperation operation = opened.add(communicator.prepare(call), PreparedOperation::close);
            return () -> operation.launch(stream);
        }
    },

    /** A window signal to rank 0 from each of the other ranks. */
    SIGNALS {
        @Override
        Runnable prepare(RankContext context, Stream stream, Opened opened) {
            Communicator communicator = context.communicator();
            DeviceBuffer memory = opened.add(communicator.device().allocate(BYTES), DeviceBuffer::close);
            Window window = opened.add(communicator.openWindow(memory), Window::close);
            List<PreparedOperation> operations = new ArrayList<>();
            for (int peer : peers(context)) {
                WindowCall call = context.rank() == 0 ? WindowCall.waitSignal(peer) : WindowCall.signal(peer);
                operations.add(opened.add(window.prepare(call), PreparedOperation::close));
            }
            return () -> operations.forEach(operation -> operation.launch(stream));
        }
    };

    private static final int BYTES = 4096;

    /** Prepares the operations that all ranks replay once, and all but the last rank once more. Collective. */
    abstract Runnable prepare(RankContext context, Stream stream, Opened opened);

    /**
     * Prepares the operations that the last rank replays instead; empty if it replays nothing, or equal operations.
     * Collective.
     */
    Optional<Runnable> prepareOther(RankContext context, Stream stream, Opened opened) {
        return Optional.empty();
    }

    /** Returns whether the last rank replays a graph, too. */
    boolean isReplayedByAll() {
        return false;
    }

    /** Returns the ranks with which rank 0, or another rank, exchanges data. */
    private static List<Integer> peers(RankContext context) {
        return context.rank() == 0
                ? IntStream.range(1, context.test().world()).boxed().toList()
                : List.of(0);
    }
}

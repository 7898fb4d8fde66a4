package org.mscclj.runtime.execution.operation;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.mscclj.runtime.event.EventRecorder;
import org.mscclj.runtime.event.OperationEvent;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.recorder.RecordedOperation;
import org.mscclj.spi.engine.ReplayListener;

/**
 * Records the replays of a captured operation, or of all operations of a communicator that a graph launches as one. The
 * graph keeps this object, and with it the operation's description; the resources of the operation are freed
 * independently.
 */
final class RecordedReplays implements ReplayListener {
    private final ExecutionEnvironment environment;
    private final RecordedOperation operation;
    private final boolean messages;

    /**
     * Time that a replay may take, in nanoseconds, whatever holds for other launches; 0 if it has no time of its own.
     */
    private volatile long mayTakeNanos;

    /**
     * Creates the listener, before any replay.
     *
     * @param messages whether only some ranks launch the operation
     */
    RecordedReplays(ExecutionEnvironment environment, RecordedOperation operation, boolean messages) {
        this.environment = environment;
        this.operation = operation;
        this.messages = messages;
    }

    /**
     * Notes a capture of the operation by a call that may take this many nanoseconds; 0 for the time of other launches.
     */
    void captured(long nanos) {
        mayTakeNanos = Math.max(mayTakeNanos, nanos);
    }

    @Override
    public void replayed(long ticket) {
        long sequence = environment.order().numberAt(ticket);
        environment.recorder().launched(operation, messages, RecordedOperation.REPLAY, ticket, sequence, mayTakeNanos);
        if (EventRecorder.recordOperations()) {
            OperationEvent event = OperationEvent.begun();
            if (event.shouldCommit()) {
                event.commit(environment.links().name(), operation.description(), sequence);
            }
        }
    }

    /**
     * Combines the launches of a graph. Ranks compare the launches that all ranks make. Point-to-point transfers are
     * not compared; they describe the graph only if it contains nothing else.
     */
    @Override
    public ReplayListener together(List<ReplayListener> all) {
        List<RecordedReplays> ours = all.stream()
                .filter(RecordedReplays.class::isInstance)
                .map(RecordedReplays.class::cast)
                .toList();
        if (ours.size() == 1) {
            return ours.getFirst();
        }
        List<RecordedReplays> compared =
                ours.stream().filter(one -> !one.messages).toList();
        boolean onlyMessages = compared.isEmpty();
        GraphWords words = new GraphWords((onlyMessages ? ours : compared)
                .stream().map(one -> one.operation).toList());
        RecordedReplays together = new RecordedReplays(
                environment,
                RecordedOperation.together(
                        words.description(),
                        compared.size() == 1 ? compared.getFirst().operation.describe() : words,
                        compared.size() == 1 ? compared.getFirst().operation::fingerprint : words::fingerprint,
                        ours.stream().map(one -> one.operation).toList()),
                onlyMessages);
        together.captured(together(ours));
        return together;
    }

    /**
     * Returns the time for all operations together, since they follow one another. If one of them has a time of its
     * own, each one without has the communicator's timeout.
     */
    private long together(Collection<RecordedReplays> all) {
        if (all.stream().allMatch(one -> one.mayTakeNanos == 0)) {
            return 0;
        }
        long usual = TimeUnit.NANOSECONDS.convert(environment.timeout());
        return all.stream()
                .mapToLong(one -> one.mayTakeNanos == 0 ? usual : one.mayTakeNanos)
                .reduce(0, (sum, nanos) -> sum + nanos < 0 ? Long.MAX_VALUE : sum + nanos);
    }
}

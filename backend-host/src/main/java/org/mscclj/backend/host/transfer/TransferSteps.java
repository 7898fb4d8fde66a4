package org.mscclj.backend.host.transfer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mscclj.backend.host.step.HostStep;
import org.mscclj.backend.host.step.TracedStep;
import org.mscclj.spi.trace.ContextTrace;
import org.mscclj.spi.transfer.PendingTransfer;
import org.mscclj.spi.transfer.Transfer;
import org.mscclj.spi.transfer.TransferSpec;

/**
 * The steps of a launch of sends and receives: a block for each lane with data to move, so that no transfer waits for a
 * transfer on another lane.
 */
public final class TransferSteps {
    private final HostLanes lanes;
    private final TransferSpec spec;
    private final Optional<ContextTrace> trace;
    private final Map<Transfer, List<MessageStep>> parts = new LinkedHashMap<>();
    private final List<MessageStep> messages = new ArrayList<>();
    private final List<TransferSignalStep> signals = new ArrayList<>();
    private final List<HostStep[]> blocks = new ArrayList<>();

    /**
     * The steps of a batch.
     *
     * @param trace the trace of the blocks; empty if tracing is off
     */
    public TransferSteps(HostLanes lanes, TransferSpec spec, Optional<ContextTrace> trace) {
        this.lanes = lanes;
        this.spec = spec;
        this.trace = trace;
        for (TransferSpec.LaneShare share : spec.laneShares()) {
            TransferLane end = lanes.get(share.peer(), share.lane(), share.sends());
            blocks.add(share.transfers().stream()
                    .map(transfer -> traced(part(transfer, end, share.lane()), transfer.label()))
                    .toArray(HostStep[]::new));
        }
        for (List<TransferSpec.LocalCopy> share : spec.copyShares()) {
            blocks.add(share.stream()
                    .map(copy -> traced(new LocalCopyStep(copy), copy.label()))
                    .toArray(HostStep[]::new));
        }
        for (TransferSpec.Signal signal : spec.signals()) {
            TransferSignalStep step = new TransferSignalStep(signal, lanes.get(signal.peer(), 0, signal.sends()));
            signals.add(step);
            blocks.add(new HostStep[] {traced(step, signal.toString())});
        }
    }

    /** Wraps a step of the next block in a trace, if tracing is on. */
    private HostStep traced(HostStep step, String label) {
        int block = blocks.size();
        return trace.<HostStep>map(events -> TracedStep.of(step, events, block, label))
                .orElse(step);
    }

    private HostStep part(Transfer transfer, TransferLane end, int lane) {
        MessageStep step = transfer.sends()
                ? new SendStep(transfer, end, spec.lanes(), lane)
                : new ReceiveStep(lanes.rank(), transfer, end, spec.lanes(), lane);
        parts.computeIfAbsent(transfer, _ -> new ArrayList<>()).add(step);
        messages.add(step);
        return step;
    }

    /** The steps of each block. */
    public List<HostStep[]> blocks() {
        return List.copyOf(blocks);
    }

    /**
     * Begins a launch: resets the progress of all transfers, also of transfers that wait for others on their lane.
     * Allocates nothing.
     */
    public void begin() {
        for (int i = 0; i < messages.size(); i++) {
            messages.get(i).forget();
        }
        for (int i = 0; i < signals.size(); i++) {
            signals.get(i).forget();
        }
    }

    /** All transfers and signals, for a launch that waits for its turn. */
    public List<PendingTransfer> notBegun() {
        List<PendingTransfer> pending = new ArrayList<>();
        parts.forEach((transfer, steps) -> pending.add(PendingTransfer.of(transfer, 0, chunks(transfer, steps))));
        signals.forEach(step -> pending.add(PendingTransfer.of(step.signal())));
        return pending;
    }

    /** The transfers and signals that have not ended yet. */
    public List<PendingTransfer> pending() {
        List<PendingTransfer> pending = new ArrayList<>();
        parts.forEach((transfer, steps) -> {
            long moved = steps.stream().mapToLong(MessageStep::moved).sum();
            long chunks = chunks(transfer, steps);
            if (moved < chunks) {
                pending.add(PendingTransfer.of(transfer, moved, chunks));
            }
        });
        signals.stream()
                .filter(step -> !step.hasEnded())
                .forEach(step -> pending.add(PendingTransfer.of(step.signal())));
        return pending;
    }

    /** Chunks of a transfer, or of all transfers that are equal to it. */
    private long chunks(Transfer transfer, List<MessageStep> steps) {
        return spec.lanes().chunks(transfer.bytes()) * (steps.size() / lanesOf(transfer));
    }

    /** Number of lanes of a transfer. */
    private int lanesOf(Transfer transfer) {
        return (int) Math.min(spec.lanes().lanes(), spec.lanes().chunks(transfer.bytes()));
    }
}

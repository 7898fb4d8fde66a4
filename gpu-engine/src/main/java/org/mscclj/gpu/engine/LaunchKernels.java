package org.mscclj.gpu.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mscclj.device.kernels.transfer.TransferTable;
import org.mscclj.gpu.queue.DeferredRelease;
import org.mscclj.gpu.stream.GpuStream;
import org.mscclj.plan.layout.LaunchGeometry;
import org.mscclj.spi.engine.LaunchSpec;

/**
 * The kernels of a prepared launch: one for each round, and for an average or a premultiplied sum perhaps one before
 * the first round and one after the last. Callers hold the lock of the queue while they launch.
 */
final class LaunchKernels implements LaunchBody {
    private final List<RoundKernel> kernels;
    private final @Nullable RoundKernel fullRound;
    private final @Nullable RoundKernel lastRound;
    private final @Nullable ScalingStep before;
    private final @Nullable ScalingStep after;
    private final long rounds;
    private final long roundBytes;

    private boolean begun;

    private LaunchKernels(
            long rounds,
            long roundBytes,
            List<RoundKernel> kernels,
            @Nullable ScalingStep before,
            @Nullable ScalingStep after) {
        this.rounds = rounds;
        this.roundBytes = roundBytes;
        this.kernels = List.copyOf(kernels);
        this.fullRound = rounds > 1 ? kernels.getFirst() : null;
        this.lastRound = rounds > 0 ? kernels.getLast() : null;
        this.before = before;
        this.after = after;
    }

    /** Prepares the kernels of a plan on given buffers. */
    static LaunchKernels ofPlan(GpuPlanContext context, LaunchSpec spec) {
        LaunchGeometry geometry = spec.geometry();
        long rounds = geometry.rounds();
        List<RoundKernel> kernels = new ArrayList<>();
        ScalingStep before = null;
        try {
            if (rounds > 1) {
                kernels.add(RoundKernel.ofPlan(context, spec, geometry.round(0)));
            }
            if (rounds > 0) {
                kernels.add(RoundKernel.ofPlan(context, spec, geometry.round(rounds - 1)));
            }
            before = rounds > 0 ? ScalingStep.before(context, spec) : null;
            ScalingStep after = rounds > 0 ? ScalingStep.after(context, spec) : null;
            return new LaunchKernels(rounds, geometry.fullRoundBytes(), kernels, before, after);
        } catch (RuntimeException | Error e) {
            kernels.forEach(RoundKernel::close);
            close(before);
            throw e;
        }
    }

    /** Prepares the kernel of a batch of point-to-point transfers. */
    static LaunchKernels ofTransfers(GpuPlanContext context, TransferTable table) {
        List<RoundKernel> kernels = table.blocks() == 0 ? List.of() : List.of(RoundKernel.ofTransfers(context, table));
        return new LaunchKernels(kernels.size(), 0, kernels, null, null);
    }

    private static void close(@Nullable ScalingStep step) {
        if (step != null) {
            step.close();
        }
    }

    @Override
    public boolean isEmpty() {
        return rounds == 0;
    }

    @Override
    public long count() {
        return rounds + (before == null ? 0 : 1) + (after == null ? 0 : 1);
    }

    /** One for each block of the last kernel. */
    @Override
    public int endWords() {
        if (after != null) {
            return after.blocks();
        }
        return lastRound == null ? 0 : lastRound.blocks();
    }

    @Override
    public void launch(GpuStream stream, long endWord, long number) {
        begun = false;
        if (before != null) {
            before.launch(stream.handle(), 0, 0);
            begun = true;
        }
        for (long round = 0; round < rounds; round++) {
            boolean last = round == rounds - 1;
            RoundKernel kernel = last ? lastRound : fullRound;
            if (kernel != null) {
                boolean ends = last && after == null;
                kernel.launch(stream.handle(), round * roundBytes, endWord, ends ? number : 0);
                begun = true;
            }
        }
        if (after != null) {
            after.launch(stream.handle(), endWord, number);
        }
    }

    @Override
    public boolean hasBegun() {
        return begun;
    }

    @Override
    public boolean mayHaveBegun() {
        return begun;
    }

    @Override
    public void close(DeferredRelease remains) {
        close(before);
        close(after);
        kernels.forEach(remains::add);
    }

    @Override
    public void close() {
        close(before);
        close(after);
        kernels.forEach(RoundKernel::close);
    }
}

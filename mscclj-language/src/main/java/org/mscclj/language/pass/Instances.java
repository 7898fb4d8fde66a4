package org.mscclj.language.pass;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Operation;
import org.mscclj.plan.RankPlan;

/**
 * Replicates a program: {@code count} instances, each with its own blocks, channels, semaphores and barriers, each work
 * on a part of every chunk. Number {@code n} becomes {@code n · count + instance}; a chunk is split into {@code count}
 * chunks, and a range of chunks into as many ranges. MSCCL++'s compiler does this twice for a compiled program, shifts
 * a chunk twice if two switch operations share it, and omits the packet copy of a reduction; here steps are values, and
 * each is shifted once.
 *
 * @param count number of instances
 */
record Instances(int count) {
    RankPlan replicate(RankPlan rank) {
        return new RankPlan(
                rank.rank(),
                Math.multiplyExact(rank.inputChunks(), count),
                Math.multiplyExact(rank.outputChunks(), count),
                Math.multiplyExact(rank.scratchChunks(), count),
                rank.threadBlocks(),
                each(rank.memoryChannelPeers()),
                each(rank.portChannelPeers()),
                each(rank.switchGroups()),
                rank.remoteBuffers(),
                each(rank.semaphoreInitialValues()));
    }

    private <T> List<T> each(List<T> items) {
        List<T> all = new ArrayList<>();
        items.forEach(item -> all.addAll(Collections.nCopies(count, item)));
        return all;
    }

    List<List<BlockStep>> replicateBlocks(List<List<BlockStep>> blocks) {
        List<List<BlockStep>> all = new ArrayList<>();
        for (List<BlockStep> block : blocks) {
            for (int instance = 0; instance < count; instance++) {
                all.add(steps(block, instance));
            }
        }
        return all;
    }

    private List<BlockStep> steps(List<BlockStep> steps, int instance) {
        return steps.stream()
                .<BlockStep>map(step -> switch (step) {
                    case BlockStep.Run run ->
                        new BlockStep.Run(operation(run.operation(), instance), run.syncBefore(), run.syncAfter());
                    case BlockStep.Loop loop ->
                        new BlockStep.Loop(loop.unitSize(), loop.chunks(), steps(loop.steps(), instance));
                })
                .toList();
    }

    private Operation operation(Operation operation, int instance) {
        return switch (operation) {
            case Operation.Nop nop -> nop;
            case Operation.Barrier barrier -> new Operation.Barrier(id(barrier.id(), instance), barrier.threadBlocks());
            case Operation.Signal signal ->
                new Operation.Signal(signal.channelType(), ids(signal.channelIds(), instance), signal.relaxed());
            case Operation.Wait wait ->
                new Operation.Wait(wait.channelType(), ids(wait.channelIds(), instance), wait.relaxed());
            case Operation.Flush flush -> new Operation.Flush(flush.channelType(), ids(flush.channelIds(), instance));
            case Operation.SemaphoreAcquire acquire ->
                new Operation.SemaphoreAcquire(ids(acquire.semaphoreIds(), instance));
            case Operation.SemaphoreRelease release ->
                new Operation.SemaphoreRelease(ids(release.semaphoreIds(), instance));
            case Operation.Data data ->
                new Operation.Data(
                        data.kind(),
                        data.channelType(),
                        ids(data.channelIds(), instance),
                        references(data.sources(), instance),
                        references(data.destinations(), instance),
                        data.share(),
                        data.reduceOp(),
                        data.plainPlace());
            case Operation.Pipeline pipeline -> throw new IllegalStateException("a step that is a pipeline");
        };
    }

    private int id(int id, int instance) {
        return id * count + instance;
    }

    private List<Integer> ids(List<Integer> ids, int instance) {
        return ids.stream().map(id -> id(id, instance)).toList();
    }

    private List<ChunkRef> references(List<ChunkRef> references, int instance) {
        return references.stream()
                .<ChunkRef>map(reference -> {
                    int size = reference.size();
                    int index = reference.index() * count + instance * size;
                    return switch (reference) {
                        case ChunkRef.Local local -> new ChunkRef.Local(local.buffer(), index, size);
                        case ChunkRef.Remote remote -> new ChunkRef.Remote(remote.bufferId(), index, size);
                        case ChunkRef.Multicast all ->
                            new ChunkRef.Multicast(id(all.switchChannelId(), instance), index, size);
                    };
                })
                .toList();
    }
}

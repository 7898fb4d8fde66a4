package org.mscclj.language.pass;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Operation;
import org.mscclj.plan.RankPlan;

/** Instances divide a program's chunks without remainder or overlap, and share nothing else. Failures name the seed. */
class InstancesTest {
    private static final int PROGRAMS = 1_000;

    @Test
    void everyInstanceHasAllResources() {
        for (int count : new int[] {1, 2, 3, 8}) {
            RankPlan one = new RandomSteps(count).ranges().rank();
            RankPlan many = new Instances(count).replicate(one);
            assertEquals(count * one.inputChunks(), many.inputChunks());
            assertEquals(count * one.outputChunks(), many.outputChunks());
            assertEquals(count * one.scratchChunks(), many.scratchChunks());
            assertEquals(repeated(one.channelPeers(ChannelType.MEMORY), count), many.channelPeers(ChannelType.MEMORY));
            assertEquals(repeated(one.channelPeers(ChannelType.PORT), count), many.channelPeers(ChannelType.PORT));
            assertEquals(repeated(one.switchGroups(), count), many.switchGroups());
            assertEquals(repeated(one.semaphoreInitialValues(), count), many.semaphoreInitialValues());
            assertEquals(one.remoteBuffers(), many.remoteBuffers());
        }
    }

    private static <T> List<T> repeated(List<T> items, int count) {
        return items.stream()
                .flatMap(item -> Collections.nCopies(count, item).stream())
                .toList();
    }

    @Test
    void rangesOfAllInstancesAreTheRangeOfTheProgram() {
        for (long seed = 0; seed < PROGRAMS; seed++) {
            int count = 1 + (int) (seed % 5);
            RandomSteps random = new RandomSteps(seed);
            List<BlockStep> steps = new Fusion(random.ranges(), FusionLimits.MSCCLPP).fuse(random.steps(10, true));
            List<List<BlockStep>> blocks = new Instances(count).replicateBlocks(List.of(steps, steps));
            assertEquals(2 * count, blocks.size());
            List<Operation> program = operations(steps);
            for (int block = 0; block < 2; block++) {
                List<List<Operation>> instances = blocks.subList(block * count, (block + 1) * count).stream()
                        .map(InstancesTest::operations)
                        .toList();
                for (int i = 0; i < program.size(); i++) {
                    int position = i;
                    List<Operation> same =
                            instances.stream().map(list -> list.get(position)).toList();
                    check(program.get(i), same, "seed " + seed + ", operation " + i);
                }
            }
        }
    }

    private static List<Operation> operations(List<BlockStep> steps) {
        return steps.stream()
                .flatMap(step -> step instanceof BlockStep.Loop loop
                        ? operations(loop.steps()).stream()
                        : Stream.of(((BlockStep.Run) step).operation()))
                .toList();
    }

    private static void check(Operation program, List<Operation> instances, String where) {
        int count = instances.size();
        for (int instance = 0; instance < count; instance++) {
            assertEquals(moved(ids(program), count, instance), ids(instances.get(instance)), where);
        }
        if (program instanceof Operation.Data data) {
            List<ChunkRef> references = references(data);
            for (int k = 0; k < references.size(); k++) {
                List<Integer> covered = new ArrayList<>();
                for (Operation instance : instances) {
                    ChunkRef part = references((Operation.Data) instance).get(k);
                    covered.addAll(range(part.index(), part.size()));
                }
                ChunkRef whole = references.get(k);
                assertEquals(range(whole.index() * count, whole.size() * count), covered, where + ", operand " + k);
            }
        }
    }

    private static List<Integer> range(int first, int size) {
        return IntStream.range(first, first + size).boxed().toList();
    }

    private static List<Integer> moved(List<Integer> ids, int count, int instance) {
        return ids.stream().map(id -> id * count + instance).toList();
    }

    /** Of channels, semaphores and barriers; remote buffers are shared. */
    private static List<Integer> ids(Operation operation) {
        return switch (operation) {
            case Operation.Barrier barrier -> List.of(barrier.id());
            case Operation.Signal signal -> signal.channelIds();
            case Operation.Wait wait -> wait.channelIds();
            case Operation.Flush flush -> flush.channelIds();
            case Operation.SemaphoreAcquire acquire -> acquire.semaphoreIds();
            case Operation.SemaphoreRelease release -> release.semaphoreIds();
            case Operation.Data data ->
                Stream.concat(
                                data.channelIds().stream(),
                                references(data).stream()
                                        .filter(reference -> reference instanceof ChunkRef.Multicast)
                                        .map(reference -> ((ChunkRef.Multicast) reference).switchChannelId()))
                        .toList();
            default -> List.of();
        };
    }

    private static List<ChunkRef> references(Operation.Data data) {
        return Stream.concat(data.sources().stream(), data.destinations().stream())
                .toList();
    }
}

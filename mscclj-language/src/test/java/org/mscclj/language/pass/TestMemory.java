package org.mscclj.language.pass;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.RemoteBuffer;
import org.mscclj.plan.SwitchGroup;

/**
 * The memory of all ranks as one array of integers, two for each chunk, and the effect of operations on it. The
 * addresses are computed independently of the passes. An operation handles its elements in any order, as the threads of
 * a block do.
 */
final class TestMemory {
    private static final int ELEMENTS = 2;
    private static final int BUFFER = 16;

    private final Plan plan;
    private final int[] values;
    private final List<String> log = new ArrayList<>();

    TestMemory(Plan plan) {
        this.plan = plan;
        this.values = new int[plan.worldSize() * BufferType.values().length * BUFFER];
        SplittableRandom random = new SplittableRandom(values.length);
        for (int i = 0; i < values.length; i++) {
            values[i] = random.nextInt();
        }
    }

    int[] values() {
        return values;
    }

    /** The synchronising operation with its channel, and the memory at that time. */
    List<String> log() {
        return log;
    }

    /** The addresses of an operand's elements; those of a multicast operand at all members, one after the other. */
    List<Integer> addresses(int rank, ChunkRef reference) {
        RankPlan own = plan.ranks().get(rank);
        return switch (reference) {
            case ChunkRef.Local local -> addresses(rank, local.buffer(), reference);
            case ChunkRef.Remote remote -> {
                RemoteBuffer buffer = own.remoteBuffers().get(remote.bufferId());
                yield addresses(buffer.rank(), buffer.buffer(), reference);
            }
            case ChunkRef.Multicast all -> {
                SwitchGroup group = own.switchGroups().get(all.switchChannelId());
                yield group.ranks().stream()
                        .flatMap(member -> addresses(member, group.buffer(), reference).stream())
                        .toList();
            }
        };
    }

    private List<Integer> addresses(int rank, BufferType buffer, ChunkRef reference) {
        int first = reference.index() * ELEMENTS;
        BufferType holder = buffer;
        if (plan.inPlace() && buffer == BufferType.INPUT) {
            RankPlan owner = plan.ranks().get(rank);
            holder = BufferType.OUTPUT;
            first += owner.inputChunks() < owner.outputChunks() ? rank * owner.inputChunks() * ELEMENTS : 0;
        }
        int base = (rank * BufferType.values().length + holder.ordinal()) * BUFFER + first;
        List<Integer> addresses = new ArrayList<>();
        for (int i = 0; i < reference.size() * ELEMENTS; i++) {
            addresses.add(base + i);
        }
        return addresses;
    }

    /** Runs steps in order, and the elements of each in a random order. */
    void run(int rank, List<BlockStep> steps, long seed) {
        Random random = new Random(seed);
        for (BlockStep step : steps) {
            switch (step) {
                case BlockStep.Loop loop -> run(rank, loop.steps(), random.nextLong());
                case BlockStep.Run(Operation operation, boolean _, boolean _) -> run(rank, operation, random);
            }
        }
    }

    private void run(int rank, Operation operation, Random random) {
        switch (operation) {
            case Operation.Signal(var type, var ids, var _) -> ids.forEach(id -> record(operation.label() + type + id));
            case Operation.Wait(var type, var ids, var _) -> ids.forEach(id -> record(operation.label() + type + id));
            case Operation.Flush(var type, var ids) -> ids.forEach(id -> record(operation.label() + type + id));
            case Operation.SemaphoreAcquire(var ids) -> ids.forEach(id -> record(operation.label() + id));
            case Operation.SemaphoreRelease(var ids) -> ids.forEach(id -> record(operation.label() + id));
            case Operation.Barrier barrier -> record(operation.label() + barrier.id());
            case Operation.Data data -> run(rank, data, random);
            default -> {}
        }
    }

    private void record(String what) {
        log.add(what + " " + Arrays.hashCode(values));
    }

    private void run(int rank, Operation.Data data, Random random) {
        switch (data.kind()) {
            case PUT, GET, PUT_PACKETS, PUT_WITH_SIGNAL -> {
                List<Runnable> moves = new ArrayList<>();
                for (int k = 0; k < data.sources().size(); k++) {
                    List<Integer> from = addresses(rank, data.sources().get(k));
                    List<Integer> to = addresses(rank, data.destinations().get(k));
                    for (int element : share(data, from.size())) {
                        moves.add(() -> values[to.get(element)] = values[from.get(element)]);
                    }
                }
                Collections.shuffle(moves, random);
                moves.forEach(Runnable::run);
            }
            default -> {
                int elements = data.destinations().getFirst().size() * ELEMENTS;
                List<Integer> order = new ArrayList<>(share(data, elements));
                Collections.shuffle(order, random);
                for (int element : order) {
                    int sum = 0;
                    for (ChunkRef source : data.sources()) {
                        List<Integer> from = addresses(rank, source);
                        for (int i = element; i < from.size(); i += elements) {
                            sum += values[from.get(i)];
                        }
                    }
                    for (ChunkRef destination : data.destinations()) {
                        List<Integer> to = addresses(rank, destination);
                        for (int i = element; i < to.size(); i += elements) {
                            values[to.get(i)] = sum;
                        }
                    }
                }
            }
        }
        if (data.kind() == DataKind.PUT_WITH_SIGNAL) {
            data.channelIds().forEach(id -> log.add(data.label() + id));
        }
    }

    private static List<Integer> share(Operation.Data data, int elements) {
        int each = elements / data.share().groupSize();
        List<Integer> own = new ArrayList<>();
        for (int i = 0; i < each; i++) {
            own.add(data.share().member() * each + i);
        }
        return own;
    }
}

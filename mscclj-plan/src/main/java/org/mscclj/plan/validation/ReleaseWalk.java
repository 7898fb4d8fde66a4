package org.mscclj.plan.validation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Operation;
import org.mscclj.plan.OperationAddress;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;

/**
 * Walks the blocks of one rank through their barriers and semaphores, and tracks which remote stores precede each
 * block's current operation, and which of those are released. Waits for peers never block here: operations of peers
 * affect neither.
 */
final class ReleaseWalk {
    /** An operation with its address. */
    private record Step(Operation operation, OperationAddress address) {}

    /**
     * The progress of one block. The stores of a block are numbered from 1; for each other block, the number of its
     * last store that precedes is kept.
     */
    private static final class Block {
        private final int id;
        private final List<Step> steps;
        private int next;

        /** Number of semaphores of the current operation that are acquired. */
        private int acquired;

        private int stores;
        private int orderedStores;
        private final Map<Integer, Integer> known = new HashMap<>();
        private final Map<Integer, Integer> released = new HashMap<>();

        Block(int id, List<Step> steps) {
            this.id = id;
            this.steps = steps;
        }

        /** All threads of the block have synchronised: its stores so far can be released, and precede what follows. */
        void order() {
            if (stores > orderedStores) {
                orderedStores = stores;
                known.put(id, stores);
            }
        }

        void release() {
            merge(released, known);
        }

        boolean hasUnreleased() {
            return stores > orderedStores
                    || known.entrySet().stream()
                            .anyMatch(store -> store.getValue() > released.getOrDefault(store.getKey(), 0));
        }
    }

    private final List<Block> blocks;
    private final int[] semaphores;
    private final List<Map<Integer, Integer>> semaphoreStores = new ArrayList<>();
    private final List<Deque<Block>> semaphoreQueues = new ArrayList<>();
    private final Map<Integer, List<Block>> barriers = new HashMap<>();
    private final Deque<Block> runnable = new ArrayDeque<>();
    private final Set<OperationAddress> found = new LinkedHashSet<>();

    ReleaseWalk(RankPlan rank) {
        blocks = rank.threadBlocks().stream()
                .map(block -> new Block(block.id(), steps(rank.rank(), block)))
                .toList();
        semaphores = rank.semaphoreInitialValues().stream()
                .mapToInt(Integer::intValue)
                .toArray();
        for (int i = 0; i < semaphores.length; i++) {
            semaphoreStores.add(new HashMap<>());
            semaphoreQueues.add(new ArrayDeque<>());
        }
    }

    private static List<Step> steps(int rank, ThreadBlock block) {
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < block.operations().size(); i++) {
            Operation operation = block.operations().get(i);
            if (operation instanceof Operation.Pipeline pipeline) {
                // Twice, because stores that are unreleased at the end of an iteration meet the signals at the start of
                // the next.
                for (int iteration = 0; iteration < 2; iteration++) {
                    for (int k = 0; k < pipeline.operations().size(); k++) {
                        steps.add(new Step(
                                pipeline.operations().get(k), OperationAddress.inPipeline(rank, block.id(), i, k)));
                    }
                }
            } else {
                steps.add(new Step(operation, OperationAddress.of(rank, block.id(), i)));
            }
        }
        return steps;
    }

    List<OperationAddress> run() {
        runnable.addAll(blocks);
        int firstUnfinished = 0;
        while (true) {
            while (!runnable.isEmpty()) {
                advance(runnable.remove());
            }
            while (firstUnfinished < blocks.size() && isFinished(blocks.get(firstUnfinished))) {
                firstUnfinished++;
            }
            if (firstUnfinished == blocks.size()) {
                break;
            }
            skip(blocks.get(firstUnfinished));
        }
        return found.stream()
                .sorted(Comparator.comparingInt(OperationAddress::block)
                        .thenComparingInt(OperationAddress::position)
                        .thenComparingInt(address -> address.inner().orElse(-1)))
                .toList();
    }

    private static boolean isFinished(Block block) {
        return block.next == block.steps.size();
    }

    /**
     * All remaining blocks wait for each other. This walk does not report deadlocks, so it lets one of them continue.
     */
    private void skip(Block block) {
        barriers.values().forEach(waiting -> waiting.remove(block));
        semaphoreQueues.forEach(waiting -> waiting.remove(block));
        block.next++;
        block.acquired = 0;
        runnable.add(block);
    }

    private void advance(Block block) {
        while (!isFinished(block)) {
            Step step = block.steps.get(block.next);
            switch (step.operation()) {
                case Operation.Nop() -> block.order();
                case Operation.Barrier barrier -> {
                    if (!sync(block, barrier)) {
                        return;
                    }
                }
                case Operation.Signal signal -> {
                    if (!signal.relaxed()) {
                        block.release();
                    } else if (block.hasUnreleased()) {
                        found.add(step.address());
                    }
                }
                case Operation.SemaphoreAcquire acquire -> {
                    if (!acquire(block, acquire.semaphoreIds())) {
                        return;
                    }
                }
                case Operation.SemaphoreRelease release -> release(block, release.semaphoreIds());
                case Operation.Data data -> data(block, data);
                case Operation.Wait _, Operation.Flush _, Operation.Pipeline _ -> {}
            }
            block.next++;
        }
    }

    /** Arrives at a barrier. The last block continues at once; the others become runnable after it. */
    private boolean sync(Block block, Operation.Barrier barrier) {
        block.order();
        List<Block> waiting = barriers.computeIfAbsent(barrier.id(), _ -> new ArrayList<>());
        if (waiting.size() + 1 < barrier.threadBlocks()) {
            waiting.add(block);
            return false;
        }
        Map<Integer, Integer> known = new HashMap<>(block.known);
        Map<Integer, Integer> released = new HashMap<>(block.released);
        for (Block other : waiting) {
            merge(known, other.known);
            merge(released, other.released);
        }
        merge(block.known, known);
        merge(block.released, released);
        for (Block other : waiting) {
            merge(other.known, known);
            merge(other.released, released);
            other.next++;
            runnable.add(other);
        }
        waiting.clear();
        return true;
    }

    private boolean acquire(Block block, List<Integer> ids) {
        while (block.acquired < ids.size()) {
            int id = ids.get(block.acquired);
            if (semaphores[id] == 0) {
                semaphoreQueues.get(id).add(block);
                return false;
            }
            semaphores[id]--;
            block.acquired++;
            // The schedule decides which release this acquire follows. Any is possible, so the stores before all of
            // them count, and none of them counts as released.
            merge(block.known, semaphoreStores.get(id));
        }
        block.acquired = 0;
        return true;
    }

    private void release(Block block, List<Integer> ids) {
        for (int id : ids) {
            Map<Integer, Integer> stores = semaphoreStores.get(id);
            block.known.forEach((origin, store) -> {
                if (store > block.released.getOrDefault(origin, 0)) {
                    stores.merge(origin, store, Math::max);
                }
            });
            semaphores[id]++;
            Block waiting = semaphoreQueues.get(id).poll();
            if (waiting != null) {
                runnable.add(waiting);
            }
        }
    }

    private static void data(Block block, Operation.Data data) {
        if (data.channelType().filter(ChannelType.PORT::equals).isPresent()) {
            block.release();
        } else if (storesRemotely(data)) {
            block.stores++;
        }
    }

    private static boolean storesRemotely(Operation.Data data) {
        return switch (data.kind()) {
            case PUT, REDUCE_SEND, READ_REDUCE_SEND, SWITCH_STORE, SWITCH_REDUCE_STORE ->
                data.destinations().stream().anyMatch(ref -> !(ref instanceof ChunkRef.Local) && ref.size() > 0);
            default -> false;
        };
    }

    private static void merge(Map<Integer, Integer> into, Map<Integer, Integer> from) {
        from.forEach((origin, store) -> into.merge(origin, store, Math::max));
    }
}

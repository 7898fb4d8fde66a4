package org.mscclj.analysis.verify.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.mscclj.analysis.verify.order.ServiceOrder;
import org.mscclj.analysis.verify.order.VectorClock;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Operation;

/**
 * The waits of blocks. As in engines, a wait claims the next count of each of its channels at its beginning, and then
 * waits for these counts; a semaphore is acquired when it is above 0. Where several blocks wait for one counter, they
 * claim or acquire in turns that a {@link ServiceOrder} decides.
 */
final class BlockWaits {
    /** A block that waits for its turn. */
    private record Contender(Block block, Counter counter, boolean takes, String what) {
        /** Whether the turn is possible: a claim always is, an acquisition if the semaphore is above 0. */
        boolean isServable() {
            return !takes || counter.isReached(counter.next());
        }
    }

    private final SymbolicMachine machine;
    private final List<Contender> contenders = new ArrayList<>();
    private boolean cut;

    BlockWaits(SymbolicMachine machine) {
        this.machine = machine;
    }

    /** Synchronises at a barrier; false if other blocks have yet to arrive. */
    boolean sync(SymbolicRank rank, Block block, Operation.Barrier barrier) {
        block.agent().sync();
        List<Block> waiting = rank.atBarrier(barrier.id());
        if (waiting.size() + 1 < barrier.threadBlocks()) {
            waiting.add(block);
            block.waitFor(() -> "barrier " + barrier.id() + ", at which " + waiting.size() + " of "
                    + barrier.threadBlocks() + " blocks have arrived");
            return false;
        }
        VectorClock all = block.agent().release().copy();
        waiting.forEach(other -> all.include(other.agent().release()));
        block.agent().acquire(all);
        block.agent().sync();
        for (Block other : waiting) {
            other.agent().acquire(all);
            other.agent().sync();
            other.advance();
        }
        machine.wake(waiting);
        return true;
    }

    /** Waits on channels; false if a signal is missing. */
    boolean await(Block block, Operation.Wait wait) {
        ChannelEnds ends = block.ends(wait.channelType());
        List<Integer> ids = wait.channelIds();
        while (block.claimed() < ids.size()) {
            Counter counter = ends.awaited(ids.get(block.claimed()));
            if (counter.isContested() && !block.takeTurn()) {
                contend(block, counter, wait.channelType(), ends.channel(ids.get(block.claimed())));
                return false;
            }
            block.claim(counter.claim());
        }
        while (block.done() < ids.size()) {
            int id = ids.get(block.done());
            Counter counter = ends.awaited(id);
            int count = block.claim();
            if (!counter.isReached(count)) {
                counter.waiting().add(block);
                block.waitFor(() -> "signal " + count + " of rank "
                        + machine.rank(block.rank())
                                .plan()
                                .channelPeers(wait.channelType())
                                .get(ends.channel(id))
                        + " on " + wait.channelType().label() + " channel #" + ends.channel(id) + ", which has sent "
                        + counter.raised());
                return false;
            }
            for (Counter.Signal signal : counter.needed(count)) {
                acquire(block, signal, wait.relaxed());
            }
            block.completeOne();
        }
        return true;
    }

    private static void acquire(Block block, Counter.Signal signal, boolean relaxedWait) {
        if (signal.relaxed() || (relaxedWait && !signal.raised())) {
            block.agent().acquire(signal.begin());
            block.agent().acquireReads(signal.clock());
        } else {
            block.agent().acquire(signal.clock());
        }
    }

    /** Acquires semaphores; false if one is not available. */
    boolean acquire(SymbolicRank rank, Block block, Operation.SemaphoreAcquire acquire) {
        while (block.done() < acquire.semaphoreIds().size()) {
            int id = acquire.semaphoreIds().get(block.done());
            Counter semaphore = rank.semaphores().get(id);
            if (semaphore.isLock()) {
                block.completeOne();
                continue;
            }
            if (semaphore.isContested()) {
                if (!block.takeTurn()) {
                    contend(block, semaphore, id);
                    return false;
                }
            } else if (!semaphore.isReached(semaphore.next())) {
                semaphore.waiting().add(block);
                block.waitFor(() -> released(semaphore, id));
                return false;
            }
            for (Counter.Signal signal : semaphore.needed(semaphore.claim())) {
                block.agent().acquire(signal.clock());
            }
            block.completeOne();
        }
        return true;
    }

    private static String released(Counter semaphore, int id) {
        return "semaphore " + id + ", which has been released " + semaphore.raised()
                + " times, to be released once more";
    }

    /**
     * Gives a turn to a block that waits for one. Returns the block; empty if no block can have a turn or the order
     * ends the run.
     */
    Optional<Block> serve(ServiceOrder order) {
        List<Contender> possible =
                contenders.stream().filter(Contender::isServable).toList();
        if (possible.isEmpty()) {
            return Optional.empty();
        }
        OptionalInt chosen = order.next(possible.stream()
                .map(one -> new ServiceOrder.Turn(one.block.agent().index(), one.counter.number(), one.what))
                .toList());
        if (chosen.isEmpty()) {
            cut = true;
            return Optional.empty();
        }
        Contender served = possible.get(chosen.getAsInt());
        contenders.remove(served);
        served.block.grant();
        return Optional.of(served.block);
    }

    /** Whether the order has ended the run. */
    boolean isCut() {
        return cut;
    }

    private void contend(Block block, Counter counter, ChannelType type, int channel) {
        String what = type.label() + " channel #" + channel;
        contenders.add(new Contender(block, counter, false, describe(block) + " claims a signal of " + what));
        block.waitFor(() -> "its turn on " + what);
    }

    private void contend(Block block, Counter semaphore, int id) {
        contenders.add(new Contender(block, semaphore, true, describe(block) + " acquires semaphore #" + id));
        block.waitFor(() -> released(semaphore, id));
    }

    private static String describe(Block block) {
        return "block " + block.threadBlock().id() + " of rank " + block.rank();
    }
}

package org.mscclj.analysis.verify.machine;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.analysis.verify.order.VectorClock;
import org.mscclj.analysis.verify.size.CheckedSize;
import org.mscclj.analysis.walk.BlockCursor;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Operation;
import org.mscclj.plan.OperationAddress;
import org.mscclj.plan.ThreadBlock;

/** The progress of one thread block through its operations. */
final class Block {
    private final Agent agent;
    private final int rank;
    private final ThreadBlock block;
    private final Set<OperationAddress> raised;
    private final ChannelEnds memory;
    private final ChannelEnds port;
    private final BlockCursor cursor;

    /** Number of channels or semaphores of the current operation that are done. */
    private int done;

    /** The counts that a wait has claimed, one for each of its channels; the first {@link #claimed} are valid. */
    private int[] claims = new int[1];

    private int claimed;

    /** Whether the block may claim next from a counter that several blocks wait for. */
    private boolean turn;

    private final Set<VectorClock> acquired = new HashSet<>();

    /** Describes what the block waits for; null while it runs. */
    private @Nullable Supplier<String> waitsFor;

    /**
     * Creates a block before its first operation.
     *
     * @param scenario sizes, which decide the iterations of pipelines
     * @param raised relaxed signals that engines raise to full ones
     * @param memory its memory channels
     * @param port its port channels
     */
    Block(
            Agent agent,
            int rank,
            ThreadBlock block,
            CheckedSize scenario,
            Set<OperationAddress> raised,
            ChannelEnds memory,
            ChannelEnds port) {
        this.agent = agent;
        this.rank = rank;
        this.block = block;
        this.cursor = new BlockCursor(rank, block, scenario::iterations);
        this.raised = raised;
        this.memory = memory;
        this.port = port;
        agent.bind(this);
    }

    /** The channel ends of a type that has signals. */
    ChannelEnds ends(ChannelType type) {
        return switch (type) {
            case MEMORY -> memory;
            case PORT -> port;
            case SWITCH -> throw new IllegalStateException("switch channels have no signals");
        };
    }

    Agent agent() {
        return agent;
    }

    int rank() {
        return rank;
    }

    ThreadBlock threadBlock() {
        return block;
    }

    /** The position of the block. */
    BlockCursor cursor() {
        return cursor;
    }

    /** Whether the current operation is a relaxed signal that engines raise to a full one. */
    boolean isRaised() {
        return !raised.isEmpty() && raised.contains(cursor.address());
    }

    /** The next operation; null at the end. */
    @Nullable
    Operation current() {
        return cursor.current();
    }

    void advance() {
        done = 0;
        claimed = 0;
        waitsFor = null;
        cursor.advance();
    }

    int done() {
        return done;
    }

    void completeOne() {
        done++;
    }

    int claimed() {
        return claimed;
    }

    /** Claims a count of the next channel of the current wait. */
    void claim(int count) {
        if (claimed == claims.length) {
            claims = Arrays.copyOf(claims, 2 * claims.length);
        }
        claims[claimed++] = count;
    }

    /** The claimed count of the channel under wait. */
    int claim() {
        return claims[done];
    }

    /** Grants this block its turn. */
    void grant() {
        turn = true;
    }

    /** Whether the block has a turn; consumes it. */
    boolean takeTurn() {
        boolean had = turn;
        turn = false;
        return had;
    }

    void restart() {
        cursor.restart();
        done = 0;
        claimed = 0;
        turn = false;
        waitsFor = null;
        acquired.clear();
    }

    /**
     * Acquires what a packet releases: the clock before its writer's launch, and the reads before the packet. A clock
     * is acquired once.
     */
    void acquirePacket(VectorClock begin, VectorClock released) {
        if (acquired.add(begin)) {
            agent.acquire(begin);
        }
        if (acquired.add(released)) {
            agent.acquireReads(released);
        }
    }

    void waitFor(Supplier<String> what) {
        waitsFor = what;
    }

    @Nullable
    String waitsFor() {
        return waitsFor == null ? null : waitsFor.get();
    }
}

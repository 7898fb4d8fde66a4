package org.mscclj.plan.verify;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Operation;
import org.mscclj.plan.OperationAddress;
import org.mscclj.plan.ThreadBlock;
import org.mscclj.plan.walk.BlockCursor;

/** A thread block on its way through its operations. */
final class Block {
    private final Agent agent;
    private final int rank;
    private final ThreadBlock block;
    private final Set<OperationAddress> raised;
    private final Ends memory;
    private final Ends port;
    private final BlockCursor cursor;

    /** How many of an operation's channels or semaphores are done. */
    private int done;

    /** The counts that a wait has claimed, one for each of its channels, and how many it has. */
    private int[] claims = new int[1];

    private int claimed;

    /** Whether it is its turn to claim from a counter for which others wait too. */
    private boolean turn;

    private final Set<Knowledge> heard = new HashSet<>();

    /** What it waits for, in words; nothing while it runs. */
    private @Nullable Supplier<String> waitsFor;

    /**
     * A block before its first operation.
     *
     * @param scenario how often pipelines run
     * @param raised relaxed signals that engines raise
     * @param memory its memory channels
     * @param port its port channels
     */
    Block(
            Agent agent,
            int rank,
            ThreadBlock block,
            Scenario scenario,
            Set<OperationAddress> raised,
            Ends memory,
            Ends port) {
        this.agent = agent;
        this.rank = rank;
        this.block = block;
        this.cursor = new BlockCursor(rank, block, scenario::iterations);
        this.raised = raised;
        this.memory = memory;
        this.port = port;
        agent.is(this);
    }

    /** The channels of a type, which has signals. */
    Ends ends(ChannelType type) {
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

    /** Where it stands. */
    BlockCursor cursor() {
        return cursor;
    }

    /** Whether the operation is a relaxed signal that engines raise. */
    boolean isRaised() {
        return !raised.isEmpty() && raised.contains(cursor.address());
    }

    /** The operation to do next; none at the end. */
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

    void oneMoreDone() {
        done++;
    }

    int claimed() {
        return claimed;
    }

    /** The operation waits for this count of its next channel. */
    void claim(int count) {
        if (claimed == claims.length) {
            claims = Arrays.copyOf(claims, 2 * claims.length);
        }
        claims[claimed++] = count;
    }

    /** What was claimed of the channel that is waited for. */
    int claim() {
        return claims[done];
    }

    /** It is its turn. */
    void grant() {
        turn = true;
    }

    /** Whether it is its turn, once. */
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
        heard.clear();
    }

    /** Hears what a packet tells: what preceded its writer's launch, and the reads before it. Once is enough. */
    void hearPacket(Knowledge begin, Knowledge told) {
        if (heard.add(begin)) {
            agent.hear(begin);
        }
        if (heard.add(told)) {
            agent.hearReads(told);
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

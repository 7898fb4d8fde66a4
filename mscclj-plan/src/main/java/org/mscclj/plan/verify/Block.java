package org.mscclj.plan.verify;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mscclj.plan.Operation;
import org.mscclj.plan.OperationAddress;
import org.mscclj.plan.ThreadBlock;

/** A thread block on its way through its operations. */
final class Block {
    private static final int NO_INNER = -1;

    private final Agent agent;
    private final int rank;
    private final ThreadBlock block;
    private final Set<OperationAddress> raised;
    private int position;
    private int iteration;
    private int inner;

    /** How many of an operation's channels or semaphores are done. */
    private int done;

    private final Set<Knowledge> heard = new HashSet<>();

    /** What it waits for, in words; nothing while it runs. */
    private @Nullable String waitsFor;

    Block(Agent agent, int rank, ThreadBlock block, Set<OperationAddress> raised) {
        this.agent = agent;
        this.rank = rank;
        this.block = block;
        this.raised = raised;
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

    int iteration() {
        return iteration;
    }

    int position() {
        return position;
    }

    int inner() {
        return block.operations().get(position) instanceof Operation.Pipeline ? inner : NO_INNER;
    }

    boolean isInPipeline() {
        return inner() != NO_INNER;
    }

    /** Whether the operation is a relaxed signal that engines raise. */
    boolean isRaised() {
        return !raised.isEmpty() && raised.contains(address());
    }

    OperationAddress address() {
        return isInPipeline()
                ? OperationAddress.inPipeline(rank, block.id(), position, inner)
                : OperationAddress.of(rank, block.id(), position);
    }

    /** The operation to do next; none at the end. */
    @Nullable
    Operation current(IterationCount iterations) {
        List<Operation> operations = block.operations();
        while (position < operations.size()) {
            if (!(operations.get(position) instanceof Operation.Pipeline pipeline)) {
                return operations.get(position);
            }
            if (inner < pipeline.operations().size()) {
                return pipeline.operations().get(inner);
            }
            inner = 0;
            iteration++;
            if (iteration >= iterations.of(pipeline) || pipeline.operations().isEmpty()) {
                iteration = 0;
                position++;
            }
        }
        return null;
    }

    /** How often pipelines run. */
    @FunctionalInterface
    interface IterationCount {
        int of(Operation.Pipeline pipeline);
    }

    void advance() {
        done = 0;
        waitsFor = null;
        if (block.operations().get(position) instanceof Operation.Pipeline) {
            inner++;
        } else {
            position++;
        }
    }

    int done() {
        return done;
    }

    void oneMoreDone() {
        done++;
    }

    void restart() {
        position = 0;
        iteration = 0;
        inner = 0;
        done = 0;
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

    void waitFor(String what) {
        waitsFor = what;
    }

    @Nullable
    String waitsFor() {
        return waitsFor;
    }
}

package org.mscclj.backend.host.engine;

import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * A rank's part of a plan, compiled for calls of one type and operation. All launches of such calls share the blocks:
 * launches of a communicator follow one another, so that one at a time runs them.
 */
final class CompiledPlan implements AutoCloseable {
    private final StepMemory memory = new StepMemory();
    private final MappedNeeds needs = new MappedNeeds();
    private final BlockRun[] blocks;

    /**
     * Calls with equal programs.
     *
     * @param type the type of the elements
     * @param op the operation
     */
    record Key(DataType type, ReduceOp.Kind op) {}

    CompiledPlan(HostContext context, Key key) {
        try {
            this.blocks = BlockRun.of(new ProgramCompiler(context, key.type(), key.op(), memory, needs).compile());
        } catch (RuntimeException | Error e) {
            memory.close();
            throw e;
        }
    }

    BlockRun[] blocks() {
        return blocks;
    }

    /** The buffers that launches must have mapped. */
    MappedNeeds needs() {
        return needs;
    }

    /** Frees the memory of the steps. All launches must have ended. */
    @Override
    public void close() {
        memory.close();
    }
}

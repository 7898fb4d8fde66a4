package org.mscclj.plan.program;

import org.mscclj.api.type.Collective;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.sketch.PlanSketch;

/** Puts the blocks of all ranks of a program together. */
final class Programs {
    private Programs() {}

    /**
     * The memory of a program.
     *
     * @param chunksPerSlice chunks of a slice
     * @param scratchChunks scratch slots of each rank
     * @param doubleScratch whether neighbouring launches use different halves of scratch
     */
    record Memory(int chunksPerSlice, int scratchChunks, boolean doubleScratch) {
        static Memory withoutScratch(int chunksPerSlice) {
            return new Memory(chunksPerSlice, 0, false);
        }

        /** A chunk for each slice. */
        static Memory twice(int scratchChunks) {
            return new Memory(1, scratchChunks, true);
        }
    }

    static Plan build(String name, Protocol protocol, Memory memory, ProgramSpec spec, RankBlock.Writer writer) {
        Collective collective = spec.collective();
        PlanSketch plan = new PlanSketch(spec.planName(name), collective, protocol, spec.inPlace(), spec.ranks())
                .chunks(
                        memory.chunksPerSlice() * collective.inputSlices(spec.ranks()),
                        memory.chunksPerSlice() * collective.outputSlices(spec.ranks()),
                        memory.scratchChunks());
        if (memory.doubleScratch()) {
            plan.doubleScratch();
        }
        for (int rank = 0; rank < spec.ranks(); rank++) {
            for (int block = 0; block < spec.blocks(); block++) {
                writer.write(new RankBlock(spec, rank, plan.block(rank, new BlockShare(block, spec.blocks()))));
            }
        }
        return plan.build();
    }

    /** A program that moves data as it is. */
    static Plan simple(String name, Memory memory, ProgramSpec spec, RankBlock.Writer writer) {
        return build(name, Protocol.SIMPLE, memory, spec, writer);
    }

    /** With one rank, every collective is a copy; in place it is nothing. */
    static Plan alone(String name, ProgramSpec spec) {
        return simple(name, Memory.withoutScratch(1), spec, block -> {
            block.keep(0, 0);
            block.sketch().nop();
        });
    }
}

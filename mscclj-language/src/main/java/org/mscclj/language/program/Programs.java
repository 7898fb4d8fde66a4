package org.mscclj.language.program;

import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.mscclj.language.AlgoSpec;
import org.mscclj.language.Buffer;
import org.mscclj.language.CollectiveProgram;
import org.mscclj.language.ProgramBuilder;
import org.mscclj.language.ProgramCollective;
import org.mscclj.language.ThreadBlockGroup;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;

/** Builds plans from the blocks of all ranks. */
final class Programs {
    private Programs() {}

    /**
     * The memory of a program.
     *
     * @param protocol what scratch holds
     * @param chunksPerSlice chunks of a slice
     * @param scratchChunks scratch slots of each rank
     * @param doubleScratch whether consecutive launches use different halves of scratch
     */
    record Memory(Protocol protocol, int chunksPerSlice, int scratchChunks, boolean doubleScratch) {
        /** The granularity of chunks, in bytes: in lines, that of a line with twice the bytes of its payload. */
        int alignment() {
            return protocol == Protocol.LL128 ? 64 : 16;
        }

        static Memory withoutScratch(int chunksPerSlice) {
            return once(chunksPerSlice, 0);
        }

        static Memory once(int chunksPerSlice, int scratchChunks) {
            return new Memory(Protocol.SIMPLE, chunksPerSlice, scratchChunks, false);
        }

        /** One chunk in each slice, and two halves of scratch. */
        static Memory twice(int scratchChunks) {
            return new Memory(Protocol.SIMPLE, 1, scratchChunks, true);
        }

        static Memory packets(Protocol protocol, int chunksPerSlice, int scratchChunks) {
            return new Memory(protocol, chunksPerSlice, scratchChunks, true);
        }
    }

    /**
     * A group of blocks of each rank that divides every range it handles.
     *
     * @param blocks number of blocks
     * @param writer records the operations of each block
     */
    record BlockGroup(int blocks, RankBlock.Writer writer) {}

    /** A plan whose blocks synchronise their threads where the program says so or a data dependency requires it. */
    static Plan build(String name, Memory memory, ProgramSpec spec, RankBlock.Writer writer) {
        return build(algorithm(name, memory, spec), memory, spec, spec.blocks(), _ -> writer);
    }

    /** A plan whose blocks are divided into groups, in this order. */
    static Plan build(String name, Memory memory, ProgramSpec spec, List<BlockGroup> groups) {
        return buildGroups(algorithm(name, memory, spec), memory, spec, _ -> groups);
    }

    /** A specification to refine. */
    static AlgoSpec.Builder algorithm(String name, Memory memory, ProgramSpec spec) {
        ProgramCollective collective =
                new ProgramCollective(spec.collective(), spec.ranks(), memory.chunksPerSlice(), spec.inPlace());
        AlgoSpec.Builder algorithm = AlgoSpec.builder(spec.planName(name), collective)
                .protocol(memory.protocol())
                .bufferAlignment(memory.alignment())
                .doubleScratch(memory.doubleScratch())
                .boundedFusion(spec.bounded());
        return spec.threads() == 0 ? algorithm : algorithm.threadsPerBlock(spec.threads());
    }

    /**
     * A plan.
     *
     * @param algorithm the specification
     * @param blocks thread blocks of each rank
     * @param writer records the operations of the blocks after their shared resources are declared
     */
    static Plan build(
            AlgoSpec.Builder algorithm,
            Memory memory,
            ProgramSpec spec,
            int blocks,
            Function<ProgramBuilder, RankBlock.Writer> writer) {
        return buildGroups(algorithm, memory, spec, program -> List.of(new BlockGroup(blocks, writer.apply(program))));
    }

    private static Plan buildGroups(
            AlgoSpec.Builder algorithm,
            Memory memory,
            ProgramSpec spec,
            Function<ProgramBuilder, List<BlockGroup>> groups) {
        return CollectiveProgram.define(algorithm.build(), program -> {
                    List<Buffer> scratch = IntStream.range(0, spec.ranks())
                            .mapToObj(rank -> program.scratch(rank, memory.scratchChunks()))
                            .toList();
                    List<BlockGroup> declared = groups.apply(program);
                    for (int rank = 0; rank < spec.ranks(); rank++) {
                        int first = 0;
                        for (BlockGroup group : declared) {
                            ThreadBlockGroup share = blocks(first, group.blocks());
                            for (int block : share.blocks()) {
                                group.writer().write(new RankBlock(spec, program, scratch, rank, block, share));
                            }
                            first += group.blocks();
                        }
                    }
                })
                .compile();
    }

    private static ThreadBlockGroup blocks(int first, int count) {
        return ThreadBlockGroup.of(IntStream.range(first, first + count).boxed().toList());
    }

    /** The plan for one rank, for which every collective is a copy out of place, and empty in place. */
    static Plan alone(String name, ProgramSpec spec) {
        return build(name, Memory.withoutScratch(1), spec, block -> {
            block.keep(0, 0);
            block.nop();
        });
    }
}

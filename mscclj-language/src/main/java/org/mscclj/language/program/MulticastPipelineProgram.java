package org.mscclj.language.program;

import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.language.AlgoSpec;
import org.mscclj.language.Buffer;
import org.mscclj.language.Chunk;
import org.mscclj.language.CollectiveProgram;
import org.mscclj.language.MemoryChannel;
import org.mscclj.language.ProgramBuilder;
import org.mscclj.language.Rank;
import org.mscclj.language.Semaphore;
import org.mscclj.language.SwitchChannel;
import org.mscclj.language.SyncType;
import org.mscclj.language.program.Programs.Memory;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.Plan;

/**
 * The allreduce of {@link MulticastProgram} as a pipeline: in units, one block of three copies into scratch, one lets
 * the switch reduce and store, and one copies the results out, so that copies and the switch are busy at once.
 */
final class MulticastPipelineProgram {
    private static final int STAGES = 3;
    private static final int UNIT = 64 << 10;

    private MulticastPipelineProgram() {}

    static Plan plan(String name, ProgramSpec spec) {
        Memory memory = Memory.once(spec.ranks(), spec.ranks());
        AlgoSpec algorithm = Programs.algorithm(name, memory, spec)
                .instances(Math.max(1, spec.blocks() / STAGES))
                .build();
        return CollectiveProgram.define(algorithm, program -> {
                    SwitchChannel multicast = program.switchChannel(MulticastProgram.all(spec), BufferType.SCRATCH);
                    List<Buffer> scratch = program.ranks().stream()
                            .map(rank -> program.scratch(rank.id(), spec.ranks()))
                            .toList();
                    program.ranks()
                            .forEach(rank -> new Stages(program, rank, scratch.get(rank.id()), multicast).write());
                })
                .compile();
    }

    /** The three blocks of a rank. */
    private static final class Stages {
        private static final int COPY_IN = 0;
        private static final int REDUCE = 1;
        private static final int COPY_OUT = 2;

        private final ProgramBuilder program;
        private final Rank rank;
        private final int ranks;
        private final Buffer scratch;
        private final SwitchChannel.Member multicast;
        private final List<MemoryChannel> copied;
        private final List<MemoryChannel> reduced;
        private final Semaphore mayReduce;
        private final Semaphore mayCopy;

        Stages(ProgramBuilder program, Rank rank, Buffer scratch, SwitchChannel multicast) {
            this.program = program;
            this.rank = rank;
            this.ranks = program.ranks().size();
            this.scratch = scratch;
            this.multicast = multicast.atRank(rank.id());
            this.copied = channels();
            this.reduced = channels();
            this.mayReduce = program.semaphore(rank.id(), 0);
            this.mayCopy = program.semaphore(rank.id(), 0);
        }

        private List<MemoryChannel> channels() {
            return IntStream.range(1, ranks)
                    .mapToObj(distance -> program.memoryChannel((rank.id() + distance) % ranks, rank.id()))
                    .toList();
        }

        void write() {
            program.pipeline(UNIT, 1, () -> {
                for (int chunk = 0; chunk < ranks; chunk++) {
                    rank.copy(scratch.chunk(chunk), rank.input().chunk(chunk), COPY_IN);
                }
                signal(copied, COPY_IN);
                await(copied, COPY_IN);
                mayReduce.release(COPY_IN);
                mayReduce.acquire(REDUCE, SyncType.AFTER);
                Chunk own = scratch.chunk(rank.id());
                multicast.reduce(rank.id(), 1, own, REDUCE);
                multicast.broadcast(own, rank.id(), 1, REDUCE);
                signal(reduced, REDUCE);
                mayCopy.release(REDUCE);
                mayCopy.acquire(COPY_OUT);
                await(reduced, COPY_OUT);
                for (int chunk = 0; chunk < ranks; chunk++) {
                    rank.copy(rank.output().chunk(chunk), scratch.chunk(chunk), COPY_OUT);
                }
            });
        }

        private void signal(List<MemoryChannel> channels, int block) {
            channels.getFirst().signal(block, SyncType.BEFORE);
            channels.subList(1, channels.size()).forEach(channel -> channel.signal(block, SyncType.NONE));
        }

        private void await(List<MemoryChannel> channels, int block) {
            channels.subList(1, channels.size()).forEach(channel -> channel.await(block, SyncType.NONE));
            channels.getFirst().await(block, SyncType.AFTER);
        }
    }
}

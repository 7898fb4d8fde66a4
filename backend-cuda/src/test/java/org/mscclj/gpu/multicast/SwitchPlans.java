package org.mscclj.gpu.multicast;

import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.mscclj.api.type.Collective;
import org.mscclj.language.AlgoSpec;
import org.mscclj.language.Buffer;
import org.mscclj.language.Chunk;
import org.mscclj.language.CollectiveProgram;
import org.mscclj.language.MemoryChannel;
import org.mscclj.language.ProgramBuilder;
import org.mscclj.language.ProgramCollective;
import org.mscclj.language.Rank;
import org.mscclj.language.SwitchChannel;
import org.mscclj.language.SyncType;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;

/** Plans with switch channels: each kind of operation, on each kind of buffer. */
enum SwitchPlans {
    /** The shipped program: reduces and stores in scratch. */
    SCRATCH {
        @Override
        Plan plan(int ranks, int blocks) {
            return ShippedProgram.MULTICAST.plan(
                    ProgramSpec.of(Collective.ALLREDUCE, ranks).blocks(blocks));
        }
    },

    /** Reduces and stores in the input, in place. */
    INPUT {
        @Override
        Plan plan(int ranks, int blocks) {
            return compile(ProgramCollective.allReduce(ranks, 1, true), blocks, spec -> spec, program -> {
                SwitchChannel all = program.switchChannel(all(program), BufferType.INPUT);
                exchange(program, () -> {
                    for (Rank rank : program.ranks()) {
                        Chunk own = rank.input().chunk(rank.id());
                        all.atRank(rank.id()).reduce(rank.id(), 1, own, 0);
                        all.atRank(rank.id()).broadcast(own, rank.id(), 1, 0);
                    }
                });
            });
        }
    },

    /** Stores in the output. */
    OUTPUT {
        @Override
        Plan plan(int ranks, int blocks) {
            return compile(ProgramCollective.allGather(ranks, 1, false), blocks, spec -> spec, program -> {
                SwitchChannel all = program.switchChannel(all(program), BufferType.OUTPUT);
                exchange(program, () -> {
                    for (Rank rank : program.ranks()) {
                        all.atRank(rank.id()).broadcast(rank.input().chunk(0), rank.id(), 1, 0);
                    }
                });
            });
        }
    },

    /** Stores packets, in halves of scratch that take turns. */
    PACKETS {
        @Override
        Plan plan(int ranks, int blocks) {
            return packets(ranks, blocks, 0);
        }
    },

    /** The same, where the second half of scratch begins at another position on each rank. */
    UNEQUAL_HALVES {
        @Override
        Plan plan(int ranks, int blocks) {
            return packets(ranks, blocks, 2);
        }
    },

    /** Reduces and stores in the input, in units of 1 KiB. */
    PIPELINE {
        @Override
        Plan plan(int ranks, int blocks) {
            return compile(ProgramCollective.allReduce(ranks, 1, true), blocks, spec -> spec, program -> {
                SwitchChannel all = program.switchChannel(all(program), BufferType.INPUT);
                exchange(
                        program,
                        () -> program.pipeline(1 << 10, 1, () -> {
                            for (Rank rank : program.ranks()) {
                                Chunk own = rank.input().chunk(rank.id());
                                all.atRank(rank.id()).reduce(rank.id(), 1, own, 0);
                                all.atRank(rank.id()).broadcast(own, rank.id(), 1, 0);
                            }
                        }));
            });
        }
    };

    /** The plan, whose program has one block for each of its instances. */
    abstract Plan plan(int ranks, int blocks);

    /** Whether it is an allgather; otherwise it is an allreduce. */
    boolean gathers() {
        return this == OUTPUT || this == PACKETS || this == UNEQUAL_HALVES;
    }

    /** Whether the result is in the input. */
    boolean isInPlace() {
        return this == INPUT || this == PIPELINE;
    }

    /** An allgather by packets; each rank has more chunks of scratch than the one before it. */
    Plan packets(int ranks, int blocks, int more) {
        UnaryOperator<AlgoSpec.Builder> options =
                spec -> spec.protocol(Protocol.LL).doubleScratch(true);
        return compile(ProgramCollective.allGather(ranks, 1, false), blocks, options, program -> {
            List<Buffer> scratch = IntStream.range(0, ranks)
                    .mapToObj(rank -> program.scratch(rank, ranks + 1 + more * rank))
                    .toList();
            SwitchChannel all = program.switchChannel(all(program), BufferType.SCRATCH);
            for (Rank rank : program.ranks()) {
                Buffer own = scratch.get(rank.id());
                rank.copyPackets(own.chunk(ranks), rank.input().chunk(0), 0);
                all.atRank(rank.id()).broadcastPackets(own.chunk(ranks), rank.id(), 1, 0);
                for (int chunk = 0; chunk < ranks; chunk++) {
                    rank.unpackPackets(rank.output().chunk(chunk), own.chunk(chunk), 0);
                }
            }
        });
    }

    Plan compile(
            ProgramCollective collective,
            int blocks,
            UnaryOperator<AlgoSpec.Builder> options,
            Consumer<ProgramBuilder> definition) {
        AlgoSpec.Builder spec = AlgoSpec.builder("switch_" + name().toLowerCase(Locale.ROOT), collective)
                .instances(blocks);
        return CollectiveProgram.define(options.apply(spec).build(), definition).compile();
    }

    static List<Integer> all(ProgramBuilder program) {
        return program.ranks().stream().map(Rank::id).toList();
    }

    /** All ranks signal each other before and after some operations of their blocks 0. */
    static void exchange(ProgramBuilder program, Runnable operations) {
        List<List<MemoryChannel>> channels = program.ranks().stream()
                .map(rank -> all(program).stream()
                        .filter(peer -> peer != rank.id())
                        .map(peer -> program.memoryChannel(peer, rank.id()))
                        .toList())
                .toList();
        signals(channels);
        operations.run();
        signals(channels);
    }

    private static void signals(List<List<MemoryChannel>> channels) {
        for (List<MemoryChannel> own : channels) {
            own.forEach(channel -> channel.signal(0, SyncType.BEFORE));
            own.forEach(channel -> channel.await(0, SyncType.AFTER));
        }
    }
}

package org.mscclj.backend.host.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.language.AlgoSpec;
import org.mscclj.language.Buffer;
import org.mscclj.language.CollectiveProgram;
import org.mscclj.language.MemoryChannel;
import org.mscclj.language.ProgramBuilder;
import org.mscclj.language.ProgramCollective;
import org.mscclj.language.Rank;
import org.mscclj.language.Semaphore;
import org.mscclj.language.SyncType;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.json.PlanReader;

/**
 * Plans to make mutants of: generated ones, with pipelines, credits, rings of packets and instances; shipped programs;
 * and files.
 */
final class StudyPlans {
    /** Larger plans take too long to run in many orders. */
    private static final int MAX_OPERATIONS = 160;

    private static final int UNIT = Operation.Pipeline.UNIT;

    private final Map<String, Plan> plans = new LinkedHashMap<>();

    private StudyPlans() {}

    /** Generated and shipped plans, and those of a folder. */
    static Map<String, Plan> all(List<Path> folders) throws IOException {
        StudyPlans study = new StudyPlans();
        study.generated();
        study.shipped();
        for (Path folder : folders) {
            study.files(folder);
        }
        return study.plans;
    }

    private void add(String name, Plan plan) {
        Plan small = withSmallUnits(plan);
        long operations = small.ranks().stream()
                .flatMap(rank -> rank.threadBlocks().stream())
                .mapToLong(block -> block.operations().size())
                .sum();
        if (SteppedRanks.supports(small) && operations <= MAX_OPERATIONS) {
            plans.put(name, small);
        }
    }

    /** Pipelines go round several times with few bytes. */
    private static Plan withSmallUnits(Plan plan) {
        long least = plan.ranks().stream()
                .flatMap(rank -> rank.threadBlocks().stream())
                .flatMap(block -> block.operations().stream())
                .filter(Operation.Pipeline.class::isInstance)
                .mapToLong(operation -> ((Operation.Pipeline) operation).unitSize())
                .min()
                .orElse(UNIT);
        return PlanEdits.eachOperation(
                plan,
                operation -> operation instanceof Operation.Pipeline pipeline
                        ? new Operation.Pipeline(
                                Math.max(1, pipeline.unitSize() / least) * UNIT,
                                pipeline.chunks(),
                                pipeline.operations())
                        : operation);
    }

    private void files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(one -> one.toString().endsWith(".json"))
                    .sorted(Comparator.comparing(Path::toString))
                    .toList()) {
                try {
                    add(file.getFileName().toString(), PlanReader.read(file));
                } catch (InvalidArgumentException e) {
                    // no plan
                }
            }
        }
    }

    private void shipped() {
        for (ShippedProgram program : ShippedProgram.values()) {
            for (Collective collective : List.of(
                    Collective.ALLREDUCE, Collective.ALLGATHER, Collective.REDUCESCATTER, Collective.ALLTOALL)) {
                for (int ranks = 2; ranks <= 4; ranks++) {
                    for (int blocks = 1; blocks <= 2; blocks++) {
                        boolean levels = program == ShippedProgram.TWO_LEVEL;
                        boolean inPlace = (ranks + blocks) % 2 == 0;
                        ProgramSpec spec = ProgramSpec.of(collective, ranks)
                                .ranksPerNode(levels ? Math.max(1, ranks / 2) : ranks)
                                .inPlace(inPlace)
                                .blocks(blocks);
                        if (program.refusal(spec).isEmpty()) {
                            add(program.label() + " " + spec, program.plan(spec));
                        }
                    }
                }
            }
        }
    }

    private void generated() {
        for (int instances = 1; instances <= 3; instances++) {
            for (int ranks = 2; ranks <= 4; ranks++) {
                for (int factor = 1; factor <= 2; factor++) {
                    define(ProgramCollective.allGather(ranks, factor, false), instances, false, StudyPlans::puts);
                    define(ProgramCollective.allGather(ranks, factor, false), instances, true, StudyPlans::packetRing);
                    define(
                            ProgramCollective.allGather(ranks, factor, false),
                            instances,
                            false,
                            StudyPlans::pipelinedPuts);
                    define(ProgramCollective.allReduce(ranks, factor, false), instances, false, StudyPlans::reads);
                    define(
                            ProgramCollective.allReduce(ranks, factor, false),
                            instances,
                            true,
                            StudyPlans::reducedPackets);
                }
            }
        }
        for (int credits = 1; credits <= 4; credits++) {
            int most = credits;
            for (int chunks = 1; chunks <= 2; chunks++) {
                ProgramCollective alone = ProgramCollective.allReduce(1, chunks, false);
                define("credits" + most, alone, 1, false, program -> stages(program, most, 2));
                define("stages" + most, alone, 1, false, program -> stages(program, most, 3));
                define("locks" + most, alone, 1, false, program -> locks(program, most, 3));
                define("credits of two" + most, alone, 2, false, program -> stages(program, most, 2));
            }
        }
    }

    private void define(
            ProgramCollective collective, int instances, boolean packets, Consumer<ProgramBuilder> definition) {
        define("generated" + plans.size(), collective, instances, packets, definition);
    }

    private void define(
            String name,
            ProgramCollective collective,
            int instances,
            boolean packets,
            Consumer<ProgramBuilder> definition) {
        String whole = name + " " + collective.type() + " ranks=" + collective.ranks() + " chunks="
                + collective.chunksPerSlice() + " instances=" + instances;
        add(
                whole,
                CollectiveProgram.define(
                                AlgoSpec.builder(whole, collective)
                                        .instances(instances)
                                        .protocol(packets ? Protocol.LL : Protocol.SIMPLE)
                                        .doubleScratch(packets)
                                        .build(),
                                definition)
                        .compile());
    }

    private static List<Rank> peers(ProgramBuilder program, Rank rank) {
        return program.ranks().stream().filter(peer -> peer.id() != rank.id()).toList();
    }

    private static int factor(ProgramBuilder program) {
        return program.spec().collective().chunksPerSlice();
    }

    private static void ownPart(ProgramBuilder program, Rank rank, int block) {
        for (int i = 0; i < factor(program); i++) {
            rank.copy(
                    rank.output().chunk(rank.id() * factor(program) + i),
                    rank.input().chunk(i),
                    block);
        }
    }

    private static void puts(ProgramBuilder program) {
        for (Rank rank : program.ranks()) {
            ownPart(program, rank, 0);
            for (Rank peer : peers(program, rank)) {
                MemoryChannel channel = program.memoryChannel(peer.id(), rank.id());
                channel.relaxedSignal(0);
                channel.relaxedAwait(0, SyncType.AFTER);
                for (int i = 0; i < factor(program); i++) {
                    channel.put(
                            peer.output().chunk(rank.id() * factor(program) + i),
                            rank.input().chunk(i),
                            0);
                }
                channel.signal(0, SyncType.BEFORE);
                channel.await(0, SyncType.AFTER);
            }
        }
    }

    private static void pipelinedPuts(ProgramBuilder program) {
        int factor = factor(program);
        for (Rank rank : program.ranks()) {
            ownPart(program, rank, 0);
            int block = 1;
            for (Rank peer : peers(program, rank)) {
                int own = block++;
                MemoryChannel channel = program.memoryChannel(peer.id(), rank.id());
                channel.relaxedSignal(own);
                channel.relaxedAwait(own, SyncType.AFTER);
                program.pipeline(UNIT, 1, () -> {
                    for (int i = 0; i < factor; i++) {
                        channel.put(
                                peer.output().chunk(rank.id() * factor + i),
                                rank.input().chunk(i),
                                own);
                    }
                    channel.signal(own, SyncType.BEFORE);
                    channel.await(own, SyncType.AFTER);
                });
            }
        }
    }

    private static void packetRing(ProgramBuilder program) {
        int ranks = program.ranks().size();
        int factor = factor(program);
        List<Buffer> scratch = program.ranks().stream()
                .map(rank -> program.scratch(rank.id(), ranks * factor))
                .toList();
        for (Rank rank : program.ranks()) {
            int next = (rank.id() + 1) % ranks;
            MemoryChannel channel = program.memoryChannel(next, rank.id());
            Buffer own = scratch.get(rank.id());
            Buffer of = scratch.get(next);
            ownPart(program, rank, 0);
            for (int i = 0; i < factor; i++) {
                channel.putPackets(
                        of.chunk(rank.id() * factor + i), rank.input().chunk(i), 0);
            }
            for (int hop = 1; hop < ranks; hop++) {
                int part = (rank.id() - hop + ranks) % ranks;
                for (int i = 0; i < factor; i++) {
                    int chunk = part * factor + i;
                    if (hop < ranks - 1) {
                        channel.readPutPackets(of.chunk(chunk), own.chunk(chunk), 0);
                    }
                    rank.unpackPackets(rank.output().chunk(chunk), own.chunk(chunk), 0);
                }
            }
        }
    }

    private static void reads(ProgramBuilder program) {
        for (Rank rank : program.ranks()) {
            List<MemoryChannel> channels = peers(program, rank).stream()
                    .map(peer -> program.memoryChannel(peer.id(), rank.id()))
                    .toList();
            for (MemoryChannel channel : channels) {
                channel.relaxedSignal(0);
            }
            for (MemoryChannel channel : channels) {
                channel.relaxedAwait(0, SyncType.AFTER);
            }
            for (int i = 0; i < factor(program); i++) {
                int chunk = i;
                rank.copy(rank.output().chunk(chunk), rank.input().chunk(chunk), 0);
                for (int k = 0; k < channels.size(); k++) {
                    Rank peer = peers(program, rank).get(k);
                    channels.get(k)
                            .reduce(
                                    rank.output().chunk(chunk),
                                    List.of(peer.input().chunk(chunk)),
                                    0);
                }
            }
            for (MemoryChannel channel : channels) {
                channel.relaxedSignal(0, SyncType.BEFORE);
            }
            for (MemoryChannel channel : channels) {
                channel.relaxedAwait(0);
            }
        }
    }

    private static void reducedPackets(ProgramBuilder program) {
        int ranks = program.ranks().size();
        int factor = factor(program);
        List<Buffer> scratch = program.ranks().stream()
                .map(rank -> program.scratch(rank.id(), ranks * factor))
                .toList();
        for (Rank rank : program.ranks()) {
            for (Rank peer : peers(program, rank)) {
                MemoryChannel channel = program.memoryChannel(peer.id(), rank.id());
                for (int i = 0; i < factor; i++) {
                    channel.putPackets(
                            scratch.get(peer.id()).chunk(rank.id() * factor + i),
                            rank.input().chunk(i),
                            0);
                }
            }
            for (int i = 0; i < factor; i++) {
                int chunk = i;
                rank.reducePackets(
                        rank.input().chunk(chunk),
                        peers(program, rank).stream()
                                .map(peer -> scratch.get(rank.id()).chunk(peer.id() * factor + chunk))
                                .toList(),
                        rank.output().chunk(chunk),
                        0);
            }
        }
    }

    /**
     * Blocks that pass on what pipelines move, from input through scratch to output, each so many iterations ahead of
     * the next at most.
     */
    private static void stages(ProgramBuilder program, int credits, int stages) {
        Rank rank = program.rank(0);
        int chunks = factor(program);
        List<Buffer> buffers = new ArrayList<>();
        List<Semaphore> free = new ArrayList<>();
        List<Semaphore> full = new ArrayList<>();
        for (int stage = 1; stage < stages; stage++) {
            buffers.add(program.scratch(0, chunks));
            free.add(program.semaphore(0, credits));
            full.add(program.semaphore(0, 0));
        }
        for (int stage = 0; stage < stages; stage++) {
            int block = stage;
            program.pipeline(UNIT, 1, () -> {
                if (block > 0) {
                    full.get(block - 1).acquire(block, SyncType.AFTER);
                }
                if (block < stages - 1) {
                    free.get(block).acquire(block, SyncType.AFTER);
                }
                for (int chunk = 0; chunk < chunks; chunk++) {
                    rank.copy(
                            block == stages - 1
                                    ? rank.output().chunk(chunk)
                                    : buffers.get(block).chunk(chunk),
                            block == 0
                                    ? rank.input().chunk(chunk)
                                    : buffers.get(block - 1).chunk(chunk),
                            block);
                }
                if (block < stages - 1) {
                    full.get(block).release(block, SyncType.BEFORE);
                }
                if (block > 0) {
                    free.get(block - 1).release(block, SyncType.BEFORE);
                }
            });
        }
    }

    private static void locks(ProgramBuilder program, int atATime, int blocks) {
        Rank rank = program.rank(0);
        int chunks = factor(program);
        Buffer scratch = program.scratch(0, blocks);
        Semaphore lock = program.semaphore(0, atATime);
        for (int block = 0; block < blocks; block++) {
            lock.acquire(block, SyncType.AFTER);
            for (int chunk = block; chunk < chunks; chunk += blocks) {
                rank.copy(rank.output().chunk(chunk), rank.input().chunk(chunk), block);
            }
            rank.copy(scratch.chunk(block), rank.input().chunk(0), block);
            lock.release(block, SyncType.BEFORE);
        }
    }
}

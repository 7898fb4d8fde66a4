package org.mscclj.language;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.Protocol;

/** Definitions with one mistake each, and the expected messages. */
final class Misuses {
    private Misuses() {}

    /**
     * One mistake.
     *
     * @param name name of the mistake
     * @param spec specification of the program
     * @param definition the definition with the mistake, and operations after it
     * @param site rank, block and operation, as in messages
     * @param words further parts of the message: chunks, and the rule
     */
    record Misuse(String name, AlgoSpec spec, Consumer<Line> definition, String site, List<String> words) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** A program under construction, and the position of the mistake in it. */
    static final class Line {
        final ProgramBuilder program;
        private boolean reached;
        private boolean passed;

        Line(ProgramBuilder program) {
            this.program = program;
        }

        /** Runs the wrong line. */
        void wrong(Runnable line) {
            reached = true;
            line.run();
            passed = true;
        }

        /** Whether the mistake was refused at its line, not before or later. */
        boolean refusedHere() {
            return reached && !passed;
        }

        Rank rank(int rank) {
            return program.rank(rank);
        }

        MemoryChannel channel() {
            return program.memoryChannel(1, 0);
        }

        PortChannel port() {
            return program.portChannel(1, 0);
        }

        SwitchChannel multicast(BufferType buffer) {
            return program.switchChannel(List.of(0, 1), buffer);
        }
    }

    private static AlgoSpec.Builder spec() {
        return AlgoSpec.builder("wrong", ProgramCollective.allReduce(2, 2, false));
    }

    private static AlgoSpec.Builder packets() {
        return spec().protocol(Protocol.LL);
    }

    private static AlgoSpec.Builder inPlace() {
        return AlgoSpec.builder("wrong", ProgramCollective.allGather(2, 2, true));
    }

    private static Chunk scratchOfAnotherProgram() {
        return new ProgramBuilder(AlgoSpec.builder("other", ProgramCollective.allReduce(2, 2, false))
                        .build())
                .scratch(0, 1)
                .chunk(0);
    }

    private static Misuse of(
            String name, AlgoSpec.Builder spec, String site, List<String> words, Consumer<Line> definition) {
        return new Misuse(name, spec.build(), definition, site, words);
    }

    /** All mistakes. */
    static Stream<Misuse> all() {
        return Stream.of(
                        declarations(),
                        channels(),
                        chunks(),
                        packetsAndPlain(),
                        overlaps(),
                        blocks(),
                        pipelines(),
                        switches())
                .flatMap(misuses -> misuses);
    }

    private static Stream<Misuse> declarations() {
        return Stream.of(
                of(
                        "rank that is not there",
                        spec(),
                        "rank is 2",
                        List.of("0 to 1"),
                        line -> line.wrong(() -> line.program.rank(2))),
                of(
                        "rank below 0",
                        spec(),
                        "rank is -1",
                        List.of("0 to 1"),
                        line -> line.wrong(() -> line.program.rank(-1))),
                of(
                        "scratch of no rank",
                        spec(),
                        "rank of a scratch buffer is 7",
                        List.of("0 to 1"),
                        line -> line.wrong(() -> line.program.scratch(7, 1))),
                of(
                        "scratch of less than nothing",
                        spec(),
                        "rank 1",
                        List.of("-1 chunks", "0 to"),
                        line -> line.wrong(() -> line.program.scratch(1, -1))),
                of(
                        "more scratch than can be counted",
                        spec().instances(2),
                        "rank 1",
                        List.of("0 to 1073741822"),
                        line -> {
                            line.program.scratch(1, 1);
                            line.wrong(() -> line.program.scratch(1, Integer.MAX_VALUE / 2));
                        }),
                of(
                        "semaphore of no rank",
                        spec(),
                        "rank of a semaphore is 2",
                        List.of("0 to 1"),
                        line -> line.wrong(() -> line.program.semaphore(2, 0))),
                of(
                        "semaphore below 0",
                        spec(),
                        "rank 0",
                        List.of("starts at -1", "0 or more"),
                        line -> line.wrong(() -> line.program.semaphore(0, -1))),
                of(
                        "memory channel to itself",
                        spec(),
                        "rank 1",
                        List.of("to itself", "two different ranks"),
                        line -> line.wrong(() -> line.program.memoryChannel(1, 1))),
                of(
                        "port channel to itself",
                        spec(),
                        "rank 0",
                        List.of("to itself", "two different ranks"),
                        line -> line.wrong(() -> line.program.portChannel(0, 0))),
                of(
                        "channel to a missing rank",
                        spec(),
                        "destination of a memory channel is 2",
                        List.of("0 to 1"),
                        line -> line.wrong(() -> line.program.memoryChannel(2, 0))),
                of(
                        "channel of a missing rank",
                        spec(),
                        "source of a port channel is -1",
                        List.of("0 to 1"),
                        line -> line.wrong(() -> line.program.portChannel(0, -1))),
                of(
                        "switch channel with a stranger",
                        spec(),
                        "member of a switch channel is 2",
                        List.of("0 to 1"),
                        line -> line.wrong(() -> line.program.switchChannel(List.of(0, 2), BufferType.INPUT))),
                of(
                        "switch channel with a member twice",
                        spec(),
                        "ranks [0, 0]",
                        List.of("distinct"),
                        line -> line.wrong(() -> line.program.switchChannel(List.of(0, 0), BufferType.INPUT))),
                of(
                        "switch channel without ranks",
                        spec(),
                        "ranks []",
                        List.of("one or more"),
                        line -> line.wrong(() -> line.program.switchChannel(List.of(), BufferType.INPUT))));
    }

    private static Stream<Misuse> channels() {
        return Stream.of(
                of(
                        "source of another rank",
                        spec(),
                        "rank 0, block 3, put to rank 1",
                        List.of("rank 1 i[0] is not of rank 0"),
                        line -> line.wrong(() -> line.channel()
                                .put(
                                        line.rank(1).output().chunk(0),
                                        line.rank(1).input().chunk(0),
                                        3))),
                of(
                        "destination of the rank itself",
                        spec(),
                        "rank 0, block 3, put to rank 1",
                        List.of("rank 0 o[0] is not of rank 1"),
                        line -> line.wrong(() -> line.channel()
                                .put(
                                        line.rank(0).output().chunk(0),
                                        line.rank(0).input().chunk(0),
                                        3))),
                of(
                        "get the wrong way round",
                        spec(),
                        "rank 0, block 3, get to rank 1",
                        List.of("rank 1 o[0] is not of rank 0"),
                        line -> line.wrong(() -> line.channel()
                                .get(
                                        line.rank(1).output().chunk(0),
                                        line.rank(0).input().chunk(0),
                                        3))),
                of(
                        "port put from another rank",
                        spec(),
                        "rank 0, block 3, put to rank 1",
                        List.of("rank 1 i[1] is not of rank 0"),
                        line -> line.wrong(() -> line.port()
                                .put(
                                        line.rank(1).output().chunk(0),
                                        line.rank(1).input().chunk(1),
                                        3))),
                of(
                        "reduction with chunks that are not the peer's",
                        spec(),
                        "rank 0, block 3, reduce to rank 1",
                        List.of("rank 0 i[1] is not of rank 1"),
                        line -> line.wrong(() -> line.channel()
                                .reduce(
                                        line.rank(0).output().chunk(0),
                                        List.of(line.rank(0).input().chunk(1)),
                                        3))),
                of(
                        "reduction with no chunk of the peer",
                        spec(),
                        "rank 0, block 3, reduce to rank 1",
                        List.of("nothing to reduce with", "one chunk or more"),
                        line -> line.wrong(() ->
                                line.channel().reduce(line.rank(0).output().chunk(0), List.of(), 3))));
    }

    private static Stream<Misuse> chunks() {
        return Stream.of(
                of(
                        "chunk past the end",
                        spec(),
                        "rank 0",
                        List.of("[4..5) of buffer i", "[0..4)"),
                        line -> line.wrong(() -> line.rank(0).input().chunk(4))),
                of(
                        "chunk below 0",
                        spec(),
                        "rank 1",
                        List.of("[-1..0) of buffer o", "[0..4)"),
                        line -> line.wrong(() -> line.rank(1).output().chunk(-1))),
                of(
                        "slice from its end to its start",
                        spec(),
                        "rank 1",
                        List.of("[2..1) of buffer o", "[0..4)"),
                        line -> line.wrong(() -> line.rank(1).output().slice(2, 1))),
                of(
                        "slice of no chunk",
                        spec(),
                        "rank 1",
                        List.of("[1..1) of buffer o", "one chunk or more within [0..4)"),
                        line -> line.wrong(() -> line.rank(1).output().slice(1, 1))),
                of(
                        "chunks past the end from one on",
                        spec(),
                        "rank 1",
                        List.of("3 chunks from rank 1 o[2] on", "1 to 2"),
                        line -> line.wrong(() -> line.rank(1).output().chunk(2).resized(3))),
                of(
                        "chunk of another program",
                        spec(),
                        "rank 0, block 1, copy",
                        List.of("rank 0 s[0] is of another program, other", "chunks of this one"),
                        line -> {
                            line.program.scratch(0, 1);
                            Chunk other = Misuses.scratchOfAnotherProgram();
                            line.wrong(() -> line.rank(0)
                                    .copy(other, line.rank(0).input().chunk(0), 1));
                        }),
                of(
                        "remote chunk of another program",
                        spec(),
                        "rank 1, block 0, reduce to rank 0",
                        List.of("rank 0 s[0] is of another program", "chunks of this one"),
                        line -> {
                            line.program.scratch(0, 1);
                            Chunk other = Misuses.scratchOfAnotherProgram();
                            MemoryChannel channel = line.program.memoryChannel(0, 1);
                            line.wrong(() -> channel.reduce(line.rank(1).input().chunk(0), List.of(other), 0));
                        }),
                of(
                        "chunk past the end of a part of scratch",
                        spec(),
                        "rank 0",
                        List.of("[1..2) of buffer s", "[0..1)"),
                        line -> {
                            Buffer first = line.program.scratch(0, 1);
                            line.program.scratch(0, 1);
                            line.wrong(() -> first.chunk(1));
                        }),
                of(
                        "chunk made by hand that is not there",
                        spec(),
                        "rank 0, block 1, copy",
                        List.of("rank 0 s[0] is not within the buffer", "0 chunks"),
                        line -> line.wrong(() -> line.rank(0)
                                .copy(
                                        line.rank(0).output().chunk(0),
                                        new Chunk(line.program.recorder(), 0, BufferType.SCRATCH, 0, 1),
                                        1))),
                of(
                        "chunk made by hand whose end cannot be counted",
                        spec(),
                        "rank 0, block 1, copy",
                        List.of("is not within the buffer", "4 chunks"),
                        line -> line.wrong(() -> line.rank(0)
                                .copy(
                                        line.rank(0).output().chunk(0),
                                        new Chunk(line.program.recorder(), 0, BufferType.INPUT, 1, Integer.MAX_VALUE),
                                        1))),
                of(
                        "copy of different size",
                        spec(),
                        "rank 0, block 1, copy",
                        List.of("rank 0 o[0] and rank 0 i[0..2) are of different size"),
                        line -> line.wrong(() -> line.rank(0)
                                .copy(
                                        line.rank(0).output().chunk(0),
                                        line.rank(0).input().slice(0, 2),
                                        1))),
                of(
                        "put of different size",
                        spec(),
                        "rank 0, block 1, put to rank 1",
                        List.of("rank 1 o[0..2) and rank 0 i[0] are of different size"),
                        line -> line.wrong(() -> line.channel()
                                .put(
                                        line.rank(1).output().slice(0, 2),
                                        line.rank(0).input().chunk(0),
                                        1))),
                of(
                        "get of different size",
                        spec(),
                        "rank 0, block 1, get to rank 1",
                        List.of("different size"),
                        line -> line.wrong(() -> line.channel()
                                .get(
                                        line.rank(0).output().slice(0, 2),
                                        line.rank(1).input().chunk(0),
                                        1))),
                of(
                        "reduction of different sizes",
                        spec(),
                        "rank 0, block 1, reduce",
                        List.of("different size"),
                        line -> line.wrong(() -> line.rank(0)
                                .reduce(
                                        line.rank(0).output().chunk(0),
                                        List.of(line.rank(0).input().slice(0, 2)),
                                        1))),
                of(
                        "reduction into a different size",
                        spec(),
                        "rank 0, block 1, reduce",
                        List.of("different size"),
                        line -> line.wrong(() -> line.rank(0)
                                .reduce(
                                        line.rank(0).input().chunk(0),
                                        List.of(line.rank(0).input().chunk(1)),
                                        line.rank(0).output().slice(0, 2),
                                        1))),
                of(
                        "reduction of a peer's chunk of different size",
                        spec(),
                        "rank 0, block 1, reduce to rank 1",
                        List.of("different size"),
                        line -> line.wrong(() -> line.channel()
                                .reduce(
                                        line.rank(0).output().chunk(0),
                                        List.of(line.rank(1).input().slice(0, 2)),
                                        1))),
                of(
                        "reduction of nothing",
                        spec(),
                        "rank 0, block 1, reduce",
                        List.of("nothing to reduce with", "one chunk or more"),
                        line -> line.wrong(
                                () -> line.rank(0).reduce(line.rank(0).output().chunk(0), List.of(), 1))),
                of(
                        "copy of another rank's chunk",
                        spec(),
                        "rank 0, block 1, copy",
                        List.of("rank 1 i[2] is not of rank 0"),
                        line -> line.wrong(() -> line.rank(0)
                                .copy(
                                        line.rank(0).output().chunk(0),
                                        line.rank(1).input().chunk(2),
                                        1))));
    }

    private static Stream<Misuse> packetsAndPlain() {
        return Stream.of(
                of(
                        "packets in a Simple program",
                        spec(),
                        "rank 0, block 0, putPackets to rank 1",
                        List.of("protocol Simple", "protocol LL"),
                        line -> {
                            Buffer scratch = line.program.scratch(1, 1);
                            line.wrong(() -> line.channel()
                                    .putPackets(
                                            scratch.chunk(0),
                                            line.rank(0).input().chunk(0),
                                            0));
                        }),
                of(
                        "packets stored outside scratch",
                        packets(),
                        "rank 0, block 0, putPackets to rank 1",
                        List.of("rank 1 o[0] should hold packets", "scratch"),
                        line -> line.wrong(() -> line.channel()
                                .putPackets(
                                        line.rank(1).output().chunk(0),
                                        line.rank(0).input().chunk(0),
                                        0))),
                of(
                        "packets made of what are packets",
                        packets(),
                        "rank 0, block 0, putPackets to rank 1",
                        List.of("rank 0 s[0] holds packets"),
                        line -> {
                            Buffer own = line.program.scratch(0, 1);
                            Buffer scratch = line.program.scratch(1, 1);
                            line.wrong(() -> line.channel().putPackets(scratch.chunk(0), own.chunk(0), 0));
                        }),
                of(
                        "a proxy that should make packets",
                        packets(),
                        "rank 0, block 0, putPackets to rank 1",
                        List.of("rank 0 i[0] should hold packets"),
                        line -> {
                            Buffer scratch = line.program.scratch(1, 1);
                            line.wrong(() -> line.port()
                                    .putPackets(
                                            scratch.chunk(0),
                                            line.rank(0).input().chunk(0),
                                            0));
                        }),
                of(
                        "packets passed on from plain data",
                        packets(),
                        "rank 0, block 0, readPutPackets to rank 1",
                        List.of("rank 0 i[0] should hold packets"),
                        line -> {
                            Buffer scratch = line.program.scratch(1, 1);
                            line.wrong(() -> line.channel()
                                    .readPutPackets(
                                            scratch.chunk(0),
                                            line.rank(0).input().chunk(0),
                                            0));
                        }),
                of(
                        "packets unpacked from plain data",
                        packets(),
                        "rank 0, block 0, unpackPackets",
                        List.of("rank 0 i[0] should hold packets"),
                        line -> line.wrong(() -> line.rank(0)
                                .unpackPackets(
                                        line.rank(0).output().chunk(0),
                                        line.rank(0).input().chunk(0),
                                        0))),
                of(
                        "packets made in plain memory",
                        packets(),
                        "rank 0, block 0, copyPackets",
                        List.of("rank 0 o[0] should hold packets"),
                        line -> line.wrong(() -> line.rank(0)
                                .copyPackets(
                                        line.rank(0).output().chunk(0),
                                        line.rank(0).input().chunk(0),
                                        0))),
                of(
                        "reduction of plain data as packets",
                        packets(),
                        "rank 0, block 0, reducePackets",
                        List.of("rank 0 i[1] should hold packets"),
                        line -> line.wrong(() -> line.rank(0)
                                .reducePackets(
                                        line.rank(0).output().chunk(0),
                                        List.of(line.rank(0).input().chunk(1)),
                                        0))),
                of(
                        "reduction of no packets",
                        packets(),
                        "rank 0, block 0, reducePackets",
                        List.of("nothing to reduce with"),
                        line -> line.wrong(() ->
                                line.rank(0).reducePackets(line.rank(0).output().chunk(0), List.of(), 0))),
                of(
                        "plain operand behind all packets and one more",
                        packets(),
                        "rank 0, block 0, reducePackets",
                        List.of("place 2 of the plain operand", "allowed: 0 to 1"),
                        line -> reducePackets(line, 2)),
                of(
                        "place of the plain operand in a program for MSCCL++",
                        packets(),
                        "rank 0, block 0, reducePackets",
                        List.of("MSCCL++, which adds it last", "boundedFusion(false)"),
                        line -> reducePackets(line, 0)),
                of(
                        "plain copy into packets",
                        packets(),
                        "rank 0, block 0, copy",
                        List.of("rank 0 s[0] holds packets", "input or output"),
                        line -> {
                            Buffer scratch = line.program.scratch(0, 1);
                            line.wrong(() -> line.rank(0)
                                    .copy(scratch.chunk(0), line.rank(0).input().chunk(0), 0));
                        }),
                of(
                        "plain put into packets",
                        packets(),
                        "rank 0, block 0, put to rank 1",
                        List.of("rank 1 s[0] holds packets"),
                        line -> {
                            Buffer scratch = line.program.scratch(1, 1);
                            line.wrong(() -> line.channel()
                                    .put(scratch.chunk(0), line.rank(0).input().chunk(0), 0));
                        }),
                of(
                        "plain get of packets",
                        packets(),
                        "rank 0, block 0, get to rank 1",
                        List.of("rank 1 s[0] holds packets"),
                        line -> {
                            Buffer scratch = line.program.scratch(1, 1);
                            line.wrong(() ->
                                    line.channel().get(line.rank(0).output().chunk(0), scratch.chunk(0), 0));
                        }),
                of(
                        "plain reduction of packets",
                        packets(),
                        "rank 0, block 0, reduce",
                        List.of("rank 0 s[0] holds packets"),
                        line -> {
                            Buffer scratch = line.program.scratch(0, 1);
                            line.wrong(() ->
                                    line.rank(0).reduce(line.rank(0).output().chunk(0), List.of(scratch.chunk(0)), 0));
                        }),
                of(
                        "plain reduction of the peer's packets",
                        packets(),
                        "rank 0, block 0, reduce to rank 1",
                        List.of("rank 1 s[0] holds packets"),
                        line -> {
                            Buffer scratch = line.program.scratch(1, 1);
                            line.wrong(() -> line.channel()
                                    .reduce(line.rank(0).output().chunk(0), List.of(scratch.chunk(0)), 0));
                        }));
    }

    private static Stream<Misuse> overlaps() {
        return Stream.of(
                of(
                        "copy onto a part of itself",
                        spec(),
                        "rank 0, block 2, copy",
                        List.of("rank 0 i[1..3) and rank 0 i[0..2) overlap in part"),
                        line -> line.wrong(() -> line.rank(0)
                                .copy(
                                        line.rank(0).input().slice(1, 3),
                                        line.rank(0).input().slice(0, 2),
                                        2))),
                of(
                        "copy onto a part of itself by another letter",
                        inPlace(),
                        "rank 1, block 2, copy",
                        List.of("rank 1 o[1..3) and rank 1 i[0..2) overlap in part"),
                        line -> line.wrong(() -> line.rank(1)
                                .copy(
                                        line.rank(1).output().slice(1, 3),
                                        line.rank(1).input().slice(0, 2),
                                        2))),
                of(
                        "reduction onto a part of an operand",
                        spec(),
                        "rank 0, block 2, reduce",
                        List.of("rank 0 i[1..3) and rank 0 i[2..4) overlap in part"),
                        line -> line.wrong(() -> line.rank(0)
                                .reduce(
                                        line.rank(0).input().slice(1, 3),
                                        List.of(line.rank(0).input().slice(2, 4)),
                                        2))),
                of(
                        "broadcast onto a part of its source",
                        spec(),
                        "rank 0, block 2, broadcast through a switch",
                        List.of("rank 0 i[1..3) and rank 0 i[0..2) overlap in part"),
                        line -> line.wrong(() -> line.multicast(BufferType.INPUT)
                                .atRank(0)
                                .broadcast(line.rank(0).input().slice(0, 2), 1, 2, 2))));
    }

    private static Stream<Misuse> blocks() {
        return Stream.of(
                of(
                        "block below 0",
                        spec(),
                        "rank 1, block -1",
                        List.of("ids 0 to 65535"),
                        line -> line.wrong(() -> line.rank(1)
                                .copy(
                                        line.rank(1).output().chunk(0),
                                        line.rank(1).input().chunk(0),
                                        -1))),
                of(
                        "more blocks than any device runs",
                        spec().instances(2),
                        "rank 1, block 32768",
                        List.of("ids 0 to 32767"),
                        line -> line.wrong(() -> line.rank(1)
                                .copy(
                                        line.rank(1).output().chunk(0),
                                        line.rank(1).input().chunk(0),
                                        32_768))),
                of(
                        "signal by a block below 0",
                        spec(),
                        "rank 0, block -2",
                        List.of("ids 0 to"),
                        line -> line.wrong(() -> line.channel().signal(-2))),
                of(
                        "flush by a block below 0",
                        spec(),
                        "rank 0, block -2",
                        List.of("ids 0 to"),
                        line -> line.wrong(() -> line.port().flush(-2))),
                of(
                        "semaphore taken by a block below 0",
                        spec(),
                        "rank 1, block -2",
                        List.of("ids 0 to"),
                        line -> line.wrong(() -> line.program.semaphore(1, 1).acquire(-2))),
                of(
                        "put by a group with a block that no device runs",
                        spec(),
                        "rank 0, block 65536",
                        List.of("ids 0 to 65535"),
                        line -> line.wrong(() -> line.channel()
                                .put(
                                        line.rank(1).output().chunk(0),
                                        line.rank(0).input().chunk(0),
                                        ThreadBlockGroup.of(List.of(0, 65_536))))),
                of(
                        "barrier of no block",
                        spec(),
                        "rank 1",
                        List.of("barrier of blocks []", "one or more"),
                        line -> line.wrong(() -> line.rank(1).barrier(List.of()))),
                of(
                        "barrier with a block twice",
                        spec(),
                        "rank 1",
                        List.of("barrier of blocks [0, 2, 0]", "distinct"),
                        line -> line.wrong(() -> line.rank(1).barrier(List.of(0, 2, 0)))),
                of(
                        "barrier with a block below 0",
                        spec(),
                        "rank 1, block -1",
                        List.of("ids 0 to"),
                        line -> line.wrong(() -> line.rank(1).barrier(List.of(0, -1)))),
                of(
                        "another thread",
                        spec(),
                        "is used by thread other",
                        List.of("only the thread"),
                        line -> line.wrong(() -> inAnotherThread(() -> line.rank(0)
                                .copy(
                                        line.rank(0).output().chunk(0),
                                        line.rank(0).input().chunk(0),
                                        0)))));
    }

    private static void inAnotherThread(Runnable action) {
        Throwable[] thrown = new Throwable[1];
        Thread other = new Thread(action, "other");
        other.setUncaughtExceptionHandler((_, e) -> thrown[0] = e);
        other.start();
        try {
            other.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (thrown[0] instanceof RuntimeException e) {
            throw e;
        }
    }

    private static Stream<Misuse> pipelines() {
        return Stream.of(
                of(
                        "pipeline within a pipeline",
                        spec(),
                        "a pipeline within a pipeline",
                        List.of("do not nest"),
                        line -> line.program.pipeline(
                                1024, 1, () -> line.wrong(() -> line.program.pipeline(1024, 1, () -> {})))),
                of(
                        "pipeline of no bytes",
                        spec(),
                        "units of 0 bytes",
                        List.of("multiple of 16"),
                        line -> line.wrong(() -> line.program.pipeline(0, 1, () -> {}))),
                of(
                        "pipeline of odd bytes",
                        spec(),
                        "units of 1000 bytes",
                        List.of("multiple of 16"),
                        line -> line.wrong(() -> line.program.pipeline(1000, 1, () -> {}))),
                of(
                        "pipeline over no chunks",
                        spec(),
                        "over 0 chunks",
                        List.of("1 chunk or more"),
                        line -> line.wrong(() -> line.program.pipeline(1024, 0, () -> {}))),
                of(
                        "reduction before a pipeline, broadcast in it",
                        spec(),
                        "rank 0, block 1",
                        List.of("rank 0 i[0] is not followed by the broadcast"),
                        line -> {
                            SwitchChannel.Member member =
                                    line.multicast(BufferType.INPUT).atRank(0);
                            Chunk chunk = line.rank(0).input().chunk(0);
                            member.reduce(0, 1, chunk, 1);
                            line.program.pipeline(1024, 1, () -> line.wrong(() -> member.broadcast(chunk, 0, 1, 1)));
                        }),
                of(
                        "reduction at the end of a pipeline",
                        spec(),
                        "rank 0, block 1",
                        List.of("rank 0 i[0] is not followed by the broadcast"),
                        line -> line.wrong(() -> line.program.pipeline(
                                1024,
                                1,
                                () -> line.multicast(BufferType.INPUT)
                                        .atRank(0)
                                        .reduce(0, 1, line.rank(0).input().chunk(0), 1)))));
    }

    private static Stream<Misuse> switches() {
        return Stream.of(
                of(
                        "rank that is no member",
                        AlgoSpec.builder("wrong", ProgramCollective.allReduce(3, 1, false)),
                        "rank 2",
                        List.of("ranks [0, 1]", "members"),
                        line -> line.wrong(
                                () -> line.multicast(BufferType.INPUT).atRank(2))),
                of(
                        "reduction of chunks that members do not have",
                        spec(),
                        "rank 0, block 1, reduce through a switch",
                        List.of("[4..5) of buffer i of rank 0", "4 chunks"),
                        line -> line.wrong(() -> line.multicast(BufferType.INPUT)
                                .atRank(0)
                                .reduce(4, 1, line.rank(0).input().chunk(0), 1))),
                of(
                        "broadcast into scratch that one member lacks",
                        spec(),
                        "rank 0, block 1, broadcast through a switch",
                        List.of("[0..1) of buffer s of rank 1", "0 chunks"),
                        line -> {
                            line.program.scratch(0, 1);
                            line.wrong(() -> line.multicast(BufferType.SCRATCH)
                                    .atRank(0)
                                    .broadcast(line.rank(0).input().chunk(0), 0, 1, 1));
                        }),
                of(
                        "reduction of another size than its result",
                        spec(),
                        "rank 0, block 1, reduce through a switch",
                        List.of("rank 0 i[0] should have 2 chunks"),
                        line -> line.wrong(() -> line.multicast(BufferType.INPUT)
                                .atRank(0)
                                .reduce(0, 2, line.rank(0).input().chunk(0), 1))),
                of(
                        "reduction into another rank's chunk",
                        spec(),
                        "rank 0, block 1, reduce through a switch",
                        List.of("rank 1 i[0] is not of rank 0"),
                        line -> line.wrong(() -> line.multicast(BufferType.INPUT)
                                .atRank(0)
                                .reduce(0, 1, line.rank(1).input().chunk(0), 1))),
                of(
                        "reduction without its broadcast before another operation",
                        spec(),
                        "rank 0, block 1",
                        List.of("rank 0 i[0] is not followed by the broadcast"),
                        line -> {
                            line.multicast(BufferType.INPUT)
                                    .atRank(0)
                                    .reduce(0, 1, line.rank(0).input().chunk(0), 1);
                            line.wrong(() -> line.channel().signal(1));
                        }),
                of(
                        "reduction after a reduction",
                        spec(),
                        "rank 0, block 1",
                        List.of("rank 0 i[0] is not followed by the broadcast"),
                        line -> {
                            SwitchChannel.Member member =
                                    line.multicast(BufferType.INPUT).atRank(0);
                            member.reduce(0, 1, line.rank(0).input().chunk(0), 1);
                            line.wrong(() ->
                                    member.reduce(1, 1, line.rank(0).input().chunk(1), 1));
                        }),
                of(
                        "broadcast of something else than the reduction's result",
                        spec(),
                        "rank 0, block 1, broadcast through a switch",
                        List.of("rank 0 i[0]", "rank 0 i[1]", "same chunks"),
                        line -> {
                            SwitchChannel.Member member =
                                    line.multicast(BufferType.INPUT).atRank(0);
                            member.reduce(0, 1, line.rank(0).input().chunk(0), 1);
                            line.wrong(
                                    () -> member.broadcast(line.rank(0).input().chunk(1), 1, 1, 1));
                        }),
                of(
                        "broadcast to other ranks than those of the reduction",
                        spec(),
                        "rank 0, block 1, broadcast through a switch",
                        List.of("both channels have the same ranks"),
                        line -> {
                            Chunk chunk = line.rank(0).input().chunk(0);
                            SwitchChannel.Member other = line.program
                                    .switchChannel(List.of(0), BufferType.INPUT)
                                    .atRank(0);
                            line.multicast(BufferType.INPUT).atRank(0).reduce(0, 1, chunk, 1);
                            line.wrong(() -> other.broadcast(chunk, 0, 1, 1));
                        }),
                of(
                        "plain broadcast into packets",
                        packets(),
                        "rank 0, block 1, broadcast through a switch",
                        List.of("rank 0 s[0] holds packets"),
                        line -> {
                            line.program.scratch(0, 1);
                            line.program.scratch(1, 1);
                            line.wrong(() -> line.multicast(BufferType.SCRATCH)
                                    .atRank(0)
                                    .broadcast(line.rank(0).input().chunk(0), 0, 1, 1));
                        }),
                of(
                        "plain reduction of packets through a switch",
                        packets(),
                        "rank 0, block 1, reduce through a switch",
                        List.of("rank 0 s[0] holds packets"),
                        line -> {
                            line.program.scratch(0, 1);
                            line.program.scratch(1, 1);
                            line.wrong(() -> line.multicast(BufferType.SCRATCH)
                                    .atRank(0)
                                    .reduce(0, 1, line.rank(0).input().chunk(0), 1));
                        }),
                of(
                        "packets broadcast into plain memory",
                        packets(),
                        "rank 0, block 1, broadcastPackets through a switch",
                        List.of("rank 0 i[0] should hold packets"),
                        line -> {
                            Buffer scratch = line.program.scratch(0, 1);
                            line.wrong(() -> line.multicast(BufferType.INPUT)
                                    .atRank(0)
                                    .broadcastPackets(scratch.chunk(0), 0, 1, 1));
                        }));
    }

    /** Reduces a packet with a plain operand at a place. */
    private static void reducePackets(Line line, int place) {
        Buffer scratch = line.program.scratch(0, 1);
        line.wrong(() -> line.rank(0)
                .reducePackets(
                        line.rank(0).input().chunk(0),
                        place,
                        List.of(scratch.chunk(0)),
                        line.rank(0).output().chunk(0),
                        0));
    }
}

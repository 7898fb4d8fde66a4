package org.mscclj.language;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Protocol;

/** Mistakes are refused at their line, with a message of one line that names program, rank, block, chunks and rule. */
class MisuseTest {
    private static final AlgoSpec SPEC =
            AlgoSpec.builder("wrong", ProgramCollective.allReduce(2, 1, false)).build();

    static Stream<Misuses.Misuse> misuses() {
        return Misuses.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("misuses")
    void isRefusedAtItsLine(Misuses.Misuse misuse) {
        AtomicReference<Misuses.Line> line = new AtomicReference<>();
        String message = refusal(misuse.spec(), program -> {
            line.set(new Misuses.Line(program));
            misuse.definition().accept(line.get());
        });
        assertTrue(line.get().refusedHere(), "not refused at its line: " + message);
        assertSays(message, "program wrong: ", misuse.site(), "allowed: ");
        assertSays(message, misuse.words().toArray(String[]::new));
    }

    static Stream<Arguments> unbalanced() {
        return Stream.of(
                whole(
                        "a signal without a wait",
                        "rank 0, block 2, signals rank 1 once",
                        "waits for it never",
                        (program, channels) -> channels.apply(0).signal(2)),
                whole(
                        "a wait without a signal",
                        "rank 1 signals rank 0 never",
                        "rank 0, block 2, waits for it once",
                        (program, channels) -> channels.apply(0).await(2)),
                whole(
                        "two signals and one wait",
                        "rank 0, blocks [1, 2], signals rank 1 2 times",
                        "waits for it once",
                        (program, channels) -> {
                            MemoryChannel channel = channels.apply(0);
                            channel.signal(1);
                            channel.relaxedSignal(2);
                            channels.apply(1).await(0);
                        }),
                whole(
                        "a wait over another channel than the signal",
                        "over memory channel",
                        "over the same channel",
                        (program, channels) -> {
                            MemoryChannel first = channels.apply(0);
                            channels.apply(0);
                            channels.apply(1);
                            first.signal(0);
                            channels.apply(1).await(0);
                        }),
                whole(
                        "a wait of another kind of channel",
                        "channel 0 between them",
                        "waits for it never",
                        (program, channels) -> {
                            channels.apply(0).signal(0);
                            program.portChannel(0, 1).await(0);
                        }),
                whole(
                        "a signal in a pipeline, its wait outside",
                        "in each iteration of a pipeline",
                        "as often",
                        (program, channels) -> {
                            program.pipeline(1024, 1, () -> channels.apply(0).signal(0));
                            channels.apply(1).await(0);
                        }),
                whole(
                        "a signal in a pipeline, its wait in one of other length",
                        "in each iteration",
                        "as often",
                        (program, channels) -> {
                            program.pipeline(1024, 1, () -> channels.apply(0).signal(0));
                            program.pipeline(1024, 2, () -> channels.apply(1).await(0));
                        }),
                whole(
                        "a put with signal without a wait",
                        "rank 0, block 3, signals rank 1 once",
                        "port channel 0",
                        (program, _) -> program.portChannel(1, 0)
                                .putWithSignal(
                                        program.rank(1).output().chunk(0),
                                        program.rank(0).input().chunk(0),
                                        3)),
                whole(
                        "a semaphore without a release",
                        "rank 1, block 4, semaphore 0 is acquired once",
                        "released never",
                        (program, _) -> program.semaphore(1, 0).acquire(4)),
                whole("a semaphore that is acquired too often", "acquired 2 times", "starts at 1", (program, _) -> {
                    Semaphore semaphore = program.semaphore(1, 1);
                    semaphore.acquire(0);
                    semaphore.acquire(1);
                }),
                whole(
                        "a reduction through a switch at the end",
                        "rank 0, block 1",
                        "not followed by the broadcast",
                        (program, _) -> program.switchChannel(List.of(0, 1), BufferType.INPUT)
                                .atRank(0)
                                .reduce(0, 1, program.rank(0).input().chunk(0), 1)));
    }

    private static Arguments whole(
            String name,
            String first,
            String second,
            BiConsumer<ProgramBuilder, Function<Integer, MemoryChannel>> body) {
        return Arguments.of(Named.of(name, body), first, second);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("unbalanced")
    void faultsOfTheWholeProgramAreRefusedAtItsEnd(
            BiConsumer<ProgramBuilder, Function<Integer, MemoryChannel>> body, String first, String second) {
        boolean[] said = new boolean[1];
        String message = refusal(SPEC, program -> {
            body.accept(program, rank -> program.memoryChannel(1 - rank, rank));
            said[0] = true;
        });
        assertTrue(said[0], message);
        assertSays(message, "program wrong: ", first, second, "allowed: ");
    }

    @Test
    void pipelinesOfEqualLengthMayHoldTheTwoEndsOfASignal() {
        CollectiveProgram.define(SPEC, program -> {
            program.pipeline(1024, 1, () -> program.memoryChannel(1, 0).signal(0));
            program.pipeline(2048, 2, () -> program.memoryChannel(0, 1).await(0));
        });
    }

    @Test
    void aSemaphoreMayBeReleasedByAPipeline() {
        CollectiveProgram.define(SPEC, program -> {
            Semaphore semaphore = program.semaphore(0, 0);
            program.pipeline(1024, 4, () -> semaphore.release(0));
            semaphore.acquire(1);
            semaphore.acquire(1);
        });
    }

    /**
     * As outside of a pipeline, operations recorded before an exception remain if the definition continues after it.
     */
    @Test
    void aPipelineWhoseBodyFailsIsOver() {
        CollectiveProgram program = CollectiveProgram.define(SPEC, definition -> {
            Rank rank = definition.rank(0);
            assertThrows(
                    IllegalStateException.class,
                    () -> definition.pipeline(1024, 1, () -> {
                        rank.copy(rank.output().chunk(0), rank.input().chunk(0), 0);
                        throw new IllegalStateException("of its own");
                    }));
            definition.pipeline(
                    2048,
                    1,
                    () -> rank.copy(rank.output().chunk(0), rank.input().chunk(0), 0));
        });
        List<Operation> operations =
                program.compile().ranks().getFirst().threadBlocks().getFirst().operations();
        assertEquals(
                List.of(1024L, 2048L),
                operations.stream()
                        .flatMap(operation -> operation instanceof Operation.Pipeline pipeline
                                ? Stream.of(pipeline.unitSize())
                                : Stream.empty())
                        .toList());
    }

    @Test
    void chunksAreEqualIfTheyAreTheSameRange() {
        ProgramBuilder program = new ProgramBuilder(SPEC);
        Buffer scratch = program.scratch(0, 4);
        assertEquals(scratch.slice(1, 3), scratch.chunk(1).resized(2));
        assertEquals(scratch.slice(1, 3).hashCode(), scratch.chunk(1).resized(2).hashCode());
        assertNotEquals(scratch.chunk(1), scratch.chunk(2));
        assertNotEquals(scratch.chunk(1), new ProgramBuilder(SPEC).scratch(0, 4).chunk(1));
    }

    static Stream<Arguments> afterwards() {
        return Stream.of(
                after("a rank", program -> program.rank(0), (_, _) -> {}, ProgramBuilder::ranks),
                after(
                        "a copy",
                        program -> program.rank(0),
                        (rank, _) ->
                                rank.copy(rank.output().chunk(0), rank.input().chunk(0), 0),
                        null),
                after("a barrier", program -> program.rank(0), (rank, _) -> rank.barrier(List.of(0, 1)), null),
                after("a signal", program -> program.memoryChannel(1, 0), (channel, _) -> channel.signal(0), null),
                after("a flush", program -> program.portChannel(1, 0), (channel, _) -> channel.flush(0), null),
                after("a semaphore", program -> program.semaphore(0, 1), (semaphore, _) -> semaphore.acquire(0), null),
                after("a new semaphore", program -> program, (program, _) -> program.semaphore(0, 1), null),
                after("a new channel", program -> program, (program, _) -> program.memoryChannel(0, 1), null),
                after("scratch", program -> program, (program, _) -> program.scratch(0, 1), null),
                after("a pipeline", program -> program, (program, _) -> program.pipeline(1024, 1, () -> {}), null),
                after(
                        "a switch channel",
                        program -> program,
                        (program, _) -> program.switchChannel(List.of(0, 1), BufferType.INPUT),
                        null),
                after(
                        "a reduction through a switch",
                        program -> Map.entry(
                                program.switchChannel(List.of(0, 1), BufferType.INPUT),
                                program.rank(0).input().chunk(0)),
                        (taken, _) -> taken.getKey().atRank(0).reduce(0, 1, taken.getValue(), 0),
                        null));
    }

    private static <T> Arguments after(
            String name,
            Function<ProgramBuilder, T> taken,
            BiConsumer<T, Integer> use,
            Consumer<ProgramBuilder> other) {
        Function<ProgramBuilder, Runnable> later = program -> {
            T value = taken.apply(program);
            return () -> {
                use.accept(value, 0);
                if (other != null) {
                    other.accept(program);
                }
            };
        };
        return Arguments.of(Named.of(name, later));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("afterwards")
    void builderIsInvalidAfterTheDefinition(Function<ProgramBuilder, Runnable> later) {
        AtomicReference<Runnable> kept = new AtomicReference<>();
        CollectiveProgram.define(SPEC, program -> kept.set(later.apply(program)));
        assertSays(
                assertThrows(InvalidArgumentException.class, kept.get()::run).getMessage(),
                "program wrong: ",
                "after the definition has ended",
                "allowed: ");
    }

    @Test
    void builderIsInvalidAfterAFailedDefinition() {
        AtomicReference<ProgramBuilder> kept = new AtomicReference<>();
        assertThrows(
                IllegalStateException.class,
                () -> CollectiveProgram.define(SPEC, program -> {
                    kept.set(program);
                    throw new IllegalStateException("of its own");
                }));
        assertSays(
                assertThrows(InvalidArgumentException.class, () -> kept.get().rank(0))
                        .getMessage(),
                "after the definition has ended");
    }

    static Stream<Arguments> specifications() {
        ProgramCollective pair = ProgramCollective.allReduce(2, 1, false);
        return Stream.of(
                spec(
                        "no name",
                        List.of("name of a program"),
                        () -> AlgoSpec.builder(" ", pair).build()),
                spec(
                        "ranks per node that do not divide the ranks",
                        List.of("p", "3", "divisor"),
                        () -> builder().ranksPerNode(3).build()),
                spec(
                        "no instance",
                        List.of("p", "0", "1 to 65536"),
                        () -> builder().instances(0).build()),
                spec(
                        "more instances than chunks can be counted",
                        List.of("p", "40000", "1 to 32767"),
                        () -> AlgoSpec.builder("p", ProgramCollective.allReduce(2, 32_768, false))
                                .instances(40_000)
                                .build()),
                spec(
                        "instances that cut no chunks",
                        List.of("p", "2", "NONE"),
                        () -> builder()
                                .instances(2)
                                .replicationPolicy(ReplicationPolicy.NONE)
                                .build()),
                spec(
                        "no threads",
                        List.of("program p", "0", "1 to 1024"),
                        () -> builder().threadsPerBlock(0).build()),
                spec(
                        "more threads than a block has",
                        List.of("program p", "1025", "1 to 1024"),
                        () -> builder().threadsPerBlock(1025).build()),
                spec(
                        "an alignment that cuts elements",
                        List.of("program p", "12", "multiple of 8"),
                        () -> builder().bufferAlignment(12).build()),
                spec(
                        "sizes the wrong way round",
                        List.of("program p", "2", "at most"),
                        () -> builder().messageSizes(2, 1).build()),
                spec(
                        "a reduce operation without a word in plans",
                        List.of("p", "PRODUCT", "SUM"),
                        () -> builder().reduceOp(ReduceOp.Kind.PRODUCT).build()),
                spec(
                        "a collective of no ranks",
                        List.of("ranks of", "0"),
                        () -> ProgramCollective.allReduce(0, 1, false)),
                spec("no chunks", List.of("chunk factor", "0"), () -> ProgramCollective.allReduce(2, 0, false)),
                spec(
                        "more chunks than can be counted",
                        List.of("chunk factor"),
                        () -> ProgramCollective.allReduce(2, 1 << 30, false)),
                spec(
                        "a group of no block",
                        List.of("blocks of a group is []", "one or more"),
                        () -> ThreadBlockGroup.of(List.of())),
                spec(
                        "a group with a block twice",
                        List.of("[0, 1, 0]", "distinct"),
                        () -> ThreadBlockGroup.of(List.of(0, 1, 0))),
                spec(
                        "a group with a block below 0",
                        List.of("[0, -1]", "from 0 on"),
                        () -> ThreadBlockGroup.of(List.of(0, -1))));
    }

    private static AlgoSpec.Builder builder() {
        return AlgoSpec.builder("p", ProgramCollective.allReduce(2, 1, false));
    }

    private static Arguments spec(String name, List<String> words, Runnable made) {
        return Arguments.of(Named.of(name, made), words);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("specifications")
    void specificationIsCheckedWhereItIsCreated(Runnable made, List<String> words) {
        String message = assertThrows(InvalidArgumentException.class, made::run).getMessage();
        assertSays(message, "allowed: ");
        assertSays(message, words.toArray(String[]::new));
    }

    @Test
    void messagesStayOnOneLine() {
        AlgoSpec spec = AlgoSpec.builder("two\nlines", ProgramCollective.allReduce(2, 1, false))
                .build();
        assertFalse(refusal(spec, program -> program.rank(9)).contains("\n"));
    }

    @Test
    void barrierDoesNotDependOnTheOrderOfItsBlocks() {
        CollectiveProgram program = CollectiveProgram.define(SPEC, definition -> {
            definition.rank(0).barrier(List.of(0, 1));
            definition.rank(0).barrier(List.of(1, 0));
        });
        assertTrue(program.compile().ranks().getFirst().threadBlocks().stream()
                .flatMap(block -> block.operations().stream())
                .allMatch(new Operation.Barrier(0, 2)::equals));
    }

    @Test
    void packetsOnlyNeedTheirProtocol() {
        AlgoSpec spec = AlgoSpec.builder("right", ProgramCollective.allReduce(2, 1, false))
                .protocol(Protocol.LL)
                .build();
        CollectiveProgram.define(spec, program -> {
                    Buffer own = program.scratch(0, 1);
                    Buffer peers = program.scratch(1, 1);
                    program.rank(0)
                            .copyPackets(own.chunk(0), program.rank(0).input().chunk(0), 0);
                    program.memoryChannel(1, 0).readPutPackets(peers.chunk(0), own.chunk(0), 0);
                    program.portChannel(1, 0).putPackets(peers.chunk(0), own.chunk(0), 0);
                    program.switchChannel(List.of(0, 1), BufferType.SCRATCH)
                            .atRank(0)
                            .broadcastPackets(own.chunk(0), 0, 1, 0);
                })
                .compile();
    }

    private static String refusal(AlgoSpec spec, Consumer<ProgramBuilder> definition) {
        return String.valueOf(
                assertThrows(InvalidArgumentException.class, () -> CollectiveProgram.define(spec, definition))
                        .getMessage());
    }

    private static void assertSays(String message, String... words) {
        for (String word : words) {
            assertTrue(message.contains(word), () -> "“" + word + "” is missing in: " + message);
        }
    }
}

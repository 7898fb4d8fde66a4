package org.mscclj.language;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.BufferType;

/** Faults that only the whole program shows are refused with the line that caused them. */
class UnmatchedLinesTest {
    private static final AlgoSpec SPEC = AlgoSpec.builder("wrong", ProgramCollective.allReduce(2, 1, false))
            .reduceOp(ReduceOp.Kind.SUM)
            .build();

    /** A program under construction, and the line that the message must name. */
    private static final class Draft {
        private final ProgramBuilder program;
        private int line;

        Draft(ProgramBuilder program) {
            this.program = program;
        }

        /** Marks the next line as wrong. */
        void wrong() {
            line = StackWalker.getInstance()
                            .walk(frames -> frames.skip(1).findFirst().orElseThrow())
                            .getLineNumber()
                    + 1;
        }
    }

    static Stream<Named<Consumer<Draft>>> mistakes() {
        return Stream.of(
                Named.of("a signal without a wait", draft -> {
                    MemoryChannel channel = draft.program.memoryChannel(1, 0);
                    draft.wrong();
                    channel.signal(0, SyncType.BEFORE);
                }),
                Named.of("the second of two signals, with a wait before them", draft -> {
                    MemoryChannel channel = draft.program.memoryChannel(1, 0);
                    draft.program.memoryChannel(0, 1).await(3);
                    channel.relaxedSignal(0);
                    draft.wrong();
                    channel.signal(1);
                }),
                Named.of("the second of two waits", draft -> {
                    MemoryChannel channel = draft.program.memoryChannel(1, 0);
                    channel.await(0);
                    draft.wrong();
                    channel.relaxedAwait(0);
                    draft.program.memoryChannel(0, 1).signal(0);
                }),
                Named.of(
                        "a wait over a port channel, in a pipeline",
                        draft -> draft.program.pipeline(1024, 1, () -> {
                            PortChannel channel = draft.program.portChannel(1, 0);
                            draft.wrong();
                            channel.await(0);
                        })),
                Named.of("a put with signal by a group", draft -> {
                    PortChannel channel = draft.program.portChannel(1, 0);
                    Chunk destination = draft.program.rank(1).output().chunk(0);
                    Chunk source = draft.program.rank(0).input().chunk(0);
                    draft.program.portChannel(0, 1).await(0);
                    draft.wrong();
                    channel.putWithSignal(destination, source, ThreadBlockGroup.first(2));
                }),
                Named.of("the first acquire too many", draft -> {
                    Semaphore semaphore = draft.program.semaphore(0, 1);
                    semaphore.acquire(0);
                    semaphore.release(1);
                    semaphore.acquire(0);
                    draft.wrong();
                    semaphore.acquire(2);
                    semaphore.acquire(3);
                }),
                Named.of("a barrier that one member does not record", draft -> {
                    ThreadBlockGroup group = ThreadBlockGroup.first(3);
                    Rank rank = draft.program.rank(1);
                    group.blocks().forEach(block -> rank.barrier(group.member(block)));
                    rank.barrier(group);
                    draft.wrong();
                    rank.barrier(group.member(1));
                    rank.barrier(group.member(0));
                }),
                Named.of("a barrier that its members record in different pipelines", draft -> {
                    ThreadBlockGroup group = ThreadBlockGroup.first(2);
                    Rank rank = draft.program.rank(0);
                    draft.wrong();
                    draft.program.pipeline(1024, 1, () -> rank.barrier(group.member(0)));
                    draft.program.pipeline(1024, 2, () -> rank.barrier(group.member(1)));
                }),
                Named.of("a reduction through a switch", draft -> {
                    SwitchChannel channel = draft.program.switchChannel(List.of(0, 1), BufferType.INPUT);
                    Chunk result = draft.program.rank(0).input().chunk(0);
                    draft.wrong();
                    channel.atRank(0).reduce(0, 1, result, 1);
                }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mistakes")
    void theMessageNamesTheLine(Consumer<Draft> mistake) {
        Draft[] draft = new Draft[1];
        String message = String.valueOf(assertThrows(
                        InvalidArgumentException.class,
                        () -> CollectiveProgram.define(SPEC, program -> {
                            draft[0] = new Draft(program);
                            mistake.accept(draft[0]);
                        }))
                .getMessage());
        String line = "at UnmatchedLinesTest.java:" + draft[0].line;
        assertTrue(message.matches(".*" + line + "[ ;].*"), () -> line + " is missing in: " + message);
    }
}

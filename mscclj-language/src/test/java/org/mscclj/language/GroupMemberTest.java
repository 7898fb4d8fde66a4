package org.mscclj.language;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.ThreadBlock;

/** Each member of a group handles its own share, over its own channel. */
class GroupMemberTest {
    @Test
    void eachMemberUsesItsOwnPort() {
        Plan plan = CollectiveProgram.define(spec(), program -> {
                    ThreadBlockGroup group = ThreadBlockGroup.first(2);
                    for (Rank rank : program.ranks()) {
                        Rank peer = program.rank(1 - rank.id());
                        for (int block : group.blocks()) {
                            PortChannel port = program.portChannel(peer.id(), rank.id());
                            port.putWithSignal(
                                    peer.output().chunk(0), rank.input().chunk(0), group.member(block));
                            port.await(block);
                        }
                    }
                })
                .compile();
        for (ThreadBlock block : plan.ranks().getFirst().threadBlocks()) {
            assertEquals(List.of(block.id()), block.portChannels());
            assertEquals(List.of(new BlockShare(block.id(), 2)), shares(block));
        }
    }

    @Test
    void aSignalByEachBlockOfAGroupNeedsAWaitForEach() {
        InvalidArgumentException e = assertThrows(
                InvalidArgumentException.class,
                () -> CollectiveProgram.define(spec(), program -> {
                    PortChannel port = program.portChannel(1, 0);
                    port.putWithSignal(
                            program.rank(1).output().chunk(0),
                            program.rank(0).input().chunk(0),
                            ThreadBlockGroup.first(3));
                    program.portChannel(0, 1).await(0);
                }));
        assertEquals(
                "program pairs: rank 0, blocks [0, 1, 2], signals rank 1 3 times over port channel 0 between"
                        + " them, and rank 1, block"
                        + " 0, waits for it once; the first signal without a wait is at GroupMemberTest.java:N;"
                        + " allowed: a wait for each"
                        + " signal, over the same channel and as often",
                String.valueOf(e.getMessage()).replaceFirst(":[0-9]+;", ":N;"));
    }

    /** Blocks that are recorded one after the other use the same barrier. */
    @Test
    void membersShareABarrier() {
        Plan plan = CollectiveProgram.define(spec(), program -> {
                    ThreadBlockGroup group = ThreadBlockGroup.first(2);
                    group.blocks().forEach(block -> program.rank(0).barrier(group.member(block)));
                    program.rank(1).barrier(ThreadBlockGroup.first(1).member(0));
                })
                .compile();
        for (ThreadBlock block : plan.ranks().getFirst().threadBlocks()) {
            assertEquals(List.of(new Operation.Barrier(0, 2)), block.operations());
        }
        assertEquals(
                List.of(new Operation.Nop()),
                plan.ranks().get(1).threadBlocks().getFirst().operations());
    }

    @Test
    void onlyBlocksOfAGroupAreMembers() {
        ThreadBlockGroup group = ThreadBlockGroup.of(List.of(4, 2));
        assertEquals(new BlockShare(1, 2), group.member(2).share(2));
        assertThrows(InvalidArgumentException.class, () -> group.member(3));
    }

    private static AlgoSpec spec() {
        return AlgoSpec.builder("pairs", new ProgramCollective(Collective.SENDRECV, 2, 1, false))
                .build();
    }

    private static List<BlockShare> shares(ThreadBlock block) {
        return block.operations().stream()
                .filter(Operation.Data.class::isInstance)
                .map(operation -> ((Operation.Data) operation).share())
                .collect(Collectors.toList());
    }
}

package org.mscclj.plan.fusion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mscclj.plan.BufferType.INPUT;
import static org.mscclj.plan.BufferType.OUTPUT;
import static org.mscclj.plan.BufferType.SCRATCH;
import static org.mscclj.plan.ChannelType.MEMORY;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.statistics.Statistics;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.layout.LaunchGeometry;
import org.mscclj.plan.layout.RoundLayout;
import org.mscclj.plan.sketch.BlockSketch;
import org.mscclj.plan.sketch.PlanSketch;

/** Which packets are lines: the rule of decision 0031. */
class LineRuleTest {
    private static final long LEAST = 576;

    /** What may keep packets from being lines, whatever their length. */
    private enum Oddity {
        NONE,
        NONE_WITH_TWO_HALVES,
        OTHER_PROTOCOL,
        TWO_CHUNKS,
        UNEQUAL_HALVES,
        LESS_THAN_A_WARP,
        NOT_FUSED;

        boolean allowsLines() {
            return this == NONE || this == NONE_WITH_TWO_HALVES;
        }
    }

    /** Each rank sends to the next one; blocks of a rank share the work. */
    private static Plan ring(Oddity oddity, int ranks, int blocks, int alignment) {
        int size = oddity == Oddity.TWO_CHUNKS ? 2 : 1;
        PlanSketch plan = new PlanSketch(
                        "ring",
                        Collective.TEST,
                        oddity == Oddity.OTHER_PROTOCOL ? Protocol.LL : Protocol.LL128,
                        false,
                        ranks)
                .chunks(size, size, size)
                .alignment(alignment)
                .threadsPerBlock(oddity == Oddity.LESS_THAN_A_WARP ? 31 : 32);
        if (oddity == Oddity.UNEQUAL_HALVES) {
            plan.moreScratch(ranks - 1, 1);
        }
        if (oddity == Oddity.UNEQUAL_HALVES || oddity == Oddity.NONE_WITH_TWO_HALVES) {
            plan.doubleScratch();
        }
        for (int rank = 0; rank < ranks; rank++) {
            int next = (rank + 1) % ranks;
            for (int member = 0; member < blocks; member++) {
                BlockSketch block = plan.block(rank, new BlockShare(member, blocks));
                block.remote(
                        DataKind.PUT_PACKETS,
                        MEMORY,
                        List.of(new ChunkRef.Local(INPUT, 0, size)),
                        List.of(block.of(next, SCRATCH, MEMORY, 0, size)));
                if (oddity == Oddity.NOT_FUSED) {
                    block.signal(MEMORY, next);
                }
                block.local(
                        DataKind.UNPACK_PACKETS,
                        List.of(new ChunkRef.Local(SCRATCH, 0, size)),
                        List.of(new ChunkRef.Local(OUTPUT, 0, size)));
            }
        }
        return plan.build();
    }

    private static LongStream payloads(Plan plan, int rank, RoundLayout layout) {
        int blocks = plan.ranks().get(rank).threadBlocks().size();
        return IntStream.range(0, blocks)
                .mapToLong(member -> RoundLayout.share(
                                layout.chunkBytes(), new BlockShare(member, blocks), plan.bufferAlignment())
                        .length());
    }

    /** So a rank that looks at its own blocks only comes to the same result as all others. */
    @Property(tries = 1000)
    void packetsAreLinesIfEachBlockOfEachRankIsLongEnough(
            @ForAll Oddity oddity,
            @ForAll @IntRange(min = 2, max = 4) int ranks,
            @ForAll @IntRange(min = 1, max = 5) int blocks,
            @ForAll @IntRange(min = 1, max = 16) int alignmentUnits,
            @ForAll boolean suitableAlignment,
            @ForAll @LongRange(min = 1, max = 8000) long sliceBytes) {
        int alignment = (suitableAlignment ? 64 : 8) * alignmentUnits;
        Plan plan = ring(oddity, ranks, blocks, alignment);
        RoundLayout layout =
                LaunchGeometry.of(plan, sliceBytes, 1024L * alignment).round(0);
        boolean lines = FusedPlan.of(plan).map(fused -> fused.areLines(layout)).orElse(false);
        boolean suits = oddity.allowsLines() && alignment % 64 == 0;
        for (int rank = 0; rank < ranks; rank++) {
            boolean ofRank = suits && payloads(plan, rank, layout).allMatch(payload -> payload >= LEAST);
            assertEquals(ofRank, lines, "rank " + rank);
        }
        Statistics.label("lines").collect(lines).coverage(seen -> {
            seen.check(true).count(count -> count > 0);
            seen.check(false).count(count -> count > 0);
        });
    }

    /** Only a plan whose blocks are fused has a rule for lines; this one signals. */
    @Example
    void onlyTheNotFusedOneOfThesePlansIsNotFused() {
        for (Oddity oddity : Oddity.values()) {
            assertEquals(
                    oddity != Oddity.NOT_FUSED,
                    FusedPlan.of(ring(oddity, 2, 1, 64)).isPresent(),
                    oddity::toString);
        }
    }

    /** Blocks count bytes in 32 bits. */
    @Example
    void chunksOfTwoGibibytesHaveNoLines() {
        FusedPlan plan = FusedPlan.of(ring(Oddity.NONE, 2, 4, 64)).orElseThrow();
        for (long bytes : new long[] {(1L << 31) - 64, 1L << 31}) {
            RoundLayout layout = LaunchGeometry.of(plan.plan(), bytes, bytes).round(0);
            assertEquals(bytes < 1L << 31, plan.areLines(layout), bytes + " bytes");
        }
    }

    /** An area of lines has twice the size of its payload, and a group has 512 bytes. */
    @Property
    void groupsOfLinesLieInTheirArea(@ForAll @LongRange(min = LEAST, max = 1L << 31) long payload) {
        long groups = Math.ceilDiv(payload, Lines.GROUP_PAYLOAD);
        assertTrue(groups * Lines.GROUP_PAYLOAD / Lines.PAYLOAD * Lines.BYTES <= 2 * payload, payload + " bytes");
    }

    @Property
    void theShortestShareIsThatOfAMember(
            @ForAll @IntRange(min = 1, max = 20) int blocks,
            @ForAll @IntRange(min = 1, max = 8) int alignmentUnits,
            @ForAll @LongRange(min = 0, max = 700) long units) {
        int alignment = 8 * alignmentUnits;
        long length = units * alignment;
        long shortest = IntStream.range(0, blocks)
                .mapToLong(member -> RoundLayout.share(length, new BlockShare(member, blocks), alignment)
                        .length())
                .min()
                .orElseThrow();
        assertEquals(shortest, RoundLayout.shortestShare(length, blocks, alignment));
    }
}

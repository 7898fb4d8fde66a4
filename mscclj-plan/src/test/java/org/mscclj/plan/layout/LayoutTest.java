package org.mscclj.plan.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanReader;
import org.mscclj.plan.layout.RoundLayout.Piece;
import org.mscclj.plan.layout.RoundLayout.Range;

/** Every byte of a buffer is handled exactly once, for any size; for sizes that MSCCL++ accepts, at the same offset. */
class LayoutTest {
    private static final long TERABYTES = 1L << 45;

    @Property(tries = 400)
    void roundsAndChunksCoverEachByteOnce(
            @ForAll @LongRange(min = 0, max = 5_000) long sliceBytes,
            @ForAll @IntRange(min = 1, max = 9) int chunksPerSlice,
            @ForAll @IntRange(min = 1, max = 4) int slices,
            @ForAll @IntRange(min = 1, max = 4) int alignmentUnits,
            @ForAll @IntRange(min = 0, max = 12) int slotUnits) {
        int alignment = 8 * alignmentUnits;
        var geometry = new LaunchGeometry(sliceBytes, chunksPerSlice, alignment, (long) slotUnits * alignment);
        int[] covered = new int[Math.toIntExact(slices * sliceBytes)];
        for (long t = 0; t < geometry.rounds(); t++) {
            RoundLayout round = geometry.round(t);
            for (int chunk = 0; chunk < chunksPerSlice * slices; chunk++) {
                for (Piece piece : round.bufferPieces(round.chunks(chunk, 1))) {
                    for (long i = 0; !piece.isPadding() && i < piece.length(); i++) {
                        covered[Math.toIntExact(piece.real() + i)]++;
                    }
                }
            }
        }
        for (int count : covered) {
            assertEquals(1, count);
        }
    }

    @Property(tries = 400)
    void piecesTileTheirRangeAndKeepItsOrder(
            @ForAll @LongRange(min = 1, max = TERABYTES) long sliceBytes,
            @ForAll @IntRange(min = 1, max = 64) int chunksPerSlice,
            @ForAll @IntRange(min = 0, max = 200) int index,
            @ForAll @IntRange(min = 0, max = 70) int size) {
        RoundLayout round = new LaunchGeometry(sliceBytes, chunksPerSlice, 16, 0).round(0);
        Range range = round.chunks(index, size);
        long padded = range.start();
        long real = -1;
        for (Piece piece : round.bufferPieces(range)) {
            assertEquals(padded, piece.padded());
            assertTrue(piece.length() > 0);
            if (!piece.isPadding()) {
                assertTrue(piece.real() > real);
                real = piece.real() + piece.length() - 1;
            }
            padded += piece.length();
        }
        assertEquals(range.end(), padded);
    }

    @Property(tries = 400)
    void chunksHaveTheOffsetsOfMscclpp(
            @ForAll @IntRange(min = 1, max = 100) int chunks,
            @ForAll @IntRange(min = 1, max = 16) int alignmentUnits,
            @ForAll @LongRange(min = 1, max = 1L << 30) long unitsPerChunk) {
        long alignment = 8L * alignmentUnits;
        long units = unitsPerChunk * chunks;
        RoundLayout round = new LaunchGeometry(units * alignment, chunks, (int) alignment, 0).round(0);
        for (int i = 0; i < chunks; i++) {
            long theirs = (i * (units / chunks) + Math.min(i, units % chunks)) * alignment;
            assertEquals(
                    List.of(new Piece(theirs, unitsPerChunk * alignment, theirs)),
                    round.bufferPieces(round.chunks(i, 1)));
        }
    }

    @Property(tries = 400)
    void chunkIsTheLeastThatHoldsTheSlice(
            @ForAll @LongRange(min = 1, max = TERABYTES) long bytes,
            @ForAll @IntRange(min = 1, max = 1_000) int chunks,
            @ForAll @IntRange(min = 1, max = 512) int alignmentUnits) {
        int alignment = 8 * alignmentUnits;
        long chunk = LaunchGeometry.chunkBytes(bytes, chunks, alignment);
        assertEquals(0, chunk % alignment);
        assertTrue(chunk * chunks >= bytes);
        assertTrue((chunk - alignment) * chunks < bytes);
    }

    @Property(tries = 400)
    void roundsAreFullExceptTheLast(
            @ForAll @LongRange(min = 0, max = TERABYTES) long sliceBytes,
            @ForAll @IntRange(min = 1, max = 64) int chunks,
            @ForAll @LongRange(min = 1L << 26, max = 1L << 32) long slotUnits) {
        var geometry = new LaunchGeometry(sliceBytes, chunks, 16, slotUnits * 16);
        long next = 0;
        for (long t = 0; t < geometry.rounds(); t++) {
            RoundLayout round = geometry.round(t);
            assertEquals(next, round.offset());
            assertTrue(round.chunkBytes() <= slotUnits * 16);
            assertTrue(round.bytes() > 0);
            assertTrue(t == geometry.rounds() - 1 || round.bytes() == geometry.fullRoundBytes());
            next += round.bytes();
        }
        assertEquals(sliceBytes, next);
    }

    @Property(tries = 400)
    void sharesTileTheRangeEvenly(
            @ForAll @LongRange(min = 0, max = 1L << 40) long units,
            @ForAll @IntRange(min = 1, max = 64) int groupSize,
            @ForAll @IntRange(min = 1, max = 4) int alignmentUnits) {
        int alignment = 8 * alignmentUnits;
        long length = units * alignment;
        List<Range> shares = new ArrayList<>();
        for (int member = 0; member < groupSize; member++) {
            shares.add(RoundLayout.share(length, new BlockShare(member, groupSize), alignment));
        }
        long next = 0;
        for (Range share : shares) {
            assertEquals(next, share.start());
            next = share.end();
        }
        assertEquals(length, next);
        long most = shares.stream()
                .max(Comparator.comparingLong(Range::length))
                .orElseThrow()
                .length();
        long least = shares.stream()
                .min(Comparator.comparingLong(Range::length))
                .orElseThrow()
                .length();
        assertTrue(most - least <= alignment);
    }

    @Example
    void groupOfThreeOnAChunkOfTheFormatDescription() {
        long chunk = LaunchGeometry.chunkBytes(1 << 20, 8, 16);
        assertEquals(131_072, chunk);
        assertEquals(new Range(0, 43_696), RoundLayout.share(chunk, new BlockShare(0, 3), 16));
        assertEquals(new Range(43_696, 43_696), RoundLayout.share(chunk, new BlockShare(1, 3), 16));
        assertEquals(new Range(87_392, 43_680), RoundLayout.share(chunk, new BlockShare(2, 3), 16));
    }

    @Property(tries = 400)
    void scratchPiecesStayInTheirSlotsWithoutOverlap(
            @ForAll @LongRange(min = 1, max = 10_000) long sliceBytes,
            @ForAll @IntRange(min = 1, max = 9) int chunksPerSlice,
            @ForAll @IntRange(min = 1, max = 20) int scratchChunks,
            @ForAll @IntRange(min = 1, max = 80) int slotUnits) {
        long slot = slotUnits * 16L;
        var geometry = new LaunchGeometry(sliceBytes, chunksPerSlice, 16, slot);
        RoundLayout round = geometry.round(geometry.rounds() - 1);
        long lastEnd = 0;
        for (int chunk = 0; chunk < scratchChunks; chunk++) {
            List<Piece> pieces = round.scratchPieces(round.chunks(chunk, 1));
            assertEquals(1, pieces.size());
            Piece piece = pieces.getFirst();
            assertEquals(chunk * slot, piece.real());
            assertEquals(round.chunkBytes(), piece.length());
            assertTrue(piece.real() >= lastEnd);
            lastEnd = piece.real() + piece.length();
        }
        // A reference to several chunks covers the same bytes as the references to each.
        long covered = round.scratchPieces(round.chunks(0, scratchChunks)).stream()
                .mapToLong(Piece::length)
                .sum();
        assertEquals(scratchChunks * round.chunkBytes(), covered);
    }

    @Property(tries = 200)
    void iterationsCoverTheirChunks(
            @ForAll @LongRange(min = 0, max = TERABYTES) long sliceBytes,
            @ForAll @IntRange(min = 0, max = 64) int chunks,
            @ForAll @IntRange(min = 1, max = 1 << 20) int units) {
        long unitSize = units * 16L;
        RoundLayout round =
                new RoundLayout(sliceBytes, 0, sliceBytes, 64, LaunchGeometry.chunkBytes(sliceBytes, 64, 16), 0);
        long iterations = round.iterations(chunks, unitSize);
        assertTrue(iterations * unitSize >= chunks * round.chunkBytes());
        assertTrue(iterations == 0 || (iterations - 1) * unitSize < chunks * round.chunkBytes());
    }

    @Example
    void testPlansMayHaveBuffersOfDifferentSizes() {
        Plan plan = PlanReader.read("""
                {"name": "test", "collective": "test", "protocol": "Simple", "inplace": false, "gpus": [
                {"id": 0, "input_chunks": 3, "output_chunks": 1, "scratch_chunks": 0, "threadblocks": [], "channels": [],
                "remote_buffers": []},
                {"id": 1, "input_chunks": 0, "output_chunks": 2, "scratch_chunks": 0, "threadblocks": [], "channels": [],
                "remote_buffers": []}]}
                """, "test");
        assertEquals(3, LaunchGeometry.chunksPerSlice(plan));
    }
}

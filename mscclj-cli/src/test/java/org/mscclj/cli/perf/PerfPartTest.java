package org.mscclj.cli.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.cli.measure.LaunchMethod;
import org.mscclj.cli.perf.peer.LibraryPeer;
import org.mscclj.cli.perf.peer.Peer;
import org.mscclj.cli.perf.peer.PeerCall;
import org.mscclj.cli.perf.peer.PeerTimer;
import org.mscclj.cli.perf.peer.RankPeer;
import org.mscclj.cli.perf.peer.ThreadLibrary;
import org.mscclj.cli.ranks.RankSession;
import org.mscclj.cli.ranks.RankSettings;
import org.mscclj.cli.ranks.ThreadRanks;

/** Measurements with peers, with threads on the host backend. */
class PerfPartTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final StringWriter table = new StringWriter();
    private final StringWriter notes = new StringWriter();

    /** A peer that records its calls, and takes 1,000 ns for each. */
    private record CountingPeer(int mostTurns, List<String> log) implements Peer, RankPeer, PeerTimer {
        @Override
        public String name() {
            return "counting";
        }

        @Override
        public String description() {
            return "counts";
        }

        @Override
        public RankPeer join(RankSession session) {
            return this;
        }

        @Override
        public Optional<PeerTimer> prepare(PeerCall call) {
            log.add("prepare " + call.launches());
            return Optional.of(this);
        }

        @Override
        public double[] time(int batches) {
            log.add("time " + batches);
            double[] nanos = new double[batches];
            Arrays.fill(nanos, 1_000);
            return nanos;
        }

        @Override
        public void close() {
            log.add("close");
        }
    }

    @Test
    void batchesAreTakenByTurns() {
        List<String> log = new ArrayList<>();
        PerfReport report = run(1, 5, BufferPlacement.OUT_OF_PLACE, Optional.of(new CountingPeer(2, log)));
        assertEquals(
                List.of("time 3", "time 2"),
                log.stream().filter(line -> line.startsWith("time")).toList());
        log.clear();
        run(1, 3, BufferPlacement.OUT_OF_PLACE, Optional.of(new CountingPeer(Integer.MAX_VALUE, log)));
        assertEquals("prepare", log.getFirst().split(" ")[0]);
        assertEquals(List.of("time 1", "time 1", "time 1", "close", "close"), log.subList(1, 6));
        Measurement measurement = only(report);
        assertEquals(
                measurement.peerMicros().orElseThrow() / measurement.micros().orElseThrow(),
                measurement.ratio().orElseThrow());
        assertEquals(1.0 / measurement.launches(), measurement.peerMicros().orElseThrow(), 1e-9);
        assertTrue(
                table.toString().contains("# counting: its time, and how many times as fast as it we are; counts"),
                table.toString());
    }

    @Test
    void aLibraryIsMeasuredInTheSameThreads() {
        ThreadLibrary library = new ThreadLibrary("host");
        PerfReport report = run(2, 4, BufferPlacement.OUT_OF_PLACE, Optional.of(peer(library, false)));
        assertTrue(report.isRight(), notes.toString());
        assertTrue(only(report).ratio().isPresent());
        assertEquals(
                List.of("opened with 42", "opened with 42", "closed", "closed"),
                library.log.stream().filter(line -> !line.startsWith("asked")).toList());
        assertEquals(4, Collections.frequency(library.log, "asked for registered memory"), "two buffers of two ranks");
        assertTrue(table.toString().contains("a library of tests, registered memory"), table.toString());
        assertEquals(List.of(), noted("threads"));
    }

    @Test
    void unsupportedCallsOfTheLibraryAreNotedOnceAndLeftOut() {
        PerfReport report = run(2, 2, BufferPlacement.IN_PLACE, Optional.of(peer(new ThreadLibrary("host"), false)));
        assertTrue(report.isRight(), notes.toString());
        assertTrue(only(report).micros().isPresent());
        assertTrue(only(report).peerMicros().isEmpty());
        assertEquals(List.of("threads: only allgather, out of place"), noted("threads"));
    }

    @Test
    void symmetricMemoryIsNotReplacedByOther() {
        ThreadLibrary library = new ThreadLibrary("host");
        UnsupportedException refused = assertThrows(
                UnsupportedException.class,
                () -> run(2, 2, BufferPlacement.OUT_OF_PLACE, Optional.of(peer(library, true))));
        assertEquals("no memory of its own", refused.getMessage());
        assertTrue(library.log.contains("asked for symmetric memory"), library.log.toString());
        assertTrue(library.log.contains("aborted"), "nobody waits for who does not come any more");
    }

    @Test
    void aLibraryForOtherDevicesIsRefused() {
        InvalidArgumentException refused = assertThrows(
                InvalidArgumentException.class,
                () -> run(2, 2, BufferPlacement.OUT_OF_PLACE, Optional.of(peer(new ThreadLibrary("cuda"), false))));
        assertTrue(refused.getMessage().contains("devices of backend host"), refused.getMessage());
    }

    private LibraryPeer peer(ThreadLibrary library, boolean symmetric) {
        PrintWriter lines = new PrintWriter(notes, true);
        return new LibraryPeer(library, symmetric, lines::println);
    }

    private List<String> noted(String beginning) {
        return notes.toString()
                .lines()
                .filter(line -> line.startsWith(beginning))
                .toList();
    }

    private static Measurement only(PerfReport report) {
        return report.results()
                .orElseThrow()
                .rows()
                .getFirst()
                .all()
                .findFirst()
                .orElseThrow();
    }

    private PerfReport run(int ranks, int iterations, BufferPlacement placement, Optional<Peer> peer) {
        PerfSettings settings = new PerfSettings(
                Collective.ALLGATHER,
                ranks,
                List.of(32L),
                DataType.INT32,
                ReduceOp.NOP,
                0,
                Optional.empty(),
                List.of(placement),
                LaunchMethod.EAGER,
                Optional.empty(),
                iterations,
                Optional.of(0),
                true,
                1);
        PerfReport report = new PerfReport(
                new PrintWriter(table, true), new PrintWriter(notes, true), "host", peer.map(PeerHeader::of));
        new ThreadRanks(LocalGroupOptions.ranks(ranks).backend("host").timeout(TIMEOUT))
                .run(RankSettings.of(TIMEOUT), new PerfPart(settings, peer, report));
        return report;
    }
}

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
import org.mscclj.cli.measure.Sampling;
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
    private record CountingPeer(String name, int mostTurns, List<String> log) implements Peer, RankPeer, PeerTimer {
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
        public void warmUp(Duration time) {
            log.add("warm up " + time.toMillis());
        }

        @Override
        public double[] time(int samples) {
            log.add("time " + samples);
            double[] nanos = new double[samples];
            Arrays.fill(nanos, 1_000);
            return nanos;
        }

        @Override
        public void close() {
            log.add("close");
        }
    }

    @Test
    void samplesAreTakenByTurns() {
        List<String> log = new ArrayList<>();
        PerfReport report = run(1, 5, BufferPlacement.OUT_OF_PLACE, counting(2, log));
        assertEquals(
                List.of("time 3", "time 2"),
                log.stream().filter(line -> line.startsWith("time")).toList());
        log.clear();
        run(1, 3, BufferPlacement.OUT_OF_PLACE, counting(Integer.MAX_VALUE, log));
        assertEquals("prepare", log.getFirst().split(" ")[0]);
        assertEquals(List.of("time 1", "time 1", "time 1", "close", "close"), log.subList(1, 6));
        Measurement measurement = only(report);
        assertEquals(
                measurement.peerMicros(0).orElseThrow() / measurement.micros().orElseThrow(),
                measurement.ratio(0).orElseThrow());
        assertEquals(
                1.0 / measurement.plan().orElseThrow().timedLaunches(),
                measurement.peerMicros(0).orElseThrow(),
                1e-9);
        assertTrue(
                table.toString().contains("# counting: its time, and how many times as fast as it we are; counts"),
                table.toString());
    }

    private static List<Peer> counting(int mostTurns, List<String> log) {
        return List.of(new CountingPeer("counting", mostTurns, log));
    }

    @Test
    void severalPeersTakeTurnsAndHaveColumnsOfTheirOwn() {
        List<String> log = new ArrayList<>();
        Peer first = new CountingPeer("one", Integer.MAX_VALUE, log);
        Peer second = new CountingPeer("two", 2, log);
        List<Peer> peers = List.of(first, peer(new ThreadLibrary("host"), false), second);
        PerfReport report = run(2, 4, BufferPlacement.IN_PLACE, peers);
        assertEquals(
                8, log.stream().filter("time 2"::equals).count(), "two turns of two samples, two peers, two ranks");
        Measurement measurement = only(report);
        assertTrue(measurement.ratio(0).isPresent());
        assertTrue(measurement.ratio(1).isEmpty(), "the library does not support the call");
        assertTrue(measurement.ratio(2).isPresent());
        String header = table.toString()
                .lines()
                .filter(line -> line.contains("redop"))
                .findFirst()
                .orElseThrow();
        assertTrue(header.matches(".* one +spread +ratio +threads +spread +ratio +two +spread +ratio"), header);
    }

    @Test
    void aLibraryIsMeasuredInTheSameThreads() {
        ThreadLibrary library = new ThreadLibrary("host");
        PerfReport report = run(2, 4, BufferPlacement.OUT_OF_PLACE, List.of(peer(library, false)));
        assertTrue(report.isRight(), notes.toString());
        assertTrue(only(report).ratio(0).isPresent());
        assertEquals(
                List.of("opened with 42", "opened with 42", "closed", "closed"),
                library.log.stream().filter(line -> !line.startsWith("asked")).toList());
        assertEquals(4, Collections.frequency(library.log, "asked for registered memory"), "two buffers of two ranks");
        assertTrue(table.toString().contains("a library of tests, registered memory"), table.toString());
        assertEquals(List.of(), noted("threads"));
    }

    @Test
    void unsupportedCallsOfTheLibraryAreNotedOnceAndLeftOut() {
        PerfReport report = run(2, 2, BufferPlacement.IN_PLACE, List.of(peer(new ThreadLibrary("host"), false)));
        assertTrue(report.isRight(), notes.toString());
        assertTrue(only(report).micros().isPresent());
        assertTrue(only(report).peerMicros(0).isEmpty());
        assertEquals(List.of("threads: only allgather, out of place"), noted("threads"));
    }

    @Test
    void symmetricMemoryIsNotReplacedByOther() {
        ThreadLibrary library = new ThreadLibrary("host");
        UnsupportedException refused = assertThrows(
                UnsupportedException.class,
                () -> run(2, 2, BufferPlacement.OUT_OF_PLACE, List.of(peer(library, true))));
        assertEquals("no memory of its own", refused.getMessage());
        assertTrue(library.log.contains("asked for symmetric memory"), library.log.toString());
        assertTrue(library.log.contains("aborted"), "nobody waits for who does not come any more");
    }

    @Test
    void aLibraryForOtherDevicesIsRefused() {
        InvalidArgumentException refused = assertThrows(
                InvalidArgumentException.class,
                () -> run(2, 2, BufferPlacement.OUT_OF_PLACE, List.of(peer(new ThreadLibrary("cuda"), false))));
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

    private PerfReport run(int ranks, int iterations, BufferPlacement placement, List<Peer> peers) {
        PerfSettings settings = new PerfSettings(
                Collective.ALLGATHER,
                ranks,
                List.of(32L),
                DataType.INT32,
                ReduceOp.NOP,
                0,
                Optional.empty(),
                List.of(placement),
                new Sampling(
                        LaunchMethod.EAGER,
                        Optional.empty(),
                        Optional.empty(),
                        iterations,
                        Optional.of(Duration.ofMillis(1))),
                true,
                1);
        PerfReport report = new PerfReport(
                new PrintWriter(table, true),
                new PrintWriter(notes, true),
                "host",
                peers.stream().map(PeerHeader::of).toList());
        new ThreadRanks(LocalGroupOptions.ranks(ranks).backend("host").timeout(TIMEOUT))
                .run(RankSettings.of(TIMEOUT), new PerfPart(settings, peers, report));
        return report;
    }
}

package org.mscclj.plan.preference;

import java.util.List;
import java.util.stream.Stream;
import org.mscclj.api.tuning.TuningChoice;
import org.mscclj.api.type.Collective;

/**
 * The fastest programs on GPUs that NVLink connects and that send lines of 128 bytes, where thresholds are more than 2
 * % slower. {@code mscclj tune COLLECTIVE --backend cuda --ranks 2 --procs} on two H200 gave the rows;
 * {@code docs/results/performance-gpu.md} has the times.
 */
final class LinkedGpus {
    private static final String DEFAULT = TuningChoice.DEFAULT;

    /** Few blocks of lines can be launched early, while the kernel before still runs. */
    private static final List<Row> SMALL_SUMS = List.of(
            new Row(0, DEFAULT),
            new Row(32 << 10, "packets_ll128@24"),
            new Row(128 << 10, "packets_ll128@32"),
            new Row(256 << 10, "packets_ll128@48"),
            new Row(512 << 10, DEFAULT),
            new Row(1 << 20, "packets_ll128@48"));

    /** From 1.5 MiB on, reads from the peer win. */
    private static final List<Row> LARGE_SUMS = List.of(
            new Row(3 << 19, "direct@32"),
            new Row(4 << 20, DEFAULT),
            new Row(16 << 20, "direct@128"),
            new Row(128 << 20, DEFAULT));

    private static final List<Row> LARGE_SUMS_OF_PLAIN_MEMORY = List.of(
            new Row(3 << 19, DEFAULT),
            new Row(4 << 20, "ring@64x256"),
            new Row(8 << 20, "scratch@128x256"),
            new Row(16 << 20, "ring@128x256"));

    private static final List<Row> ALL_GATHER = List.of(
            new Row(0, DEFAULT),
            new Row(64 << 10, "packets_ll128@24"),
            new Row(256 << 10, "packets_ll128@48"),
            new Row(1 << 20, DEFAULT),
            new Row(2 << 20, "packets_ll128@48"),
            new Row(4 << 20, "direct_store@32x256"),
            new Row(16 << 20, DEFAULT));

    private static final List<Row> REDUCE_SCATTER = List.of(
            new Row(0, DEFAULT),
            new Row(128 << 10, "packets_ll128@32"),
            new Row(512 << 10, "packets_ll128@64"),
            new Row(1 << 20, DEFAULT),
            new Row(2 << 20, "packets_ll128@48"),
            new Row(4 << 20, "direct@32"),
            new Row(8 << 20, DEFAULT));

    private static final List<Row> ALL_TO_ALL = List.of(
            new Row(0, DEFAULT),
            new Row(128 << 10, "packets_ll128@32"),
            new Row(512 << 10, "packets_ll128@64"),
            new Row(1 << 20, DEFAULT),
            new Row(2 << 20, "packets_ll128@48"),
            new Row(4 << 20, "direct@64x256"),
            new Row(8 << 20, "direct_store@128x256"),
            new Row(32 << 20, DEFAULT));

    private static final List<Row> BROADCAST = List.of(
            new Row(0, DEFAULT),
            new Row(64 << 10, "packets@16"),
            new Row(128 << 10, DEFAULT),
            new Row(256 << 10, "packets_ll128@32x256"),
            new Row(512 << 10, "packets_ll128@128x256"),
            new Row(1 << 20, "scratch@32x256"),
            new Row(16 << 20, DEFAULT));

    /** The rows of all collectives that were measured. */
    static final SelectionTable TABLE = new SelectionTable(Stream.of(
                    rows(Collective.ALLREDUCE, true, SMALL_SUMS),
                    rows(Collective.ALLREDUCE, true, LARGE_SUMS),
                    rows(Collective.ALLREDUCE, false, SMALL_SUMS),
                    rows(Collective.ALLREDUCE, false, LARGE_SUMS_OF_PLAIN_MEMORY),
                    rows(Collective.ALLGATHER, true, ALL_GATHER),
                    rows(Collective.REDUCESCATTER, true, REDUCE_SCATTER),
                    rows(Collective.ALLTOALL, true, ALL_TO_ALL),
                    rows(Collective.BROADCAST, true, BROADCAST))
            .flatMap(List::stream)
            .toList());

    private LinkedGpus() {}

    private record Row(long leastBytes, String algorithm) {}

    private static List<SelectionRow> rows(Collective collective, boolean registered, List<Row> rows) {
        return rows.stream()
                .map(row -> SelectionRow.of(collective, 2, registered, row.leastBytes(), row.algorithm()))
                .toList();
    }
}

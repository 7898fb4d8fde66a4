package org.mscclj.cli.selftest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsablePeerTest {
    @TempDir
    Path folder;

    private static List<String> compared(Peer peer) {
        SelftestPlan plan = new SelftestPlan(
                EnumSet.of(PartKind.PERF),
                Optional.empty(),
                List.of(2, 4),
                List.of(Where.PROCESSES),
                List.of(),
                List.of(),
                Optional.of(peer),
                false,
                Path.of("out"));
        return PerfParts.of(plan).stream()
                .filter(part -> part.arguments().contains("--peer"))
                .map(Part::fileName)
                .toList();
    }

    /** NCCL refuses ranks that share one: {@code Duplicate GPU detected}. */
    @Test
    void ncclNeedsAGpuForEachRank() throws IOException {
        Path log = folder.resolve("peer.log");
        Files.writeString(log, """
                backends
                  cuda             available: 2 NVIDIA GPUs, driver for CUDA 13.0, NVRTC 13.0
                fallbacks
                  nccl             available: NCCL 2.28.3, libnccl.so.2
                """);
        Peer peer = new Peer("nccl", UsablePeer.mostRanks(log));
        assertEquals(2, peer.mostRanks());
        assertEquals(List.of("perf-allreduce-2-processes"), compared(peer));
        assertEquals(List.of(), compared(new Peer("nccl", 1)));
        assertEquals(
                List.of("perf-allreduce-2-processes", "perf-allreduce-4-processes"), compared(Peer.always("nccl")));
    }
}

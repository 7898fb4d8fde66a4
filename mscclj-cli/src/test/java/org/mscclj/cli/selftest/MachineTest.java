package org.mscclj.cli.selftest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The parts for different machines. */
class MachineTest {
    @TempDir
    Path folder;

    private static SelftestPlan plan(PartKind kind, Path... plans) {
        return new SelftestPlan(
                EnumSet.of(kind),
                Optional.of("cuda"),
                List.of(2, 4),
                List.of(),
                List.of(RankKind.THREADS, RankKind.PROCESSES),
                List.of(plans),
                List.of(),
                Optional.empty(),
                0,
                false,
                Path.of("out"));
    }

    private static List<String> compared(ComparedLibrary peer) {
        return PerfParts.of(plan(PartKind.PERF).withPeer(peer)).stream()
                .filter(part -> part.where().equals(Optional.of(RankKind.PROCESSES)))
                .filter(part -> part.arguments().contains("--peer"))
                .map(SelftestPart::fileName)
                .toList();
    }

    private Machine machine(String text) throws IOException {
        Path log = folder.resolve("machine.log");
        Files.writeString(log, text);
        return new Machine(log, Optional.empty());
    }

    private Machine ofTwoGpus() throws IOException {
        return machine("""
                backends
                  cuda             available: 2 NVIDIA GPUs, driver for CUDA 13.0, NVRTC 13.0
                fallbacks
                  nccl             available: NCCL 2.28.3, libnccl.so.2
                """);
    }

    @Test
    void readsTheMachine() throws IOException {
        assertEquals(2, ofTwoGpus().gpus(Optional.of("cuda")));
        assertEquals(2, ofTwoGpus().gpus(Optional.empty()));
        assertEquals(0, ofTwoGpus().gpus(Optional.of("rocm")));
        assertEquals(Optional.empty(), ofTwoGpus().obstacle("nccl"));
        Machine none = machine("""
                backends
                  cuda             not available: no driver
                """);
        assertEquals(0, none.gpus(Optional.of("cuda")));
        Machine amd = machine("  rocm             available: 1 AMD GPU, driver for HIP 6.3, hipRTC of HIP 6.3.0\n");
        assertEquals(1, amd.gpus(Optional.of("rocm")));
        assertTrue(none.obstacle("nccl").orElse("").startsWith("nccl cannot be used; "));
        Machine silent = new Machine(folder.resolve("none"), Optional.of("it hangs"));
        assertEquals(0, silent.gpus(Optional.of("cuda")));
        assertEquals(Optional.of("it hangs"), silent.obstacle("nccl"));
    }

    /** NCCL rejects ranks that share a GPU: {@code Duplicate GPU detected}. */
    @Test
    void ncclNeedsAGpuForEachRank() throws IOException {
        ComparedLibrary peer = new ComparedLibrary("nccl", ofTwoGpus().gpus(Optional.of("cuda")));
        assertEquals(List.of("perf-allreduce-2-processes"), compared(peer));
        assertEquals(List.of(), compared(new ComparedLibrary("nccl", 1)));
        assertEquals(
                List.of("perf-allreduce-2-processes", "perf-allreduce-4-processes"),
                compared(ComparedLibrary.always("nccl")));
    }

    @Test
    void processesThatShareGpusRunPlansWithFewerTypesAndSizes() throws IOException {
        Path unreadable = Files.writeString(folder.resolve("any.json"), "counts for all numbers of ranks");
        SelftestPlan plan = plan(PartKind.PLANS, unreadable);
        assertEquals(List.of(), withOneType(plan));
        assertEquals(
                List.of("plans-4-processes"),
                withOneType(plan.withGpus(ofTwoGpus().gpus(Optional.of("cuda")))));
        assertEquals(List.of("plans-2-processes", "plans-4-processes"), withOneType(plan.withGpus(1)));
        assertEquals(List.of(), withOneType(plan.withGpus(4)));
    }

    private static List<String> withOneType(SelftestPlan plan) {
        return SelftestParts.of(plan).stream()
                .filter(part -> part.arguments().contains("float32"))
                .map(SelftestPart::fileName)
                .toList();
    }
}

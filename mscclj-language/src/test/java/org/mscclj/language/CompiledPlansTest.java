package org.mscclj.language;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanReader;

class CompiledPlansTest {
    private static final AlgoSpec SPEC = AlgoSpec.builder("copies", ProgramCollective.allReduce(2, 4, false))
            .instances(2)
            .build();

    @TempDir
    private Path folder;

    /** Copies a chunk. */
    private static Function<AlgoSpec, CollectiveProgram> copying(int chunk) {
        return spec -> CollectiveProgram.define(
                spec,
                program -> program.ranks()
                        .forEach(rank -> rank.copy(
                                rank.output().chunk(chunk), rank.input().chunk(chunk), 0)));
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    @Test
    void compileWritesTheFile() throws IOException {
        CompiledPlans plans = CompiledPlans.in(folder.resolve("not", "yet", "there"));
        Plan plan = plans.compile(copying(0), SPEC);
        assertEquals(copying(0).apply(SPEC).compile(), plan);
        assertEquals(plan, PlanReader.read(plans.file(plan)));
        assertEquals(plans.directory(), plans.file(plan).getParent());
        assertTrue(plans.file(plan).getFileName().toString().matches("copies-[0-9a-f]{64}\\.json"));
    }

    @Test
    void unchangedProgramReusesItsFile() throws IOException {
        CompiledPlans plans = CompiledPlans.in(folder);
        Path file = plans.file(plans.compile(copying(0), SPEC));
        FileTime time = FileTime.fromMillis(1_000_000_000_000L);
        Files.setLastModifiedTime(file, time);
        assertEquals(file, plans.file(CompiledPlans.in(folder).compile(copying(0), SPEC)));
        assertEquals(time, Files.getLastModifiedTime(file));
        assertEquals(List.of(file), files());
    }

    @Test
    void planIsWrittenOnceAndListed() throws IOException {
        CompiledPlans plans = CompiledPlans.in(folder.resolve("new"));
        assertEquals(List.of(), plans.files());
        Plan plan = copying(0).apply(SPEC).compile();
        assertEquals(new CompiledPlans.PlanFile(plans.file(plan), true), plans.keep(plan));
        assertEquals(new CompiledPlans.PlanFile(plans.file(plan), false), plans.keep(plan));
        assertEquals(List.of(plans.file(plan)), plans.files());
        Path file = Files.writeString(folder.resolve("file"), "");
        assertThrows(
                InvalidArgumentException.class, () -> CompiledPlans.in(file).files());
    }

    @Test
    void programsWithEqualSpecificationsHaveSeparateFiles() throws IOException {
        CompiledPlans plans = CompiledPlans.in(folder);
        Plan first = plans.compile(copying(0), SPEC);
        Plan second = plans.compile(copying(1), SPEC);
        assertNotEquals(first, second);
        assertEquals(first, PlanReader.read(plans.file(first)));
        assertEquals(second, PlanReader.read(plans.file(second)));
        assertEquals(2, files().size());
    }

    @Test
    void everyChangeOfThePlanChangesTheFile() {
        CompiledPlans plans = CompiledPlans.in(folder);
        AlgoSpec.Builder other = AlgoSpec.builder("copies", ProgramCollective.allReduce(2, 4, false));
        Path file = plans.file(plans.compile(copying(0), other.build()));
        assertNotEquals(file, plans.file(plans.compile(copying(0), SPEC)));
        assertNotEquals(
                file,
                plans.file(plans.compile(copying(0), other.threadsPerBlock(512).build())));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{}", "another file's content"})
    void aFileWithOtherContentIsReplaced(String content) throws IOException {
        CompiledPlans plans = CompiledPlans.in(folder);
        Plan plan = plans.compile(copying(0), SPEC);
        Files.writeString(plans.file(plan), content);
        assertEquals(plan, plans.compile(copying(0), SPEC));
        assertEquals(plan, PlanReader.read(plans.file(plan)));
        assertEquals(List.of(plans.file(plan)), files());
    }

    @Test
    void fileWithOneChangedByteIsReplaced() throws IOException {
        CompiledPlans plans = CompiledPlans.in(folder);
        Plan plan = plans.compile(copying(0), SPEC);
        byte[] json = Files.readAllBytes(plans.file(plan));
        json[json.length / 2] ^= 1;
        Files.write(plans.file(plan), json);
        plans.compile(copying(0), SPEC);
        assertEquals(plan, PlanReader.read(plans.file(plan)));
    }

    @Test
    void severalThreadsMayCompileAtOnce() throws Exception {
        int threads = 8;
        CyclicBarrier start = new CyclicBarrier(threads);
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            List<Future<Plan>> compiled = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int chunk = i % 2;
                compiled.add(executor.submit(() -> {
                    start.await();
                    Plan plan = CompiledPlans.in(folder).compile(copying(chunk), SPEC);
                    // The file is complete as soon as any thread has compiled.
                    assertEquals(plan, PlanReader.read(CompiledPlans.in(folder).file(plan)));
                    return plan;
                }));
            }
            for (Future<Plan> plan : compiled) {
                get(plan);
            }
        }
        assertEquals(2, files().size());
    }

    private static void get(Future<Plan> plan) throws InterruptedException {
        try {
            plan.get();
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }

    /** The superuser may write to read-only directories, so a file replaces the directory. */
    @Test
    void messageNamesAnUnwritableFolder() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        CompiledPlans plans = CompiledPlans.in(file.resolve("plans"));
        String message = assertThrows(InvalidArgumentException.class, () -> plans.compile(copying(0), SPEC))
                .getMessage();
        assertTrue(message.startsWith(file.resolve("plans").toString()), message);
        assertTrue(message.contains("MSCCLJ_CACHE_DIR") && message.contains("CollectiveProgram.compile()"), message);
    }

    @Test
    void failedMoveLeavesNoFile() throws IOException {
        CompiledPlans plans = CompiledPlans.in(folder);
        Path file = plans.file(copying(0).apply(SPEC).compile());
        Files.createDirectories(file.resolve("a folder that is not empty"));
        assertThrows(InvalidArgumentException.class, () -> plans.compile(copying(0), SPEC));
        assertEquals(List.of(file), files());
    }

    @Test
    void existingPlanNeedsNoWritableFolder() throws IOException {
        CompiledPlans plans = CompiledPlans.in(folder);
        Plan plan = plans.compile(copying(0), SPEC);
        boolean readOnly = folder.toFile().setWritable(false);
        try {
            assertEquals(plan, plans.compile(copying(0), SPEC));
        } finally {
            assertEquals(readOnly, folder.toFile().setWritable(true));
        }
    }

    @Test
    void programWithAnotherSpecificationIsRefused() {
        AlgoSpec other = AlgoSpec.builder("other", SPEC.collective()).build();
        String message = assertThrows(
                        InvalidArgumentException.class,
                        () -> CompiledPlans.in(folder).compile(_ -> copying(0).apply(other), SPEC))
                .getMessage();
        assertTrue(message.startsWith("program copies is defined with another specification"), message);
    }

    @Test
    void namesOfAnyKindGiveFilesInTheFolder() throws IOException {
        for (String name : List.of("../up", "a/b", ".", "…", "x".repeat(1000), "two\nlines")) {
            AlgoSpec spec = AlgoSpec.builder(name, SPEC.collective()).build();
            CompiledPlans plans = CompiledPlans.in(folder);
            Plan plan = plans.compile(copying(0), spec);
            assertEquals(folder, plans.file(plan).getParent());
            assertEquals(plan, PlanReader.read(plans.file(plan)));
        }
        assertEquals(6, files().size());
    }
}

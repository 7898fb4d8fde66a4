package org.mscclj.cli.faults;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The resources of a JVM.
 *
 * @param threads of Java, virtual ones too
 * @param tasks of the operating system, the carriers of virtual threads among them
 * @param files open file descriptors
 * @param mappings of memory
 * @param heapBytes on the heap after a collection
 */
record JvmStatus(long threads, long tasks, long files, long mappings, long heapBytes) {
    private static final int COLLECTIONS = 4;

    /** Of this JVM, now. */
    static JvmStatus now() throws IOException {
        for (int collection = 0; collection < COLLECTIONS; collection++) {
            System.gc();
        }
        // The use at the collection: since then threads have reserved allocation buffers.
        long heap = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(MemoryPoolMXBean::getCollectionUsage)
                .filter(Objects::nonNull)
                .mapToLong(MemoryUsage::getUsed)
                .sum();
        return new JvmStatus(
                countThreads(), entries("/proc/self/task"), entries("/proc/self/fd"), countMappings(), heap);
    }

    private static long entries(String folder) throws IOException {
        try (Stream<Path> entries = Files.list(Path.of(folder))) {
            return entries.count();
        }
    }

    private static long countMappings() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.count();
        }
    }

    /** Only a dump lists virtual threads. */
    private static long countThreads() throws IOException {
        Path file = Path.of(
                        System.getProperty("java.io.tmpdir"),
                        "threads-" + ProcessHandle.current().pid())
                .toAbsolutePath();
        try {
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpThreads(file.toString(), ThreadDumpFormat.JSON);
            return Files.readString(file).split("\"tid\":").length - 1L;
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /** As numbers that {@link #parse} reads. */
    String text() {
        return Stream.of(threads, tasks, files, mappings, heapBytes)
                .map(number -> Long.toString(number))
                .collect(Collectors.joining(" "));
    }

    static JvmStatus parse(String text) {
        long[] numbers = Arrays.stream(text.strip().split(" "))
                .mapToLong(Long::parseLong)
                .toArray();
        return new JvmStatus(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]);
    }
}

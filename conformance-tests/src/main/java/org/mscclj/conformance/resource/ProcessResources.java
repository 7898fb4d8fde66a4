package org.mscclj.conformance.resource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.mscclj.spi.waiting.Backoff;

/**
 * The resources that this process holds.
 *
 * @param threads names of the running threads, in order, except for the carriers of virtual threads: the VM starts
 *     these at times of its own choice, up to a limit of its own
 * @param children number of child processes
 * @param files number of open file descriptors; empty if the system does not report it
 * @param heapBytes bytes of objects in use
 * @param nativeBytes bytes of resident memory that holds no objects in use, free parts of the heap included; empty if
 *     the system does not report it
 */
public record ProcessResources(
        List<String> threads, long children, OptionalLong files, long heapBytes, OptionalLong nativeBytes) {
    /** Memory that a requested collection does not free, but a more thorough one does. */
    private static final long SLACK_OF_HEAP = 48L << 20;

    /** The output of compilers, and the free parts of a heap that was larger meanwhile. */
    private static final long SLACK_OF_NATIVE = 1L << 30;

    private static final long HEAP_OF_A_ROUND = 256L << 10;
    private static final long NATIVE_OF_A_ROUND = 1L << 20;

    private static final int LOOKS = 20;
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String RESIDENT = "VmRSS:";
    private static final String CARRIER = "jdk.internal.misc.CarrierThread";
    private static final String DIAGNOSTICS = "com.sun.management:type=DiagnosticCommand";
    private static final String TRIM = "systemTrimNativeHeap";

    /**
     * Returns the current resources, without garbage, and without memory that was freed but that the C library keeps.
     */
    public static ProcessResources now() {
        System.gc();
        trimNativeHeap();
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        return new ProcessResources(
                Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> !thread.getClass().getName().equals(CARRIER))
                        .map(Thread::getName)
                        .sorted()
                        .toList(),
                ProcessHandle.current().children().count(),
                openFiles(),
                heap.getUsed(),
                resident(heap.getUsed()));
    }

    /**
     * Makes the C library return freed memory to the system. After a peak it keeps hundreds of megabytes, which would
     * look like memory in use. Where the VM cannot make the C library return memory, as on Linux with a C library other
     * than GNU's, it does not have this command.
     */
    private static void trimNativeHeap() {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        try {
            ObjectName diagnostics = new ObjectName(DIAGNOSTICS);
            if (server.isRegistered(diagnostics)
                    && Arrays.stream(server.getMBeanInfo(diagnostics).getOperations())
                            .anyMatch(command -> command.getName().equals(TRIM))) {
                server.invoke(diagnostics, TRIM, new Object[0], new String[0]);
            }
        } catch (JMException e) {
            throw new IllegalStateException("the C library cannot be made to give back what it keeps", e);
        }
    }

    private static OptionalLong openFiles() {
        if (!Files.isDirectory(DESCRIPTORS)) {
            return OptionalLong.empty();
        }
        try (Stream<Path> files = Files.list(DESCRIPTORS)) {
            return OptionalLong.of(files.count());
        } catch (IOException e) {
            throw new UncheckedIOException("open files cannot be counted", e);
        }
    }

    private static OptionalLong resident(long heapBytes) {
        if (!Files.isReadable(STATUS)) {
            return OptionalLong.empty();
        }
        try (Stream<String> lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith(RESIDENT))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                    .map(bytes -> Math.max(0, bytes - heapBytes))
                    .findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException("memory of this process cannot be read", e);
        }
    }

    /**
     * Returns the resources when no more are held than earlier, or when the time has passed. Threads and files may take
     * some time to end.
     */
    public static ProcessResources settled(ProcessResources earlier, Duration timeout) {
        Backoff backoff = Backoff.every(timeout.toNanos() / LOOKS);
        backoff.start(timeout);
        ProcessResources now = now();
        while (!now.growthSince(earlier).isEmpty() && backoff.pause("waiting for threads and files to end")) {
            now = now();
        }
        return now;
    }

    /** Describes what has grown since earlier; empty if nothing has. */
    public List<String> growthSince(ProcessResources earlier) {
        List<String> growth = new ArrayList<>();
        List<String> more = new ArrayList<>(threads);
        earlier.threads.forEach(more::remove);
        if (threads.size() > earlier.threads.size()) {
            growth.add(threads.size() + " threads, where there were " + earlier.threads.size() + ": also " + more);
        }
        add(growth, "child processes", earlier.children, children, 0);
        if (files.isPresent() && earlier.files.isPresent()) {
            add(growth, "open files", earlier.files.getAsLong(), files.getAsLong(), 0);
        }
        add(growth, "bytes of heap", earlier.heapBytes, heapBytes, SLACK_OF_HEAP);
        if (nativeBytes.isPresent() && earlier.nativeBytes.isPresent()) {
            add(
                    growth,
                    "bytes outside the heap",
                    earlier.nativeBytes.getAsLong(),
                    nativeBytes.getAsLong(),
                    SLACK_OF_NATIVE);
        }
        return growth;
    }

    /**
     * Describes memory that grows round after round, more slowly than the slack of a single comparison; empty if none
     * grows, or there are too few rounds to tell.
     */
    public static List<String> growthOver(List<ProcessResources> rounds) {
        Growth heap = new Growth(
                "bytes of heap",
                rounds.stream().map(ProcessResources::heapBytes).toList());
        Growth outside = new Growth(
                "bytes outside the heap",
                rounds.stream()
                        .flatMap(round -> round.nativeBytes.stream().boxed())
                        .toList());
        return Stream.of(heap.above(HEAP_OF_A_ROUND), outside.above(NATIVE_OF_A_ROUND))
                .flatMap(Optional::stream)
                .toList();
    }

    private static void add(List<String> growth, String what, long before, long after, long slack) {
        if (after > before + slack) {
            growth.add(after + " " + what + ", where there were " + before);
        }
    }

    /** Describes the resources for reports. */
    @Override
    public String toString() {
        return threads.size() + " threads, " + children + " children, " + text(files, 1) + " files, "
                + (heapBytes >> 20) + " MiB heap, " + text(nativeBytes, 1 << 20) + " MiB besides";
    }

    private static String text(OptionalLong number, long unit) {
        return number.isPresent() ? Long.toString(number.getAsLong() / unit) : "?";
    }
}

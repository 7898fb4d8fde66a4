package org.mscclj.cli.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * If a part that an application needs is missing, each call throws an exception of the API that names what to add, also
 * the second call.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MissingPartsTest {
    private static final String APPLICATION = """
            package application;

            import java.nio.file.Path;
            import org.mscclj.api.*;
            import org.mscclj.api.plan.ExecutionPlan;

            public class Main {
                public static void main(String[] args) {
                    for (int i = 0; i < 2; i++) {
                        report(() -> LocalGroup.open(2).close());
                        report(() -> Communicator.open(CommunicatorOptions.rank(0, 1)).close());
                        if (args.length > 0) {
                            report(() -> ExecutionPlan.load(Path.of(args[0])));
                        }
                    }
                }

                private static void report(Runnable call) {
                    try {
                        call.run();
                        System.out.println("went well");
                    } catch (Throwable e) {
                        System.out.println(e);
                    }
                }
            }
            """;

    /** A provider that does not check whether native access is allowed, as a vendor may write it. */
    private static final String VENDOR = """
            package vendor;

            import java.lang.foreign.MemorySegment;
            import java.util.Set;
            import org.mscclj.api.type.*;
            import org.mscclj.spi.*;
            import org.mscclj.spi.device.*;

            public class VendorProvider implements BackendProvider {
                static class Native {
                    static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
                }

                public String name() {
                    return "vendor";
                }

                public int priority() {
                    return 1000;
                }

                public String description() {
                    return "a device";
                }

                public Availability probe() {
                    return PROBE;
                }

                public Capabilities capabilities() {
                    return new Capabilities(Set.of(DataType.INT32), Set.of(ReduceOp.Kind.SUM), 16,
                            Set.of(Feature.PLANS, Feature.RANKS_AS_THREADS, Feature.RANKS_AS_PROCESSES));
                }

                public Backend open(BackendOptions options) {
                    throw new IllegalStateException("reached " + Native.ALL);
                }
            }
            """;

    private static final List<String> DENIED = List.of("--illegal-native-access=deny");

    @TempDir
    private Path folder;

    private Path classes;

    @BeforeEach
    void compileApplication() throws IOException {
        classes = Files.createDirectories(folder.resolve("classes"));
        compile("Main", APPLICATION, JavaTool.api());
    }

    @Test
    void withoutARuntimeEachCallSaysWhatToAdd() throws IOException {
        for (String line : run(List.of(), JavaTool.api(), 6, "plan.json")) {
            assertTrue(line.startsWith("org.mscclj.api.error.UnsupportedException: "), line);
            assertTrue(line.contains("add org.mscclj:mscclj-runtime"), line);
        }
    }

    @Test
    void aRuntimeThatCannotBeLoadedIsReportedEachTime() throws IOException {
        provide("org.mscclj.api.Platform", "org.mscclj.runtime.OfAnotherVersion");
        for (String line : run(List.of(), JavaTool.api(), 4)) {
            assertTrue(line.startsWith("org.mscclj.api.error.UnsupportedException: "), line);
            assertTrue(line.contains("matching versions"), line);
        }
    }

    @Test
    void withoutNativeAccessEachCallSaysWhatToAdd() throws IOException {
        for (String line : run(DENIED, JavaTool.everything(), 4)) {
            assertTrue(line.startsWith("org.mscclj.api.error.UnsupportedException: "), line);
            assertTrue(line.contains("--enable-native-access=ALL-UNNAMED"), line);
        }
    }

    @Test
    void whereTheModuleOfTheCLibraryIsDeniedItIsNamed() throws IOException {
        String info = JavaTool.run(
                "java",
                "--illegal-native-access=deny",
                "--enable-native-access=org.mscclj.backend.nccl",
                "-p",
                JavaTool.classesOf("org.mscclj.cli") + File.pathSeparator + JavaTool.allModules(),
                "-m",
                "org.mscclj.cli/org.mscclj.cli.Main",
                "info");
        assertTrue(reason(info, "host").endsWith("start Java with --enable-native-access=org.mscclj.posix"), info);
        assertTrue(
                reason(info, "nccl")
                        .contains("start it with --enable-native-access=org.mscclj.posix,org.mscclj.backend.nccl"),
                info);
    }

    private static String reason(String info, String provider) {
        return info.lines()
                .filter(line -> line.strip().startsWith(provider + " "))
                .findFirst()
                .orElseThrow(() -> new AssertionError("nothing about " + provider + ": " + info));
    }

    @Test
    void theNativeCodeOfAVendorIsAskedFor() throws IOException {
        compileVendor("Availability.available()");
        for (String line : run(DENIED, JavaTool.everything(), 4)) {
            assertTrue(line.startsWith("org.mscclj.api.error.UnsupportedException: vendor cannot be used: "), line);
            assertTrue(line.contains("--enable-native-access=ALL-UNNAMED"), line);
        }
    }

    @Test
    void aProbeThatThrowsIsAReason() throws IOException {
        compileVendor("Native.ALL.byteSize() > 0 ? Availability.available() : null");
        for (String line : run(DENIED, JavaTool.everything(), 4)) {
            assertTrue(line.startsWith("org.mscclj.api.error.UnsupportedException: no backend is available"), line);
            assertTrue(line.contains("vendor (not usable: code on the class path may not call native code"), line);
        }
    }

    private void compileVendor(String probe) throws IOException {
        compile("VendorProvider", VENDOR.replace("PROBE", probe), JavaTool.everything());
        provide("org.mscclj.spi.device.BackendProvider", "vendor.VendorProvider");
    }

    private void provide(String service, String provider) throws IOException {
        Path services = Files.createDirectories(classes.resolve("META-INF/services"));
        Files.writeString(services.resolve(service), provider + "\n");
    }

    private void compile(String name, String source, String path) throws IOException {
        Path file = Files.writeString(folder.resolve(name + ".java"), source);
        JavaTool.run("javac", "-nowarn", "-d", classes.toString(), "-cp", path, file.toString());
    }

    /** Returns the reports of the calls, one line each. */
    private List<String> run(List<String> options, String path, int calls, String... arguments) throws IOException {
        List<String> words = new ArrayList<>(options);
        words.addAll(List.of("-cp", classes + File.pathSeparator + path, "application.Main"));
        words.addAll(List.of(arguments));
        List<String> lines = JavaTool.run("java", words.toArray(String[]::new))
                .lines()
                .filter(line -> !line.startsWith("WARNING: "))
                .toList();
        assertEquals(calls, lines.size(), lines::toString);
        return lines;
    }
}

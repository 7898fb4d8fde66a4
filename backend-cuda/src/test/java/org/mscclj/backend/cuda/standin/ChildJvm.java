package org.mscclj.backend.cuda.standin;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Another VM with the classes of this one, on the class path, to which a test speaks line by line. Closing it ends it.
 */
public final class ChildJvm implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;
    private final PrintStream in;

    /** Starts a VM. */
    public ChildJvm(Class<?> main, List<String> options, Map<String, String> environment, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "--illegal-native-access=deny",
                "-cp",
                classPath()));
        command.addAll(options);
        command.add(main.getName());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        out = process.inputReader(StandardCharsets.UTF_8);
        in = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    }

    /** Options by which the VM uses the stand-ins. */
    public static List<String> standIns() {
        return List.of(
                "-Dmscclj.cuda.library=" + StandIn.driver(),
                "-Dmscclj.nvrtc.library=" + StandIn.nvrtc(),
                "-Dmscclj.nvml.library=" + StandIn.driver());
    }

    private static String classPath() {
        // The tests' classes may be patched into the module, and then stand in neither path.
        return String.join(
                File.pathSeparator,
                Path.of("target/classes").toAbsolutePath().toString(),
                Path.of("target/test-classes").toAbsolutePath().toString(),
                System.getProperty("jdk.module.path", ""),
                System.getProperty("java.class.path", ""));
    }

    /** Sends a line. */
    public void say(String line) {
        in.println(line);
    }

    /** The next line that the VM writes. */
    public String hear() {
        try {
            String line = out.readLine();
            if (line == null) {
                throw new IllegalStateException("the VM has ended: " + process.waitFor());
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Ends the VM by SIGKILL. */
    public void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        in.close();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException _) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}

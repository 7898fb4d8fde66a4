package org.mscclj.cli.script;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.mscclj.cli.CommandLineRun;

/**
 * A checkout with the script {@code mscclj}, and stand-ins for its tools: a Maven that creates an empty command at
 * once, and a start script that prints {@code started}. Tools that come first on the path can replace those of the
 * system.
 */
final class Checkout {
    private static final int LIMIT_SECONDS = 60;

    private final Path root;
    private final Path tools;

    private Checkout(Path root, Path tools) {
        this.root = root;
        this.tools = tools;
    }

    /** Creates a checkout in a folder. */
    static Checkout in(Path folder) throws IOException {
        Path tools = Files.createDirectories(folder.resolve("tools"));
        Checkout checkout = new Checkout(Files.createDirectories(folder.resolve("checkout")), tools);
        checkout.executable("mscclj", Files.readString(CommandLineRun.ROOT.resolve("mscclj")));
        checkout.executable("config/build/find-jdk.sh", "#!/bin/sh\necho /a/jdk\n");
        checkout.executable("config/dist/lib/start", "#!/bin/sh\necho started\n");
        Files.writeString(checkout.root.resolve("pom.xml"), "");
        checkout.tool("mvn", "mkdir -p mscclj-cli/target/lib && : >mscclj-cli/target/mscclj-cli-1.jar");
        return checkout;
    }

    Path root() {
        return root;
    }

    /** Returns a file of the checkout. */
    Path file(String name) {
        return root.resolve(name);
    }

    /** Adds a tool before those of the system. */
    void tool(String name, String script) throws IOException {
        write(tools.resolve(name), "#!/bin/sh\n" + script + "\n");
    }

    private void executable(String name, String text) throws IOException {
        write(root.resolve(name), text);
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        assertTrue(file.toFile().setExecutable(true));
    }

    /** Runs the script, which must end. */
    CommandLineRun run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("./mscclj"));
        command.addAll(List.of(arguments));
        return run(root, Map.of("PATH", tools + ":" + System.getenv("PATH")), command);
    }

    /** Runs a command, which must end. */
    static CommandLineRun run(Path folder, Map<String, String> variables, List<String> command)
            throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder.getParent(), "out", ".txt");
        Path err = Files.createTempFile(folder.getParent(), "err", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().putAll(variables);
        Process process = builder.start();
        try {
            assertTrue(
                    process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS),
                    () -> "did not end: " + String.join(" ", command));
            return new CommandLineRun(process.exitValue(), Files.readString(out), Files.readString(err));
        } finally {
            process.destroyForcibly();
        }
    }
}

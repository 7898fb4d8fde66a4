package org.mscclj.cli.info;

import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.mscclj.api.Platform;
import org.mscclj.api.ProviderStatus;
import org.mscclj.api.error.PlainText;
import org.mscclj.runtime.environment.EnvironmentVariables;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * The command {@code mscclj info}: prints the installed backends, transports, multicast and fallbacks, whether they are
 * available, and this machine.
 */
@Command(
        name = "info",
        header =
                "Show backends, transports, multicast and fallbacks, this machine, and the environment variables that are used.",
        description = "")
public final class InfoCommand implements Callable<Integer> {
    private static final String FIELD = "  %-16s %s%n";

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    /** Called by picocli. */
    public InfoCommand() {}

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        providers(out, "backends", Platform.instance().backends());
        providers(out, "transports", Platform.instance().transports());
        providers(out, "multicast", Platform.instance().multicasts());
        providers(out, "fallbacks", Platform.instance().fallbacks());
        machine(out);
        out.println("switches between GPUs");
        SwitchLines.of(Path.of("/")).forEach((what, text) -> out.printf(Locale.ROOT, FIELD, what, text));
        out.println("connections between ranks");
        ProtectionLines.of(System.getenv()).forEach((kind, how) -> out.printf(Locale.ROOT, FIELD, kind, how));
        environment(out, System.getenv());
        out.flush();
        return 0;
    }

    private static void providers(PrintWriter out, String kind, List<ProviderStatus> providers) {
        out.println(kind);
        if (providers.isEmpty()) {
            out.println("  none installed");
        }
        for (ProviderStatus provider : providers) {
            out.printf(
                    Locale.ROOT,
                    FIELD,
                    provider.name(),
                    provider.unavailable()
                            .map(reason -> "not available: " + reason)
                            .orElseGet(() -> "available: " + provider.description()));
        }
    }

    private static void machine(PrintWriter out) {
        out.println("machine");
        out.printf(Locale.ROOT, FIELD, "cores", Runtime.getRuntime().availableProcessors());
        if (ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system) {
            out.printf(
                    Locale.ROOT,
                    FIELD,
                    "memory",
                    gib(system.getTotalMemorySize()) + ", " + gib(system.getFreeMemorySize()) + " free");
        }
        out.printf(Locale.ROOT, FIELD, "heap", gib(Runtime.getRuntime().maxMemory()) + " at most");
        out.printf(Locale.ROOT, FIELD, "JDK", Runtime.version() + ", " + System.getProperty("java.vendor"));
        out.printf(
                Locale.ROOT,
                FIELD,
                "OS",
                System.getProperty("os.name") + " " + System.getProperty("os.version") + ", "
                        + System.getProperty("os.arch"));
        boolean vector = ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
        out.printf(
                Locale.ROOT,
                FIELD,
                "Vector API",
                vector ? "on" : "off; start Java with --add-modules jdk.incubator.vector");
    }

    private static String gib(long bytes) {
        return String.format(Locale.ROOT, "%.1f GiB", Math.scalb((double) bytes, -30));
    }

    private static void environment(PrintWriter out, Map<String, String> environment) {
        out.println("environment");
        EnvironmentVariables.set(environment)
                .forEach((name, value) ->
                        out.printf(Locale.ROOT, "  %s=%s%n", PlainText.escape(name), PlainText.escape(value)));
        List<String> unknown = EnvironmentVariables.unknown(environment);
        if (!unknown.isEmpty()) {
            out.println("  not known to mscclj: " + PlainText.escape(String.join(", ", unknown)));
        }
        out.println("  not set: " + String.join(", ", EnvironmentVariables.unset(environment)));
    }
}

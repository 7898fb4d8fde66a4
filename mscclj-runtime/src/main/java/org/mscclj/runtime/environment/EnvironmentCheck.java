package org.mscclj.runtime.environment;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.PlainText;
import org.mscclj.api.option.Flag;
import org.mscclj.api.option.Hints;
import org.mscclj.runtime.dump.DumpSocket;
import org.mscclj.runtime.execution.environment.ExecutorOptions;
import org.mscclj.runtime.fault.WatchdogLimits;
import org.mscclj.runtime.provider.ProviderCatalog;
import org.mscclj.runtime.recorder.RecorderSize;
import org.mscclj.runtime.settings.GroupHints;
import org.mscclj.spi.device.BackendProvider;
import org.mscclj.spi.fallback.FallbackProvider;
import org.mscclj.spi.multicast.MulticastProvider;
import org.mscclj.spi.network.KeepAlive;
import org.mscclj.spi.network.PublishedAddress;
import org.mscclj.spi.protection.WireProtection;
import org.mscclj.spi.transport.TransportProvider;

/**
 * Reads all environment variables of a process at once, whether or not they matter to what runs next. An invalid value
 * is therefore refused at the start, and not only when it first matters. The check leaves out the variables by which
 * launchers place ranks, which other software sets too, and the existence of files that variables name.
 */
public final class EnvironmentCheck {
    /** The variables that determine the options of every rank that a launcher starts; read as for a single rank. */
    private static final List<String> OF_LAUNCHED_RANKS = List.of(
            "MSCCLJ_TIMEOUT_SECONDS",
            "TORCHCOMM_TIMEOUT_SECONDS",
            "MSCCLJ_CONTROL_PORTS",
            "MSCCLJ_MASTER_PORT",
            "MSCCLJ_INSECURE");

    private static final AtomicBoolean DONE = new AtomicBoolean();

    private EnvironmentCheck() {}

    /**
     * Checks the environment of this process.
     *
     * @return a warning, for the caller to log, that names unknown variables
     * @throws InvalidArgumentException if a variable has an invalid value; names it and what is allowed
     */
    public static Optional<String> ofProcess() {
        Optional<String> warning = of(System.getenv());
        DONE.set(true);
        return warning;
    }

    /**
     * Checks the environment before the first communicator of this process, unless that is done.
     *
     * @param tells whether this rank logs a warning: one for all ranks is enough
     * @throws InvalidArgumentException if a variable has an invalid value; names it and what is allowed
     */
    public static void beforeFirstCommunicator(boolean tells) {
        if (DONE.get()) {
            return;
        }
        Optional<String> warning = ofProcess();
        if (tells && warning.isPresent()) {
            System.getLogger(EnvironmentCheck.class.getName()).log(Level.WARNING, warning.get());
        }
    }

    static Optional<String> of(Map<String, String> environment) {
        Map<String, String> rank = new HashMap<>(Map.of("MSCCLJ_RANK", "0", "MSCCLJ_WORLD_SIZE", "1"));
        OF_LAUNCHED_RANKS.stream()
                .filter(environment::containsKey)
                .forEach(name -> rank.put(name, environment.getOrDefault(name, "")));
        CommunicatorOptions.detect(rank);
        WireProtection.of(environment);
        KeepAlive.of(environment);
        PublishedAddress.requireValid(environment);
        ExecutorOptions.of(environment, Optional.empty());
        WatchdogLimits.of(System::getProperty, environment, Duration.ofSeconds(1));
        RecorderSize.of(System.getProperty(RecorderSize.PROPERTY), environment);
        GroupHints.of(Hints.NONE, Optional.empty(), environment);
        Flag.of(environment, DumpSocket.VARIABLE, true);
        // A loop, so that the stack trace of a refusal has no frames of streams.
        for (ProviderCatalog<?> catalog : List.of(
                ProviderCatalog.installed("backend", BackendProvider.class),
                ProviderCatalog.installed("transport", TransportProvider.class),
                ProviderCatalog.installed("multicast", MulticastProvider.class),
                ProviderCatalog.installed("fallback", FallbackProvider.class))) {
            catalog.requireValid(environment);
        }
        return warning(EnvironmentVariables.unknown(environment));
    }

    private static Optional<String> warning(List<String> unknown) {
        if (unknown.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of("the environment sets "
                + PlainText.escape(String.join(", ", unknown))
                + ", which mscclj does not know; check its spelling, mscclj info lists all names");
    }
}

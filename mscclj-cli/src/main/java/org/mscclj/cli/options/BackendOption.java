package org.mscclj.cli.options;

import java.util.List;
import java.util.Optional;
import org.mscclj.api.Platform;
import org.mscclj.api.ProviderStatus;
import org.mscclj.api.error.InvalidArgumentException;
import picocli.CommandLine.Option;

/** {@code --backend}. */
public final class BackendOption {
    @Option(
            names = "--backend",
            paramLabel = "NAME",
            description = "See mscclj info. Default: the best that is available.")
    private Optional<String> given = Optional.empty();

    /** For picocli. */
    public BackendOption() {}

    /** The name that is given, unchecked. */
    public Optional<String> given() {
        return given;
    }

    /**
     * The name of the backend that will be used.
     *
     * @throws InvalidArgumentException if it is not available
     */
    public String name() {
        List<ProviderStatus> all = Platform.instance().backends();
        ProviderStatus found = all.stream()
                .filter(status -> given.isPresent()
                        ? status.name().equals(given.get())
                        : status.unavailable().isEmpty())
                .findFirst()
                .orElseThrow(() -> InvalidArgumentException.of(
                        "--backend",
                        given.orElse("not given"),
                        "one of " + all.stream().map(ProviderStatus::name).toList() + ", see mscclj info"));
        found.unavailable().ifPresent(reason -> {
            throw new InvalidArgumentException(
                    "--backend is " + found.name() + ", which is not available: " + reason + "; see mscclj info");
        });
        return found.name();
    }
}

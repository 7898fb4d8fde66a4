package org.mscclj.cli.options;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.mscclj.api.Platform;
import org.mscclj.api.ProviderStatus;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.DataType;
import org.mscclj.conformance.suite.InstalledBackend;
import org.mscclj.spi.Feature;
import picocli.CommandLine.Option;

/** The option {@code --backend}. */
public final class BackendOption {
    @Option(
            names = "--backend",
            paramLabel = "NAME",
            description = "See mscclj info. Default: the best available one that supports the call.")
    private Optional<String> given = Optional.empty();

    /** Called by picocli. */
    public BackendOption() {}

    /** Returns the given name, unchecked. */
    public Optional<String> given() {
        return given;
    }

    /**
     * Returns the name of the backend to use: the given one, or the best available one that declares the needed
     * capabilities.
     *
     * @throws InvalidArgumentException if it is not available, or there is none
     */
    public String name(Set<Feature> features, Set<DataType> types) {
        if (given.isPresent()) {
            return name();
        }
        try {
            return InstalledBackend.find(
                            Optional.empty(),
                            declared -> declared.features().containsAll(features)
                                    && declared.dataTypes().containsAll(types))
                    .name();
        } catch (UnsupportedException e) {
            throw new InvalidArgumentException(
                    "no backend is available that has " + features + " and the types " + types + "; see mscclj info",
                    e);
        }
    }

    /**
     * Returns the name of the backend to use, without regard to its capabilities.
     *
     * @throws InvalidArgumentException if it is not available, or there is none
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

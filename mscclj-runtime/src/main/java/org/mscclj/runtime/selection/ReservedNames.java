package org.mscclj.runtime.selection;

import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.PlainText;
import org.mscclj.api.tuning.TuningChoice;
import org.mscclj.language.program.ShippedProgram;

/**
 * The names that a registry refuses, since a call that names an algorithm must get the same one on every rank, whatever
 * is registered: those of shipped programs, and those of algorithms outside the registry.
 */
final class ReservedNames {
    /** A name with numbers of blocks and threads. */
    private static final Pattern SIZED = Pattern.compile(".*@[0-9x]*");

    private final String kind;
    private volatile Function<String, Optional<String>> others = _ -> Optional.empty();

    /**
     * Creates names with those of shipped programs only.
     *
     * @param kind what the registry has, for messages
     */
    ReservedNames(String kind) {
        this.kind = kind;
    }

    /** Adds names: the function returns what has a name, if something has. It may lock another registry. */
    void reserve(Function<String, Optional<String>> owner) {
        others = owner;
    }

    /**
     * Checks a name. The caller holds no lock.
     *
     * @throws InvalidArgumentException if it is reserved
     */
    void require(String name) {
        if (SIZED.matcher(name.strip()).matches()) {
            throw InvalidArgumentException.of(
                    kind + " name",
                    PlainText.quote(name),
                    "any that does not end in @ and numbers, by which calls name blocks and threads; rename the "
                            + kind);
        }
        if (name.strip().equalsIgnoreCase(TuningChoice.DEFAULT)) {
            throw refused(name, "the communicator's own choice in tuning files");
        }
        for (ShippedProgram program : ShippedProgram.values()) {
            if (program.label().equalsIgnoreCase(name.strip())) {
                throw refused(name, "a shipped program");
            }
        }
        others.apply(name).ifPresent(owner -> {
            throw refused(name, owner);
        });
    }

    private InvalidArgumentException refused(String name, String owner) {
        return InvalidArgumentException.of(
                kind + " name",
                PlainText.quote(name),
                "any that is not that of " + owner + ", by which calls name it; rename the " + kind);
    }
}

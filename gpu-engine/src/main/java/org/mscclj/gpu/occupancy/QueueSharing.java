package org.mscclj.gpu.occupancy;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;

/** What becomes of those who may have kernels that wait on a GPU, where they are more than it has hardware queues. */
public enum QueueSharing {
    /** A warning says so, once each time that it comes to that. */
    WARN,
    /** Who would be one too many is refused. */
    REFUSE;

    /** What users set. */
    static final String VARIABLE = "MSCCLJ_SHARED_QUEUES";

    /** The same, of this process, and stronger. */
    static final String PROPERTY = "mscclj.shared.queues";

    /**
     * What the user has chosen; else {@link #WARN}.
     *
     * @throws InvalidArgumentException if that means nothing
     */
    static QueueSharing ofProcess() {
        return of(System.getenv());
    }

    /** The same, with the variables of another environment. */
    public static QueueSharing of(Map<String, String> environment) {
        String given = Optional.ofNullable(System.getProperty(PROPERTY))
                .or(() -> Optional.ofNullable(environment.get(VARIABLE)))
                .orElse("")
                .strip()
                .toLowerCase(Locale.ROOT);
        return switch (given) {
            case "", "warn" -> WARN;
            case "refuse" -> REFUSE;
            default -> throw InvalidArgumentException.of(VARIABLE, given, "warn or refuse");
        };
    }
}

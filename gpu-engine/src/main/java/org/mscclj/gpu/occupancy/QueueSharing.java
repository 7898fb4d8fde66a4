package org.mscclj.gpu.occupancy;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;

/** What happens when more owners of kernels that wait use a GPU than it has hardware queues. */
public enum QueueSharing {
    /** Logs a warning each time that the number of queues is first exceeded. */
    WARN,
    /** Refuses the owner that would exceed the number of queues. */
    REFUSE;

    /** The environment variable of the user's choice. */
    static final String VARIABLE = "MSCCLJ_SHARED_QUEUES";

    /** The system property of the choice for this process; overrides the variable. */
    static final String PROPERTY = "mscclj.shared.queues";

    /**
     * The user's choice; {@link #WARN} if there is none.
     *
     * @throws InvalidArgumentException if the choice is not a valid value
     */
    static QueueSharing ofProcess() {
        return of(System.getenv());
    }

    /** The user's choice, with the variables of another environment. */
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

package org.mscclj.runtime.settings;

import java.lang.System.Logger.Level;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * TorchComm ends the process after a timeout or an error if this variable asks for it. mscclj never ends the process,
 * and logs a warning if the variable asks for it.
 */
public final class AbortOnError {
    static final String VARIABLE = "TORCHCOMM_ABORT_ON_ERROR";

    private static final Set<String> YES = Set.of("1", "true", "yes", "on", "y", "t");
    private static final AtomicBoolean TOLD = new AtomicBoolean();

    private AbortOnError() {}

    /** Logs, once in the life of the process, that an environment asks for an abort that does not happen. */
    public static void tell(Map<String, String> environment) {
        tell(environment, TOLD, System.getLogger(AbortOnError.class.getName()));
    }

    static void tell(Map<String, String> environment, AtomicBoolean told, System.Logger logger) {
        String text = environment.getOrDefault(VARIABLE, "").strip();
        if (YES.contains(text.toLowerCase(Locale.ROOT)) && told.compareAndSet(false, true)) {
            logger.log(
                    Level.WARNING,
                    VARIABLE + " is " + text
                            + ", but mscclj never ends the process: a timeout or an error is an exception"
                            + " of the call; let the application end if it shall");
        }
    }
}

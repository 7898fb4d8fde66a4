package org.mscclj.gpu.engine;

import java.util.Map;
import java.util.Optional;
import org.mscclj.api.option.Flag;

/**
 * Whether packets may be lines of 128 bytes. Ranks map each other's memory only where the link has atomic operations,
 * and stores of whole lines arrive as a whole over such links.
 */
public final class LineSwitch {
    /** The environment variable of the user's choice; equal on all ranks. */
    static final String VARIABLE = "MSCCLJ_LL128";

    /** The system property of the choice for this process; overrides the variable. */
    static final String PROPERTY = "mscclj.ll128";

    private LineSwitch() {}

    /**
     * The choice of this process; on if there is none.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if the choice is not a valid value
     */
    public static boolean isOn() {
        return isOn(System.getenv());
    }

    /** The choice with the variables of another environment. */
    static boolean isOn(Map<String, String> environment) {
        return Optional.ofNullable(System.getProperty(PROPERTY))
                .map(value -> Flag.of(Map.of(VARIABLE, value), VARIABLE, true))
                .orElseGet(() -> Flag.of(environment, VARIABLE, true));
    }
}

package org.mscclj.gpu.engine;

import java.util.Map;
import java.util.Optional;
import org.mscclj.api.option.Flag;
import org.mscclj.plan.preference.ProgramPreference;

/** Features of the engine that a user can switch off, or on where GPUs are not known to be able to. */
public enum EngineSwitch {
    /**
     * Packets may be lines of 128 bytes; equal on all ranks. Ranks map each other's memory only where the link has
     * atomic operations, and stores of whole lines arrive as a whole over such links.
     */
    LINES(ProgramPreference.LineUse.VARIABLE, "mscclj.ll128"),

    /**
     * Kernels may begin before earlier work of their stream has ended; see {@link org.mscclj.gpu.module.EarlyLaunch}.
     */
    EARLY_LAUNCHES("MSCCLJ_EARLY_LAUNCH", "mscclj.early.launch");

    private final String variable;
    private final String property;

    /**
     * Creates a switch.
     *
     * @param variable the environment variable of the user's choice
     * @param property the system property of the choice for this process; overrides the variable
     */
    EngineSwitch(String variable, String property) {
        this.variable = variable;
        this.property = property;
    }

    /**
     * The choice of this process.
     *
     * @param usual what it is if there is none
     * @throws org.mscclj.api.error.InvalidArgumentException if the choice is not a valid value
     */
    public boolean isOn(boolean usual) {
        return isOn(usual, System.getenv());
    }

    /** The choice with the variables of another environment. */
    boolean isOn(boolean usual, Map<String, String> environment) {
        return Optional.ofNullable(System.getProperty(property))
                .map(value -> Flag.of(Map.of(variable, value), variable, usual))
                .orElseGet(() -> Flag.of(environment, variable, usual));
    }
}

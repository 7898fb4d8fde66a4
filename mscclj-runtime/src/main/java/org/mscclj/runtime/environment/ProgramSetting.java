package org.mscclj.runtime.environment;

import java.util.Map;
import java.util.Optional;
import org.mscclj.api.option.Flag;
import org.mscclj.plan.preference.ProgramPreference;
import org.mscclj.runtime.execution.environment.ExecutorOptions;

/** The choices of shipped programs in an environment, for tools that report what communicators choose there. */
public final class ProgramSetting {
    private ProgramSetting() {}

    /**
     * Returns the choices on a kind of device, with the variables that change them: the measured table, the limit for
     * scratch, and the switch for lines.
     *
     * @param ofDevice the choices for the kind of device
     * @throws org.mscclj.api.error.InvalidArgumentException if a variable has a bad value, or the table cannot be read
     */
    public static ProgramPreference of(Map<String, String> environment, ProgramPreference ofDevice) {
        boolean lines = Flag.of(environment, ProgramPreference.LineUse.VARIABLE, true);
        return ExecutorOptions.of(environment, Optional.empty()).preference(lines ? ofDevice : ofDevice.withoutLines());
    }
}

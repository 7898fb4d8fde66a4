package org.mscclj.runtime.environment;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mscclj.api.error.PlainText;
import org.mscclj.api.option.Flag;
import org.mscclj.api.tuning.TuningEntry;
import org.mscclj.api.tuning.TuningTopology;
import org.mscclj.language.selection.ProgramChoice;
import org.mscclj.plan.preference.ProgramPreference;
import org.mscclj.plan.preference.SelectionTable;
import org.mscclj.runtime.execution.environment.ExecutorOptions;

/**
 * The choices of shipped programs in an environment, for tools that report what communicators choose there.
 *
 * @param preference the choices
 * @param measured the measured choices among them; empty if there are none
 */
public record ProgramSetting(ProgramPreference preference, Optional<TuningEntry> measured) {
    /**
     * Returns the choices on a kind of device, with the variables that change them: the measured choices, the limit for
     * scratch, and the switch for lines. A tool has no device, so its measured choices are the last ones of the file
     * for a CPU or for any GPU, for this number of ranks that map each other's memory.
     *
     * @param ofDevice the choices for the kind of device
     * @param gpu whether that is a GPU
     * @param ranks number of ranks
     * @throws org.mscclj.api.error.InvalidArgumentException if a variable has a bad value, or the file cannot be used
     */
    public static ProgramSetting of(
            Map<String, String> environment, ProgramPreference ofDevice, boolean gpu, int ranks) {
        boolean lines = Flag.of(environment, ProgramPreference.LineUse.VARIABLE, true);
        ExecutorOptions options = ExecutorOptions.of(environment, Optional.empty());
        Optional<TuningEntry> measured = options.tuning().entries().reversed().stream()
                .filter(entry -> entry.key().ranks() == ranks
                        && entry.key().topology() == TuningTopology.MAPPED
                        && entry.key().backend().equals("host") != gpu)
                .findFirst();
        ProgramPreference unmeasured = options.preference(lines ? ofDevice : ofDevice.withoutLines());
        return new ProgramSetting(
                measured.map(SelectionTable::of).map(unmeasured::with).orElse(unmeasured), measured);
    }

    /**
     * Returns the measured choices that are native algorithms, which are not among {@link #preference}, a line for
     * each.
     */
    public List<String> nativeChoices() {
        return preference.table().rows().stream()
                .filter(ProgramChoice::isNative)
                .map(row -> row.collective() + ", " + (row.registered() ? "registered" : "plain") + " memory, from "
                        + row.leastBytes() + " bytes on: native algorithm " + PlainText.escape(row.algorithm())
                        + " by measurement, for ranks of one node where it is installed; this command knows shipped"
                        + " programs only")
                .toList();
    }
}

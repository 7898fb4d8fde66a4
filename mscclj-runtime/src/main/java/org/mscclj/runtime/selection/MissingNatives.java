package org.mscclj.runtime.selection;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.mscclj.api.NativeAlgorithm;
import org.mscclj.api.error.PlainText;
import org.mscclj.language.selection.ProgramChoice;
import org.mscclj.plan.preference.SelectionRow;

/** Native algorithms that measured choices name, and that are not registered. */
public final class MissingNatives {
    /** Why such an algorithm does not serve a call. */
    static final String REFUSAL = "the tuning file names it, and it is not registered";

    private static final System.Logger LOGGER = System.getLogger(MissingNatives.class.getName());

    private MissingNatives() {}

    /** Logs those of the choices that a communicator follows, if there are any. */
    public static void log(FollowedTuning followed, RegisteredAlgorithms registered) {
        Set<String> names = registered.natives().registered().stream()
                .map(NativeAlgorithm::name)
                .collect(Collectors.toSet());
        List<String> missing = followed.table().rows().stream()
                .filter(ProgramChoice::isNative)
                .map(SelectionRow::program)
                .filter(name -> !names.contains(name))
                .distinct()
                .toList();
        if (!missing.isEmpty()) {
            LOGGER.log(
                    Level.WARNING,
                    "measured choices name native algorithms that are not installed: "
                            + PlainText.escape(String.join(", ", missing)) + " (" + followed.origin()
                            + "); calls of these choices are served as without the file; put the algorithms' modules on"
                            + " the path, or measure again by mscclj tune");
        }
    }
}

package org.mscclj.runtime.selection;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.mscclj.api.error.PlainText;
import org.mscclj.api.tuning.TuningEntry;
import org.mscclj.api.tuning.TuningKey;
import org.mscclj.plan.preference.SelectionTable;
import org.mscclj.plan.tuning.TuningFile;

/**
 * The measured choices that a communicator follows.
 *
 * @param table the choices; empty if it follows none
 * @param origin says where they come from, or why the communicator follows none of a file; empty without a file
 * @param isExact whether they were measured with the present driver and version of mscclj
 */
public record FollowedTuning(SelectionTable table, String origin, boolean isExact) {
    /** There is no file. */
    public static final FollowedTuning NONE = new FollowedTuning(SelectionTable.EMPTY, "", true);

    /** Returns the choices of a file for a key. */
    public static FollowedTuning of(TuningFile file, TuningKey key) {
        String name = PlainText.escape(file.name());
        Optional<TuningEntry> found = file.find(key);
        if (found.isEmpty()) {
            return none(file, "it has no entry for " + PlainText.escape(key.toString()));
        }
        TuningKey measured = found.get().key();
        boolean exact = measured.equals(key);
        List<String> differences = Stream.of(
                        difference("driver", measured.driver(), key.driver()),
                        difference("mscclj", measured.version(), key.version()))
                .flatMap(Optional::stream)
                .toList();
        return new FollowedTuning(
                SelectionTable.of(found.get()),
                name + (exact ? "" : ", measured with " + String.join(" and ", differences)),
                exact);
    }

    /** Returns that a communicator follows no choices of a file. */
    public static FollowedTuning none(TuningFile file, String reason) {
        return new FollowedTuning(
                SelectionTable.EMPTY, PlainText.escape(file.name()) + " is not followed: " + reason, true);
    }

    private static Optional<String> difference(String what, String measured, String present) {
        return measured.equals(present)
                ? Optional.empty()
                : Optional.of(what + " " + PlainText.escape(measured) + ", while " + PlainText.escape(present)
                        + " is present");
    }
}

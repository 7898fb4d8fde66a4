package org.mscclj.api.tuning;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.mscclj.api.check.GivenList;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * The choices that were measured on ranks of one kind. A file has an entry for each {@linkplain TuningKey key}.
 *
 * @param key what was measured on
 * @param comment says how it was measured; has no effect
 * @param choices the choices, in ascending order of collectives and sizes, registered memory first. Calls of a
 *     collective on memory of one kind follow them if one of these begins at 0 bytes; without any, the communicator
 *     chooses as without the file
 */
public record TuningEntry(TuningKey key, String comment, List<TuningChoice> choices) {
    private static final Comparator<TuningChoice> ORDER = Comparator.comparing(TuningChoice::collective)
            .thenComparing(choice -> !choice.registered())
            .thenComparingLong(TuningChoice::leastBytes);

    /** Checks that nothing is null, and sorts the choices. */
    public TuningEntry {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(comment, "comment");
        choices = GivenList.copy(choices, "choices").stream().sorted(ORDER).toList();
    }

    /**
     * Reads the entries of a file, in their order.
     *
     * @throws InvalidArgumentException if the file cannot be read, or is no file of choices; the message has the place
     */
    public static List<TuningEntry> load(Path file) {
        return InstalledTuningFiles.FILES.find().load(Objects.requireNonNull(file, "file"));
    }

    /**
     * Writes this entry to a file, in place of an entry with an equal key. Other entries stay; a file that does not
     * exist is created; one that exists keeps its permissions. Call this on one rank. Readers see the file as before or
     * as after; of two processes that write at the same time, one entry may be lost.
     *
     * @throws InvalidArgumentException if the file cannot be written, or exists and is no file of choices, or if a
     *     choice of this entry names neither a shipped program that serves its collective, nor a native algorithm for
     *     it that is installed
     */
    public void save(Path file) {
        InstalledTuningFiles.FILES.find().save(Objects.requireNonNull(file, "file"), this);
    }
}

package org.mscclj.cli.tune;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.mscclj.api.tuning.TuningChoice;
import org.mscclj.api.tuning.TuningEntry;

/** Choices of a file that stay, since another measurement has found them. */
final class KeptChoices {
    private KeptChoices() {}

    /**
     * Returns an entry with the choices of the file's entry with an equal key, except those for collectives on memory
     * of a kind that the given entry has choices for.
     */
    static TuningEntry with(TuningEntry measured, Path file) {
        List<TuningChoice> kept = (Files.exists(file) ? TuningEntry.load(file) : List.<TuningEntry>of())
                .stream()
                        .filter(entry -> entry.key().equals(measured.key()))
                        .flatMap(entry -> entry.choices().stream())
                        .filter(before -> measured.choices().stream()
                                .noneMatch(choice -> choice.collective() == before.collective()
                                        && choice.registered() == before.registered()))
                        .toList();
        return new TuningEntry(
                measured.key(),
                measured.comment(),
                Stream.concat(measured.choices().stream(), kept.stream()).toList());
    }
}

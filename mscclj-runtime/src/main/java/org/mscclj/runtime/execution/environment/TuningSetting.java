package org.mscclj.runtime.execution.environment;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.PlainText;
import org.mscclj.api.tuning.TuningEntry;
import org.mscclj.api.tuning.TuningTopology;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.language.selection.ProgramChoice;
import org.mscclj.plan.preference.SelectionRow;
import org.mscclj.plan.preference.SelectionTable;
import org.mscclj.plan.tuning.TuningFile;
import org.mscclj.runtime.natives.InstalledNatives;

/** The file with the measured choices of shipped programs, which {@code mscclj tune} and applications write. */
public final class TuningSetting {
    /** The environment variable with the path of the file. */
    public static final String VARIABLE = "MSCCLJ_TUNING";

    private TuningSetting() {}

    /**
     * Reads the file that an environment names; without the variable, there are no choices.
     *
     * @throws InvalidArgumentException as {@link #read(Path)}
     */
    static TuningFile read(Map<String, String> environment) {
        String file = environment.getOrDefault(VARIABLE, "");
        if (file.isBlank()) {
            return TuningFile.NONE;
        }
        try {
            return read(Path.of(file));
        } catch (InvalidArgumentException | InvalidPathException e) {
            throw new InvalidArgumentException(
                    VARIABLE + " is " + PlainText.quote(file) + ", which cannot be used: " + e.getMessage()
                            + "; give a file that mscclj tune has written",
                    e);
        }
    }

    /**
     * Reads a file. It may name native algorithms that are not installed here: its other entries are for other
     * machines, and a communicator that follows such a choice explains it.
     *
     * @throws InvalidArgumentException if it cannot be read, or a choice is a shipped program that does not serve its
     *     collective on one node; the message has the place
     */
    public static TuningFile read(Path file) {
        return checked(TuningFile.read(file), Set.of());
    }

    /**
     * Adds an entry to a file, in place of one with an equal key.
     *
     * @throws InvalidArgumentException as {@link #read(Path)}, or if a choice that the file has not had names neither a
     *     shipped program, nor a native algorithm for its collective that the service loader finds, or if the file
     *     cannot be written
     */
    public static void save(Path file, TuningEntry entry) {
        TuningFile before = Files.exists(file) ? read(file) : new TuningFile(file.toString(), List.of());
        Set<SelectionRow> added = new HashSet<>(SelectionTable.of(entry).rows());
        before.entries().stream()
                .filter(one -> one.key().equals(entry.key()))
                .forEach(one -> SelectionTable.of(one).rows().forEach(added::remove));
        checked(before.with(entry), added).write(file);
    }

    /** Checks a file, with the native algorithms of the choices that are added. */
    private static TuningFile checked(TuningFile file, Set<SelectionRow> added) {
        for (int i = 0; i < file.entries().size(); i++) {
            TuningEntry entry = file.entries().get(i);
            boolean switched = entry.key().topology() == TuningTopology.SWITCHED;
            for (SelectionRow row : SelectionTable.of(entry).rows()) {
                try {
                    require(row, added.contains(row), switched);
                } catch (InvalidArgumentException e) {
                    throw new InvalidArgumentException(
                            PlainText.escape(file.name()) + ": entries[" + i + "]: " + row.section() + ", from "
                                    + row.leastBytes() + " bytes on: " + e.getMessage(),
                            e);
                }
            }
        }
        return file;
    }

    private static void require(SelectionRow row, boolean installed, boolean switched) {
        if (row.isDefault()) {
            return;
        }
        if (ProgramChoice.isNative(row)) {
            if (installed) {
                InstalledNatives.require(row.algorithm(), row.collective());
            }
            return;
        }
        if (row.size().blocks() == 0) {
            throw InvalidArgumentException.of(
                    "the algorithm",
                    '"' + row.algorithm() + '"',
                    "a program with its thread blocks, as packets@8 or packets@8x512");
        }
        ShippedProgram program = ShippedProgram.parse(row.program());
        ProgramSpec spec = ProgramSpec.of(row.collective(), row.ranks())
                .blocks(row.size().blocks())
                .threads(row.size().threadsPerBlock());
        Optional<String> refusal = program.usesSwitch() && !switched
                ? Optional.of("it needs a switch that reduces, which ranks of topology \"switched\" have")
                : program.refusal(spec);
        if (refusal.isPresent()) {
            throw new InvalidArgumentException(
                    "program " + program.label() + " is refused: " + refusal.get() + "; name another one");
        }
    }
}

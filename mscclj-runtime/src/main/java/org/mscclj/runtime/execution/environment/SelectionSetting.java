package org.mscclj.runtime.execution.environment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.digest.Sha256;
import org.mscclj.plan.preference.SelectionRow;
import org.mscclj.plan.preference.SelectionTable;
import org.mscclj.plan.preference.SelectionText;

/** The file with the measured choices of shipped programs, which {@code mscclj tune} writes. */
public final class SelectionSetting {
    /** The environment variable with the path of the file. */
    public static final String VARIABLE = "MSCCLJ_SELECTION";

    private SelectionSetting() {}

    /**
     * Reads the table of an environment; without the variable, an empty one.
     *
     * @throws InvalidArgumentException if the file cannot be read, or contains no table of shipped programs that serve
     *     their collectives on one node
     */
    static SelectionTable read(Map<String, String> environment) {
        String file = environment.getOrDefault(VARIABLE, "");
        return file.isBlank() ? SelectionTable.EMPTY : checked(SelectionText.parse(content(file), file), file);
    }

    private static String content(String file) {
        try {
            return Files.readString(Path.of(file));
        } catch (IOException | InvalidPathException e) {
            throw new InvalidArgumentException(
                    VARIABLE + " is \"" + file + "\", which cannot be read: " + e
                            + "; give a file that mscclj tune has written",
                    e);
        }
    }

    private static SelectionTable checked(SelectionTable table, String file) {
        for (SelectionRow row : table.rows()) {
            try {
                ShippedProgram program = ShippedProgram.parse(row.program());
                ProgramSpec spec = ProgramSpec.of(row.collective(), row.ranks()).blocks(row.blocks());
                Optional<String> refusal = program.usesSwitch()
                        ? Optional.of("not every device has the switch that it needs")
                        : program.refusal(spec);
                if (refusal.isPresent()) {
                    throw new InvalidArgumentException(
                            "program " + program.label() + " is refused: " + refusal.get() + "; name another one");
                }
            } catch (InvalidArgumentException e) {
                throw new InvalidArgumentException(
                        file + ": " + SelectionText.section(row) + ", from " + row.leastBytes() + " bytes on: "
                                + e.getMessage(),
                        e);
            }
        }
        return table;
    }

    /** Returns a short text that is equal for equal tables; empty for the empty table. */
    public static String digest(SelectionTable table) {
        return table.isEmpty() ? "" : Sha256.shortOf(SelectionText.of(table));
    }
}

package org.mscclj.cli.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.mscclj.api.UniqueId;
import org.mscclj.api.error.FileProblem;
import org.mscclj.api.error.UnsupportedException;

/**
 * The random secret of a group, in a file that only this user can read. A variable of the environment would be in every
 * flight recording of a rank, and would be handed to all processes that a rank starts.
 *
 * @param file where it is
 */
record GroupSecret(Path file) implements AutoCloseable {
    /** A fresh one. */
    static GroupSecret create() {
        try {
            Path file = Files.createTempFile("mscclj-secret-", ""); // of mode 0600
            Files.writeString(file, UniqueId.randomSecret());
            return new GroupSecret(file.toAbsolutePath());
        } catch (IOException e) {
            throw new UnsupportedException(
                    "the secret of the group cannot be written to a file for temporary files: " + FileProblem.of(e)
                            + "; let TMPDIR or java.io.tmpdir name a folder with room that this user can write to");
        }
    }

    /** Says which variables of an environment ranks do not use, since they get this secret; empty if none is set. */
    static Optional<String> unused(Map<String, String> environment) {
        List<String> names = Stream.of("MSCCLJ_SECRET_FILE", "MSCCLJ_SECRET")
                .filter(name -> !environment.getOrDefault(name, "").isBlank())
                .toList();
        return names.isEmpty()
                ? Optional.empty()
                : Optional.of("note: these ranks get a random secret of their own; " + String.join(" and ", names)
                        + " of the environment " + (names.size() == 1 ? "is" : "are") + " not used");
    }

    /** Removes the file. */
    @Override
    public void close() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    file + " holds the secret of a group that has ended, and cannot be removed", e);
        }
    }
}

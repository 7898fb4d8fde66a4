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
 * The random secret of a group, in a file that only this user can read. An environment variable would appear in every
 * flight recording of a rank, and all processes that a rank starts would inherit it.
 *
 * @param file the file
 */
record GroupSecret(Path file) implements AutoCloseable {
    /** Creates a new secret. */
    static GroupSecret create() {
        try {
            Path file = Files.createTempFile("mscclj-secret-", ""); // created with mode 0600
            Files.writeString(file, UniqueId.randomSecret());
            return new GroupSecret(file.toAbsolutePath());
        } catch (IOException e) {
            throw new UnsupportedException("the secret of the group cannot be written to a file for temporary files: "
                    + FileProblem.of(e) + "; let TMPDIR or java.io.tmpdir name a writable folder with free space");
        }
    }

    /** Returns a note that names the variables that ranks ignore, since they use this secret; empty if none is set. */
    static Optional<String> unused(Map<String, String> environment) {
        List<String> names = Stream.of("MSCCLJ_SECRET_FILE", "MSCCLJ_SECRET")
                .filter(name -> !environment.getOrDefault(name, "").isBlank())
                .toList();
        return names.isEmpty()
                ? Optional.empty()
                : Optional.of("note: these ranks use a random secret of their own; " + String.join(" and ", names)
                        + " of the environment " + (names.size() == 1 ? "is" : "are") + " not used");
    }

    /** Deletes the file. */
    @Override
    public void close() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    file + " holds the secret of a group that has ended, and cannot be deleted", e);
        }
    }
}

package org.mscclj.plan.tuning;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes a file as a whole, so that readers see it as before or as after. */
final class ReplacedFile {
    private ReplacedFile() {}

    /**
     * Writes a text. A symbolic link stays, and its target is written. A file that exists keeps its permissions; a new
     * one has those that the process gives to new files.
     */
    static void write(Path file, String text) throws IOException {
        Path target = target(file.toAbsolutePath());
        Path folder = Objects.requireNonNull(target.getParent(), "a file has a folder");
        // not createTempFile, whose files only this user may read
        Path part = folder.resolve(".tuning" + UUID.randomUUID() + ".part");
        try {
            Files.writeString(part, text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            keepPermissions(target, part);
            Files.move(part, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private static Path target(Path file) throws IOException {
        if (Files.exists(file)) {
            return file.toRealPath();
        }
        return Files.isSymbolicLink(file) ? file.resolveSibling(Files.readSymbolicLink(file)) : file;
    }

    private static void keepPermissions(Path from, Path to) throws IOException {
        @Nullable PosixFileAttributeView view = Files.getFileAttributeView(from, PosixFileAttributeView.class);
        if (view != null && Files.exists(from)) {
            Files.setPosixFilePermissions(to, view.readAttributes().permissions());
        }
    }
}

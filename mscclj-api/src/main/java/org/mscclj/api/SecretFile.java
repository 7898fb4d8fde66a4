package org.mscclj.api;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.mscclj.api.error.FileProblem;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * A file that holds a secret and that only its owner can read. Unlike an environment variable, it appears in no
 * recording and in no list of processes.
 */
final class SecretFile {
    private static final int LONGEST = 4096;
    private static final Set<PosixFilePermission> OF_OWNER = EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    private SecretFile() {}

    /**
     * The text of a file, without white space around it.
     *
     * @param variable names the file; for messages
     * @throws InvalidArgumentException if it cannot be read, or others can read or write it
     */
    static String read(String variable, Path file) {
        try {
            requirePrivate(variable, file);
            try (SeekableByteChannel channel =
                    Files.newByteChannel(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
                ByteBuffer text = ByteBuffer.allocate(LONGEST + 1);
                while (text.hasRemaining() && channel.read(text) >= 0) {
                    // repeats until all is read
                }
                if (!text.hasRemaining()) {
                    throw new InvalidArgumentException(variable + " names " + file + ", which has more than " + LONGEST
                            + " bytes; allowed: a file with one secret");
                }
                return new String(text.array(), 0, text.position(), StandardCharsets.UTF_8).strip();
            }
        } catch (IOException e) {
            throw new InvalidArgumentException(
                    variable + " names " + file + ", which cannot be read: " + FileProblem.of(e)
                            + "; allowed: a file of this user that holds the secret, with permissions rw-------",
                    e);
        }
    }

    private static void requirePrivate(String variable, Path file) throws IOException {
        PosixFileAttributeView view =
                Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        if (view == null) {
            return; // the file system knows no owners
        }
        PosixFileAttributes attributes = view.readAttributes();
        if (!attributes.isRegularFile() || !OF_OWNER.containsAll(attributes.permissions())) {
            throw new InvalidArgumentException(variable + " names " + file + ", which "
                    + (attributes.isRegularFile()
                            ? "has the permissions " + PosixFilePermissions.toString(attributes.permissions())
                            : "is no regular file")
                    + "; allowed: a file that only its owner can read, as after \"chmod 600\"");
        }
    }
}

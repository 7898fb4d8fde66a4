package org.mscclj.plan.document;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.mscclj.api.error.FileProblem;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.PlainText;

/** The bytes of a JSON file. */
public final class JsonFile {
    /** A model takes at most a few times the size of its file, which must therefore be a small fraction of the heap. */
    private static final int HEAP_FRACTION = 16;

    private JsonFile() {}

    /**
     * Reads a file.
     *
     * @param document the kind of document, for messages
     * @throws InvalidArgumentException if it cannot be read
     */
    public static byte[] bytes(Path file, String document) {
        String origin = file.toString();
        if (Files.isDirectory(file)) {
            throw refused(origin, "is a directory; allowed: a " + document + " file");
        }
        // A pipe or a device could block or never end.
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw refused(origin, "is not a regular file; allowed: a " + document + " file");
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] json = in.readNBytes(largest() + 1);
            requireSize(json, origin);
            return json;
        } catch (NoSuchFileException e) {
            throw new InvalidArgumentException(PlainText.escape(origin) + ": there is no such file", e);
        } catch (IOException e) {
            throw new InvalidArgumentException(PlainText.escape(origin) + ": cannot be read: " + FileProblem.of(e), e);
        }
    }

    /** Refuses an empty or too large file. */
    public static void requireSize(byte[] json, String origin) {
        if (json.length == 0) {
            throw refused(origin, "is empty; allowed: a JSON object");
        }
        if (json.length > largest()) {
            throw refused(
                    origin,
                    "is larger than " + largest() + " bytes, 1/" + HEAP_FRACTION
                            + " of the heap; give the JVM more memory (-Xmx)");
        }
    }

    private static int largest() {
        return (int) Math.min(Runtime.getRuntime().maxMemory() / HEAP_FRACTION, Integer.MAX_VALUE - 16);
    }

    private static InvalidArgumentException refused(String origin, String fault) {
        return new InvalidArgumentException(PlainText.escape(origin) + ": " + fault);
    }
}

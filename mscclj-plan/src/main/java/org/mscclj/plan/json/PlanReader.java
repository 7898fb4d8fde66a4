package org.mscclj.plan.json;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.plan.Plan;
import org.mscclj.plan.internal.OneLine;
import org.mscclj.plan.validation.PlanValidator;

/**
 * Reads plan files. Whatever is read, the result is a plan that {@link PlanValidator} accepts, or one {@link
 * InvalidArgumentException} whose message is one line: the file, the rank, thread block and operation (positions count
 * from 0), the key, what was given and what is allowed.
 *
 * <p>Keys that the format does not know are ignored, with everything below them.
 */
public final class PlanReader {
    /** The model takes at most a few times the size of its file; no file may take more of the heap than there is. */
    private static final int HEAP_FRACTION = 16;

    private PlanReader() {}

    /**
     * Reads a file.
     *
     * @throws InvalidArgumentException if it cannot be read or is not a valid plan
     */
    public static Plan read(Path file) {
        String origin = file.toString();
        if (Files.isDirectory(file)) {
            throw refused(origin, "is a directory; allowed: a plan file");
        }
        // A pipe or a device could block or go on for ever.
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw refused(origin, "is not a regular file; allowed: a plan file");
        }
        try (InputStream in = Files.newInputStream(file)) {
            int limit = largest();
            byte[] json = in.readNBytes(limit + 1);
            return read(json, origin);
        } catch (NoSuchFileException e) {
            throw new InvalidArgumentException(OneLine.escape(origin) + ": there is no such file", e);
        } catch (IOException e) {
            throw new InvalidArgumentException(
                    OneLine.escape(origin) + ": cannot be read: " + OneLine.escape(String.valueOf(e)), e);
        }
    }

    /**
     * Reads a plan from text.
     *
     * @param json the plan
     * @param origin where it comes from, for messages
     * @throws InvalidArgumentException if it is not a valid plan
     */
    public static Plan read(String json, String origin) {
        return read(json.getBytes(StandardCharsets.UTF_8), origin);
    }

    /**
     * Reads a plan from bytes.
     *
     * @param json the plan
     * @param origin where it comes from, for messages
     * @throws InvalidArgumentException if it is not a valid plan
     */
    public static Plan read(byte[] json, String origin) {
        if (json.length == 0) {
            throw refused(origin, "is empty; allowed: a JSON object");
        }
        if (json.length > largest()) {
            throw refused(
                    origin,
                    "is larger than " + largest() + " bytes, 1/" + HEAP_FRACTION
                            + " of the heap; give the JVM more memory (-Xmx)");
        }
        Plan plan = JsonCursor.read(json, origin, PlanParser::plan);
        PlanValidator.validate(plan, origin);
        return plan;
    }

    private static int largest() {
        return (int) Math.min(Runtime.getRuntime().maxMemory() / HEAP_FRACTION, Integer.MAX_VALUE - 16);
    }

    private static InvalidArgumentException refused(String origin, String fault) {
        return new InvalidArgumentException(OneLine.escape(origin) + ": " + fault);
    }
}

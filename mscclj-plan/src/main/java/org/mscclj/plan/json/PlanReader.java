package org.mscclj.plan.json;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.plan.Plan;
import org.mscclj.plan.document.JsonCursor;
import org.mscclj.plan.document.JsonFile;
import org.mscclj.plan.validation.PlanValidator;

/**
 * Reads plan files. The result is a plan that {@link PlanValidator} accepts, or one {@link InvalidArgumentException}
 * with a message of one line: the file, the rank, thread block and operation (positions count from 0), the key, the
 * given value and the allowed values.
 *
 * <p>Unknown keys are ignored, with everything below them.
 */
public final class PlanReader {
    private PlanReader() {}

    /**
     * Reads a file.
     *
     * @throws InvalidArgumentException if it cannot be read or is not a valid plan
     */
    public static Plan read(Path file) {
        return read(JsonFile.bytes(file, "plan"), file.toString());
    }

    /**
     * Reads a plan from text.
     *
     * @param json the plan
     * @param origin the origin of the text, for messages
     * @throws InvalidArgumentException if it is not a valid plan
     */
    public static Plan read(String json, String origin) {
        return read(json.getBytes(StandardCharsets.UTF_8), origin);
    }

    /**
     * Reads a plan from bytes.
     *
     * @param json the plan
     * @param origin the origin of the bytes, for messages
     * @throws InvalidArgumentException if it is not a valid plan
     */
    public static Plan read(byte[] json, String origin) {
        JsonFile.requireSize(json, origin);
        Plan plan = JsonCursor.read(json, origin, "plan", PlanParser::plan);
        PlanValidator.validate(plan, origin);
        return plan;
    }
}

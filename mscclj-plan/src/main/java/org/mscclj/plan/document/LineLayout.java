package org.mscclj.plan.document;

import tools.jackson.core.JsonGenerator;
import tools.jackson.core.PrettyPrinter;

/** Formats JSON with two spaces for each level, except for objects that are written on one line. */
@SuppressWarnings("exports") // the modules that use it require Jackson
public final class LineLayout implements PrettyPrinter {
    private static final String INDENT = "  ";

    private boolean oneLine;
    private int depth;

    /** Creates a layout for one document. */
    public LineLayout() {}

    /** Writes an object on one line. */
    public void object(JsonGenerator out, Runnable properties) {
        out.writeStartObject();
        lay(true, () -> {
            properties.run();
            out.writeEndObject();
        });
    }

    /** Writes nested values of such an object on separate lines. */
    public void onManyLines(Runnable writing) {
        lay(false, writing);
    }

    private void lay(boolean on, Runnable writing) {
        boolean before = oneLine;
        oneLine = on;
        writing.run();
        oneLine = before;
    }

    private void line(JsonGenerator out) {
        if (!oneLine) {
            out.writeRaw('\n');
            for (int i = 0; i < depth; i++) {
                out.writeRaw(INDENT);
            }
        }
    }

    private void separate(JsonGenerator out) {
        out.writeRaw(oneLine ? ", " : ",");
        line(out);
    }

    private void end(JsonGenerator out, int entries, char bracket) {
        depth--;
        if (entries > 0) {
            line(out);
        }
        out.writeRaw(bracket);
    }

    @Override
    public void writeStartObject(JsonGenerator out) {
        out.writeRaw('{');
        depth++;
    }

    @Override
    public void beforeObjectEntries(JsonGenerator out) {
        line(out);
    }

    @Override
    public void writeObjectNameValueSeparator(JsonGenerator out) {
        out.writeRaw(": ");
    }

    @Override
    public void writeObjectEntrySeparator(JsonGenerator out) {
        separate(out);
    }

    @Override
    public void writeEndObject(JsonGenerator out, int entries) {
        end(out, entries, '}');
    }

    @Override
    public void writeStartArray(JsonGenerator out) {
        out.writeRaw('[');
        depth++;
    }

    @Override
    public void beforeArrayValues(JsonGenerator out) {
        line(out);
    }

    @Override
    public void writeArrayValueSeparator(JsonGenerator out) {
        separate(out);
    }

    @Override
    public void writeEndArray(JsonGenerator out, int entries) {
        end(out, entries, ']');
    }

    @Override
    public void writeRootValueSeparator(JsonGenerator out) {
        // There is one root value.
    }
}

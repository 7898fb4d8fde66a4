package org.mscclj.plan.document;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON value by value. The caller determines the order; the writer sets commas, line breaks and escapes. A
 * number that JSON cannot express, such as NaN, becomes a string.
 */
public final class JsonWriter {
    private static final String INDENT = "  ";

    /** An object or array that has begun. */
    private static final class Container {
        private final @Nullable Container parent;
        private final boolean isObject;
        private final boolean isOnOneLine;
        private final boolean entriesHaveLines;
        private final int depth;
        private boolean isEmpty = true;

        Container(@Nullable Container parent, boolean isObject, boolean isOnOneLine, JsonLayout layout) {
            this.parent = parent;
            this.isObject = isObject;
            this.isOnOneLine = isOnOneLine;
            boolean lines = isObject ? layout.fieldsHaveLines() : layout.elementsHaveLines();
            entriesHaveLines = lines && !isOnOneLine;
            depth = (parent == null ? 0 : parent.depth) + (lines ? 1 : 0);
        }
    }

    private final StringBuilder text = new StringBuilder();
    private final JsonLayout layout;
    private @Nullable Container container;
    private boolean isNamed;

    /** Creates a writer. */
    public JsonWriter(JsonLayout layout) {
        this.layout = layout;
    }

    /** Returns what {@code content} writes, with a line break at its end. */
    public static String document(JsonLayout layout, Consumer<JsonWriter> content) {
        JsonWriter json = new JsonWriter(layout);
        content.accept(json);
        return json.text.append('\n').toString();
    }

    /** Begins an object. */
    public JsonWriter beginObject() {
        return begin(true, isOnOneLine());
    }

    /** Begins an object that is the value of a field. */
    public JsonWriter beginObject(String name) {
        return name(name).beginObject();
    }

    /** Begins an object on one line, with all that it contains. */
    public JsonWriter beginLine() {
        return begin(true, true);
    }

    /** Begins an array. */
    public JsonWriter beginArray() {
        return begin(false, isOnOneLine());
    }

    /** Begins an array that is the value of a field. */
    public JsonWriter beginArray(String name) {
        return name(name).beginArray();
    }

    /** Begins an array whose elements have their own lines, even inside an object on one line. */
    public JsonWriter beginLines(String name) {
        return name(name).begin(false, false);
    }

    /** Ends the object or array that has begun last. */
    public JsonWriter end() {
        Container ended = container;
        if (ended == null || isNamed) {
            throw new IllegalStateException("there is no object or array to end, or its last field has no value");
        }
        container = ended.parent;
        if (ended.isEmpty || !ended.entriesHaveLines) {
            text.append(layout.padding());
        } else {
            breakLine(ended.depth - 1);
        }
        text.append(ended.isObject ? '}' : ']');
        return this;
    }

    /** Writes a string as a field. */
    public JsonWriter field(String name, String value) {
        return name(name).value(value);
    }

    /** Writes an integer as a field. */
    public JsonWriter field(String name, long value) {
        return name(name).value(value);
    }

    /** Writes a number as a field. */
    public JsonWriter field(String name, double value) {
        return name(name).value(value);
    }

    /** Writes a number as a field, with all digits of its scale. */
    public JsonWriter field(String name, BigDecimal value) {
        return name(name).literal(value.toPlainString());
    }

    /** Writes a boolean as a field. */
    public JsonWriter field(String name, boolean value) {
        return name(name).literal(String.valueOf(value));
    }

    /** Writes a number, or null, as a field. */
    public JsonWriter field(String name, OptionalDouble value) {
        return value.isPresent() ? field(name, value.getAsDouble()) : nullField(name);
    }

    /** Writes a string, or null, as a field. */
    public JsonWriter field(String name, Optional<String> value) {
        return value.isPresent() ? field(name, value.get()) : nullField(name);
    }

    /** Writes null as a field. */
    public JsonWriter nullField(String name) {
        return name(name).literal("null");
    }

    /** Writes an integer from 0 to 2<sup>64</sup>−1 as a field. */
    public JsonWriter unsigned(String name, long value) {
        return name(name).literal(Long.toUnsignedString(value));
    }

    /** Writes an array of strings as a field. */
    public JsonWriter strings(String name, Iterable<String> values) {
        beginArray(name);
        values.forEach(this::value);
        return end();
    }

    /** Writes an array of integers as a field. */
    public JsonWriter integers(String name, Iterable<Integer> values) {
        beginArray(name);
        values.forEach(this::value);
        return end();
    }

    /** Writes an array of integers as a field. */
    public JsonWriter integers(String name, LongStream values) {
        beginArray(name);
        values.forEach(this::value);
        return end();
    }

    /** Writes a string. */
    public JsonWriter value(String value) {
        beginValue();
        layout.quote(value, text);
        return this;
    }

    /** Writes an integer. */
    public JsonWriter value(long value) {
        beginValue();
        text.append(value);
        return this;
    }

    /** Writes a number. */
    public JsonWriter value(double value) {
        return Double.isFinite(value) ? literal(Double.toString(value)) : value(Double.toString(value));
    }

    /** Returns what has been written. */
    @Override
    public String toString() {
        return text.toString();
    }

    private JsonWriter name(String name) {
        if (isNamed || container == null || !container.isObject) {
            throw new IllegalStateException("the field " + name + " must be in an object, after a complete value");
        }
        beginEntry(container);
        layout.quote(name, text);
        text.append(layout.colon());
        isNamed = true;
        return this;
    }

    private JsonWriter literal(String literal) {
        beginValue();
        text.append(literal);
        return this;
    }

    private JsonWriter begin(boolean isObject, boolean isOnOneLine) {
        beginValue();
        text.append(isObject ? '{' : '[');
        container = new Container(container, isObject, isOnOneLine, layout);
        return this;
    }

    private boolean isOnOneLine() {
        return container != null && container.isOnOneLine;
    }

    private void beginValue() {
        if (isNamed) {
            isNamed = false;
            return;
        }
        if (container == null ? !text.isEmpty() : container.isObject) {
            throw new IllegalStateException("a value must be in an array, after a name, or alone");
        }
        if (container != null) {
            beginEntry(container);
        }
    }

    private void beginEntry(Container entries) {
        boolean isFirst = entries.isEmpty;
        entries.isEmpty = false;
        if (entries.entriesHaveLines) {
            text.append(isFirst ? "" : ",");
            breakLine(entries.depth);
        } else {
            text.append(isFirst ? layout.padding() : layout.comma());
        }
    }

    private void breakLine(int depth) {
        text.append('\n').repeat(INDENT, depth);
    }
}

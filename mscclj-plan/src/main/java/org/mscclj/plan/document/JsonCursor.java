package org.mscclj.plan.document;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.PlainText;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads a JSON document value by value, checks the values, and keeps the position in the document for messages.
 *
 * <p>A method that reads a value expects its first token to be current, and leaves its last token current. Every
 * failure is an {@link InvalidArgumentException}.
 */
public final class JsonCursor {
    /** Handles the value of one known key. */
    public interface KeyHandler {
        /** Reads the value of a key. */
        void value(String key);
    }

    private static final BigInteger UNSIGNED_LIMIT = BigInteger.ONE.shiftLeft(Long.SIZE);

    /** Plans nest 12 deep; ignored values may nest deeper, but with bounded memory. */
    private static final int MAX_DEPTH = 100;

    private static final int MAX_NAME_LENGTH = 1_000;
    private static final int MAX_NUMBER_LENGTH = 100;
    private static final int MAX_TEXT_LENGTH = 100_000;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxNameLength(MAX_NAME_LENGTH)
                    .maxNumberLength(MAX_NUMBER_LENGTH)
                    .maxStringLength(MAX_TEXT_LENGTH)
                    .build())
            .build();

    private final String origin;

    /** The kind of document, for messages. */
    private final String document;

    private final JsonParser parser;

    // The path to the current value: for each level the key, the position in its array, and the name of the object
    // there.
    private final String[] keys = new String[MAX_DEPTH];
    private final int[] positions = new int[MAX_DEPTH];
    private final @Nullable String[] labels = new String[MAX_DEPTH];
    private int depth;

    private JsonCursor(JsonParser parser, String origin, String document) {
        this.parser = parser;
        this.origin = origin;
        this.document = document;
    }

    /** Reads the one value of {@code json}, which is a {@code document}, with {@code reader}. */
    public static <T> T read(byte[] json, String origin, String document, Function<JsonCursor, T> reader) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
            JsonCursor cursor = new JsonCursor(parser, origin, document);
            try {
                parser.nextToken();
                T result = reader.apply(cursor);
                if (parser.nextToken() != null) {
                    throw cursor.error(
                            "something follows the " + document + "'s closing brace; allowed: one JSON object");
                }
                return result;
            } catch (JacksonException e) {
                throw cursor.malformed(e);
            }
        } catch (JacksonException e) {
            throw new InvalidArgumentException(
                    PlainText.escape(origin) + ": is not JSON; allowed: the file of a " + document
                            + ", which is a JSON object, in UTF-8",
                    e);
        }
    }

    /**
     * Reads an object: passes known keys to {@code handler}, skips or refuses others, and requires the required ones.
     */
    public void object(ObjectShape shape, KeyHandler handler) {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw notA("an object");
        }
        long seen = 0;
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String key = parser.currentName();
            Integer number = shape.numbers().get(key);
            parser.nextToken();
            if (number == null && shape.isClosed()) {
                throw error("key " + PlainText.quote(PlainText.brief(key)) + " is unknown; allowed: "
                        + String.join(", ", shape.names()));
            }
            if (number == null) {
                parser.skipChildren();
                continue;
            }
            enter(key);
            if ((seen & 1L << number) != 0) {
                throw error("the key is given twice; allowed: once");
            }
            seen |= 1L << number;
            handler.value(key);
            depth--;
        }
        for (int number = 0; number < shape.required(); number++) {
            if ((seen & 1L << number) == 0) {
                throw missing(shape.names().get(number));
            }
        }
    }

    /** Reads an array. */
    public <T> List<T> list(Supplier<T> element) {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            throw notA("an array");
        }
        List<T> list = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            positions[depth - 1] = list.size();
            labels[depth - 1] = null;
            list.add(element.get());
        }
        positions[depth - 1] = -1;
        labels[depth - 1] = null;
        return list;
    }

    /** Sets the name of the object whose key is being read. */
    public void label(String label) {
        labels[depth - 2] = label;
    }

    /** Reads a string. */
    public String string() {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            throw notA("a string");
        }
        return parser.getString();
    }

    /** Reads one of the names of {@code allowed}. */
    public <T> T oneOf(Map<String, T> allowed) {
        T value = parser.currentToken() == JsonToken.VALUE_STRING ? allowed.get(parser.getString()) : null;
        if (value == null) {
            throw notA("one of " + String.join(", ", allowed.keySet()));
        }
        return value;
    }

    /** Reads a boolean. */
    public boolean bool() {
        return switch (parser.currentToken()) {
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> throw notA("true or false");
        };
    }

    /** Reads a number. */
    public double number() {
        return switch (parser.currentToken()) {
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            default -> throw notA("a number");
        };
    }

    /** Whether the current value is null. */
    public boolean isNull() {
        return parser.currentToken() == JsonToken.VALUE_NULL;
    }

    /** Calls a constructor with values that have been read; an exception becomes a fault of the current value. */
    public <T> T checked(Supplier<T> value) {
        try {
            return value.get();
        } catch (InvalidArgumentException e) {
            throw error(String.valueOf(e.getMessage()));
        }
    }

    /** Reads an integer from 0 to {@link Integer#MAX_VALUE}. */
    public int count() {
        if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT
                && parser.getNumberType() == JsonParser.NumberType.INT
                && parser.getIntValue() >= 0) {
            return parser.getIntValue();
        }
        throw notA("an integer from 0 to " + Integer.MAX_VALUE);
    }

    /** Reads an integer from 0 to {@link Long#MAX_VALUE}. */
    public long longCount() {
        long value = unsignedLong();
        if (value < 0) {
            throw notA("an integer from 0 to " + Long.MAX_VALUE);
        }
        return value;
    }

    /** Reads an integer from 0 to 2<sup>64</sup>−1. */
    public long unsignedLong() {
        if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT) {
            BigInteger value = parser.getBigIntegerValue();
            if (value.signum() >= 0 && value.compareTo(UNSIGNED_LIMIT) < 0) {
                return value.longValue();
            }
        }
        throw notA("an integer from 0 to " + Long.toUnsignedString(-1));
    }

    /** The fault that {@code key} of the object just read is missing. */
    public InvalidArgumentException missing(String key) {
        return error("key " + key + " is missing");
    }

    /** A fault of the current value, or of the object or array just read. */
    public InvalidArgumentException error(String fault) {
        return new InvalidArgumentException(place() + ": " + fault + lineAndColumn(parser.currentTokenLocation()));
    }

    private InvalidArgumentException notA(String allowed) {
        return error("given is " + given() + "; allowed: " + allowed);
    }

    private InvalidArgumentException malformed(JacksonException e) {
        // The parser's own text, in the cause, is for programmers.
        String fault = switch (e) {
            case UnexpectedEndOfInputException _ -> "the file ends too early";
            case StreamConstraintsException _ ->
                "beyond what any " + document + " needs; allowed: " + MAX_DEPTH
                        + " levels, and names, numbers and texts of " + MAX_NAME_LENGTH + ", " + MAX_NUMBER_LENGTH
                        + " and "
                        + MAX_TEXT_LENGTH + " characters";
            default ->
                parser.currentToken() == null
                        ? "is not JSON; allowed: the file of a " + document + ", which is a JSON object"
                        : "malformed JSON; check the text at this position";
        };
        return new InvalidArgumentException(place() + ": " + fault + lineAndColumn(e.getLocation()), e);
    }

    private String given() {
        return switch (parser.currentToken()) {
            case null -> "nothing";
            case START_OBJECT -> "an object";
            case START_ARRAY -> "an array";
            case VALUE_STRING -> PlainText.quote(parser.getString());
            default -> PlainText.brief(parser.getString());
        };
    }

    private static String lineAndColumn(@Nullable TokenStreamLocation location) {
        return location == null ? "" : " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
    }

    private void enter(String key) {
        keys[depth] = key;
        positions[depth] = -1;
        labels[depth] = null;
        depth++;
    }

    /** The file and the path to the current value, in the terms of plans. */
    private String place() {
        StringBuilder text = new StringBuilder(PlainText.escape(origin)).append(": ");
        String[] plan = {"gpus", "threadblocks", "ops", "ops"};
        String[] words = {"rank ", "block ", "op ", "inner op "};
        int level = 0;
        while (level < plan.length && level < depth && positions[level] >= 0 && keys[level].equals(plan[level])) {
            text.append(level == 0 ? "" : ", ").append(words[level]).append(positions[level]);
            if (labels[level] != null) {
                text.append(" (").append(labels[level]).append(')');
            }
            level++;
        }
        if (level == 0 && depth == 0) {
            text.append(document);
        }
        for (int i = level; i < depth; i++) {
            text.append(i > level ? "." : level > 0 ? ", " : "").append(keys[i]);
            if (positions[i] >= 0) {
                text.append('[').append(positions[i]).append(']');
            }
        }
        return text.toString();
    }
}

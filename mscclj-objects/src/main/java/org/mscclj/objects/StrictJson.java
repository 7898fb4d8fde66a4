package org.mscclj.objects;

import java.math.BigDecimal;
import org.mscclj.api.error.InvalidArgumentException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

/**
 * JSON that a rank may send: well formed, with unique names in each object, without unpaired surrogates, and within
 * limits that keep its cost proportional to its size. A peer chooses the bytes, so they are checked before any object
 * is created.
 */
final class StrictJson {
    /** Greatest nesting of objects and lists. */
    static final int DEEPEST = 500;

    /** Greatest number of digits of a number. */
    static final int MAX_DIGITS = 1000;

    /**
     * Greatest power of ten by which a number may be scaled, up or down: the decoded number may have a digit for each.
     */
    static final int MAX_EXPONENT = 10_000;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEPEST)
                    .maxNumberLength(MAX_DIGITS)
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            // The parser's table of names, which shares strings, is slow if hashes of names collide, and a peer chooses
            // the names.
            .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
            .disable(TokenStreamFactory.Feature.INTERN_PROPERTY_NAMES)
            .build();

    private StrictJson() {}

    /** The factory of parsers with these limits. */
    static JsonFactory factory() {
        return FACTORY;
    }

    /**
     * Checks a document.
     *
     * @return the document as text
     * @throws JacksonException if it is no JSON, repeats a name, or exceeds a limit
     * @throws InvalidArgumentException if a text or a number is not allowed; the message names its position
     */
    static String require(byte[] document) {
        String text = StringCodec.INSTANCE.decode(document);
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.PROPERTY_NAME || token == JsonToken.VALUE_STRING) {
                    requireWholePairs(parser);
                } else if (token == JsonToken.VALUE_NUMBER_FLOAT) {
                    requireScale(parser);
                }
            }
        }
        return text;
    }

    private static void requireWholePairs(JsonParser parser) {
        String text = parser.getString();
        boolean whole = text.codePoints().noneMatch(c -> Character.getType(c) == Character.SURROGATE);
        if (!whole) {
            throw new InvalidArgumentException(
                    "the text at " + where(parser) + " has half a surrogate pair; allowed: whole characters");
        }
    }

    private static void requireScale(JsonParser parser) {
        long scale;
        try {
            scale = new BigDecimal(parser.getString()).scale();
        } catch (NumberFormatException e) {
            throw new InvalidArgumentException(
                    "the number at " + where(parser) + " is out of range; allowed: exponents within " + MAX_EXPONENT,
                    e);
        }
        if (Math.abs(scale) > MAX_EXPONENT) {
            throw new InvalidArgumentException("the number at " + where(parser) + " is scaled by ten to the power of "
                    + -scale + "; allowed: " + -MAX_EXPONENT + " to " + MAX_EXPONENT);
        }
    }

    private static String where(JsonParser parser) {
        return "character " + parser.currentTokenLocation().getCharOffset();
    }
}

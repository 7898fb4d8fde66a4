package org.mscclj.plan.html;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text with places such as <code>{{title}}</code>, which are filled in one pass: what fills one is not looked at
 * again.
 */
public final class Template {
    private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");

    private final String text;

    /** A template with this text. */
    public Template(String text) {
        this.text = text;
    }

    /**
     * The text of a resource. The caller opens it, since a module's resources are its own.
     *
     * @param name of the resource, for messages
     * @param resource what {@link Class#getResourceAsStream} gave; closed here
     */
    public static String text(String name, InputStream resource) {
        try (resource) {
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + name, e);
        }
    }

    /**
     * The text with all places filled.
     *
     * @param parts markup by the name of its place
     * @throws NullPointerException if there is a place without a part; names it
     */
    public String filled(Map<String, String> parts) {
        return PLACE.matcher(text)
                .replaceAll(place -> Matcher.quoteReplacement(Objects.requireNonNull(
                        parts.get(place.group(1)), () -> "the template has an unknown place " + place.group())));
    }
}

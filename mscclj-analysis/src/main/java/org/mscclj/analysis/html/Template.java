package org.mscclj.analysis.html;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text with placeholders such as <code>{{title}}</code>, which are replaced in one pass: replacements are not scanned
 * again.
 */
public final class Template {
    private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");

    private final String text;

    /** Creates a template with this text. */
    public Template(String text) {
        this.text = text;
    }

    /**
     * The text of a resource. The caller opens it, because resources are encapsulated in their module.
     *
     * @param name name of the resource, for messages
     * @param resource result of {@link Class#getResourceAsStream}; this method closes it
     */
    public static String text(String name, InputStream resource) {
        try (resource) {
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + name, e);
        }
    }

    /**
     * The text with all placeholders replaced.
     *
     * @param parts markup by name of placeholder
     * @throws NullPointerException if a placeholder has no markup; the message names it
     */
    public String filled(Map<String, String> parts) {
        return PLACE.matcher(text)
                .replaceAll(place -> Matcher.quoteReplacement(Objects.requireNonNull(
                        parts.get(place.group(1)), () -> "the template has an unknown placeholder " + place.group())));
    }
}

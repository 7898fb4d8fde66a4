package org.mscclj.analysis.html;

import org.mscclj.api.error.PlainText;

/** Text in HTML and SVG. */
public final class Markup {
    private Markup() {}

    /** Escapes markup and invisible characters, for content and for attributes. */
    public static String escaped(String text) {
        return PlainText.lines(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** JSON for a script element of a document that is both HTML and XML. */
    public static String escapedJson(String json) {
        return json.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e");
    }
}

package org.mscclj.plan.html;

/** Text inside HTML and SVG. */
public final class Markup {
    private Markup() {}

    /** With the characters that mean something replaced, for content and for attributes. */
    public static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** JSON inside a script element of a document that is both HTML and XML. */
    public static String escapedJson(String json) {
        return json.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e");
    }
}

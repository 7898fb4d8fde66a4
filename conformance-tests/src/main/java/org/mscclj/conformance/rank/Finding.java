package org.mscclj.conformance.rank;

/**
 * Something that a rank found wrong.
 *
 * @param kind what kind of thing
 * @param text what was found and what is right, on one line
 */
public record Finding(FindingKind kind, String text) {
    /** Puts the text on one line. */
    public Finding {
        text = text.replaceAll("\\s*\\R\\s*", "; ");
    }
}

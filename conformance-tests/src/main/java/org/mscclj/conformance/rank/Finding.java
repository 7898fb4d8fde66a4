package org.mscclj.conformance.rank;

/**
 * A fault that a rank found.
 *
 * @param kind the kind of the fault
 * @param text what was found and what is correct, on one line
 */
public record Finding(FindingKind kind, String text) {
    /** Puts the text on one line. */
    public Finding {
        text = text.replaceAll("\\s*\\R\\s*", "; ");
    }
}

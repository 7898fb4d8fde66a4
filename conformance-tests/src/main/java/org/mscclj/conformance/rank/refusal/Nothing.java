package org.mscclj.conformance.rank.refusal;

/** What nobody may pass. */
final class Nothing {
    private Nothing() {}

    /** Null, for calls that must refuse it. */
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    static <T> T at() {
        return null;
    }
}

package org.mscclj.conformance.rank.refusal;

/** The null argument, which every call must refuse. */
final class Nothing {
    private Nothing() {}

    /** Returns null, for calls that must refuse it. */
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    static <T> T at() {
        return null;
    }
}

package org.mscclj.gpu;

/** What backends keep until the process ends, for tests that count what lives. */
public final class UsedContexts {
    private UsedContexts() {}

    /** Ends it. */
    public static void forget() {
        RetainedContexts.forget();
    }
}

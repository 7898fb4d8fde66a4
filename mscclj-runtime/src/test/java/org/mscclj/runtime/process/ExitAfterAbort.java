package org.mscclj.runtime.process;

import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;

/** Exits as soon as a communicator is aborted, without closing anything. */
public final class ExitAfterAbort {
    private ExitAfterAbort() {}

    /** Started by {@link ExitAfterAbortTest}. */
    public static void main(String[] arguments) {
        LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(2).backend("host"));
        group.communicator(0).abort("on purpose");
        System.exit(7);
    }
}

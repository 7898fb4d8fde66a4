package org.mscclj.conformance.rank.hook;

import org.mscclj.conformance.rank.RankCheck;

/** The checks of hooks. */
public final class HookChecks {
    private HookChecks() {}

    /** Checks hooks around launches. */
    public static RankCheck hooks() {
        return new HookCheck();
    }

    /** Checks hooks and aborts. */
    public static RankCheck hooksOfAborts() {
        return new HookOfAbortsCheck();
    }

    /** Checks hooks and replays. */
    public static RankCheck hooksOfReplays() {
        return new HookOfReplaysCheck();
    }
}

package org.mscclj.conformance.rank.group;

import org.mscclj.conformance.rank.RankCheck;

/** The checks of groups. */
public final class GroupChecks {
    private GroupChecks() {}

    /** Checks meshes of ranks. */
    public static RankCheck mesh() {
        return new MeshCheck();
    }

    /** Checks that survivors continue in another communicator, without newcomers. */
    public static RankCheck reconfigure() {
        return new ReconfigureCheck();
    }

    /** Checks that the remaining ranks continue after a shrink. */
    public static RankCheck shrink() {
        return new ShrinkCheck();
    }

    /** Checks splits by lists of ranks. */
    public static RankCheck split() {
        return new SplitCheck();
    }

    /** Checks splits by colours. */
    public static RankCheck colours() {
        return new ColourCheck();
    }
}

package org.mscclj.plan.program;

import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;

/**
 * What a program is made for.
 *
 * @param collective what it computes
 * @param ranks number of ranks
 * @param root where a broadcast or scatter starts, or where a reduce or gather ends; 0 for other collectives
 * @param inPlace whether input and output share memory as the collective's in-place form does
 * @param blocks thread blocks of each rank; each takes an equal share of every range
 */
public record ProgramSpec(Collective collective, int ranks, int root, boolean inPlace, int blocks) {
    /** Checks the numbers. */
    public ProgramSpec {
        if (ranks < 1) {
            throw InvalidArgumentException.of("ranks", ranks, "1 or more");
        }
        int last = collective.hasRoot() ? ranks - 1 : 0;
        if (root < 0 || root > last) {
            throw InvalidArgumentException.of("root of " + collective, root, last == 0 ? "0" : "0 to " + last);
        }
        if (blocks < 1) {
            throw InvalidArgumentException.of("thread blocks", blocks, "1 or more");
        }
    }

    /** The name of the plan: it tells programs with different specifications apart. */
    String planName(String program) {
        return collective + "_" + program + "_" + ranks + "ranks"
                + (root == 0 ? "" : "_root" + root)
                + (blocks == 1 ? "" : "_" + blocks + "blocks")
                + (inPlace ? "_inplace" : "");
    }
}

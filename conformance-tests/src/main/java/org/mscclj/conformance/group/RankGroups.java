package org.mscclj.conformance.group;

import org.mscclj.conformance.scenario.GroupKind;
import org.mscclj.conformance.scenario.Mode;

/** Opens groups of ranks. */
@FunctionalInterface
public interface RankGroups {
    /**
     * Opens a group.
     *
     * @throws org.mscclj.api.error.MsccljException if the group cannot be opened
     */
    RankGroup open(Mode mode, int world, GroupKind kind);
}

package org.mscclj.analysis.verify.machine;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mscclj.analysis.verify.order.VectorClock;

/**
 * The clocks that a packet carries: what its writer releases, and what the packets release from which it was computed.
 * The packet follows all of those, so its reader acquires the clocks before their launches, and the reads before them.
 * The elements of one operation mostly have the same sources, whose clocks are joined once.
 */
final class PacketClocks {
    private List<VectorClock> begins = List.of();
    private List<VectorClock> sources = List.of();
    private @Nullable VectorClock ownBegin;
    private @Nullable VectorClock ownReleased;
    private @Nullable VectorClock begin;
    private @Nullable VectorClock released;

    /**
     * Joins the clocks that the packets of an element carry.
     *
     * @param own clock before the writer's launch
     * @param released clock that the writer releases
     */
    @SuppressWarnings("ReferenceEquality") // other clocks with equal content are joined again, with the same result
    void of(Element element, VectorClock own, VectorClock released) {
        if (own != ownBegin || !isSame(element.begins(), begins)) {
            ownBegin = own;
            begins = element.begins();
            begin = own;
            if (!begins.isEmpty()) {
                begin = own.copy();
                begins.forEach(begin::include);
            }
        }
        if (released != ownReleased || !isSame(element.released(), sources)) {
            ownReleased = released;
            sources = element.released();
            this.released = released;
            if (!sources.isEmpty()) {
                this.released = released.copy();
                sources.forEach(this.released::includeReads);
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // see above
    private static boolean isSame(List<VectorClock> some, List<VectorClock> others) {
        if (some.size() != others.size()) {
            return false;
        }
        for (int i = 0; i < some.size(); i++) {
            if (some.get(i) != others.get(i)) {
                return false;
            }
        }
        return true;
    }

    @Nullable
    VectorClock begin() {
        return begin;
    }

    @Nullable
    VectorClock released() {
        return released;
    }
}

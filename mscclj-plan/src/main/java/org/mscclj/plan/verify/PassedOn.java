package org.mscclj.plan.verify;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a packet tells: what its writer can tell, and what the packets tell from which it was computed. A packet is
 * ordered after those, so whoever sees it knows what preceded their launches, and that the reads before them are done.
 * The elements of one operation mostly have the same sources; what they tell is put together once.
 */
final class PassedOn {
    private List<Knowledge> begins = List.of();
    private List<Knowledge> tellers = List.of();
    private @Nullable Knowledge ownBegin;
    private @Nullable Knowledge ownTold;
    private @Nullable Knowledge begin;
    private @Nullable Knowledge told;

    /**
     * Puts together what the packets of an element tell.
     *
     * @param own what preceded the writer's launch
     * @param told what the writer can tell
     */
    @SuppressWarnings(
            "ReferenceEquality") // other knowledge with the same content is put together again, which is as right
    void of(Element element, Knowledge own, Knowledge told) {
        if (own != ownBegin || !isSame(element.begins(), begins)) {
            ownBegin = own;
            begins = element.begins();
            begin = own;
            if (!begins.isEmpty()) {
                begin = own.copy();
                begins.forEach(begin::learn);
            }
        }
        if (told != ownTold || !isSame(element.told(), tellers)) {
            ownTold = told;
            tellers = element.told();
            this.told = told;
            if (!tellers.isEmpty()) {
                this.told = told.copy();
                tellers.forEach(this.told::learnReads);
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // see above
    private static boolean isSame(List<Knowledge> some, List<Knowledge> others) {
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
    Knowledge begin() {
        return begin;
    }

    @Nullable
    Knowledge told() {
        return told;
    }
}

package org.mscclj.runtime.fallback;

import java.util.List;
import java.util.Optional;
import org.mscclj.api.type.Collective;

/** What the selection of an algorithm knows of a fallback. */
public interface FallbackCandidate {
    /** No fallback. */
    FallbackCandidate NONE = new FallbackCandidate() {
        @Override
        public boolean isForced(Collective collective) {
            return false;
        }

        @Override
        public boolean isNamed(String name) {
            return false;
        }

        @Override
        public Optional<String> name(List<String> refusals) {
            return Optional.empty();
        }
    };

    /** Returns whether the user gives a collective to the fallback, whatever else could serve it. */
    boolean isForced(Collective collective);

    /** Returns whether a fallback has this name. */
    boolean isNamed(String name);

    /**
     * Returns the name of the fallback; empty if this rank has none for its device. Loads the library when it is first
     * called.
     *
     * @param refusals receives the reason if a fallback is installed that cannot be used
     */
    Optional<String> name(List<String> refusals);
}

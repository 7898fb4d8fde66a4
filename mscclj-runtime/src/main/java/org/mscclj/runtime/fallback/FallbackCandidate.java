package org.mscclj.runtime.fallback;

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
        public Optional<Found> find(FallbackCall call) {
            return Optional.empty();
        }
    };

    /**
     * A fallback that is installed for the device of this rank.
     *
     * @param name its name
     * @param usable whether the library can be used at all
     * @param refusal why it cannot serve the call; empty if it can
     */
    record Found(String name, boolean usable, Optional<String> refusal) {}

    /** Returns whether the user gives a collective to the fallback, whatever else could serve it. */
    boolean isForced(Collective collective);

    /** Returns whether a fallback has this name. */
    boolean isNamed(String name);

    /**
     * Returns the fallback of this rank's device for a call; empty if none is installed. Loads the library when it is
     * first called, and opens nothing.
     */
    Optional<Found> find(FallbackCall call);
}

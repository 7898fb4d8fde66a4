package org.mscclj.api.algorithm;

import java.util.Objects;

/**
 * An algorithm that a communicator has considered for a call.
 *
 * @param name the name by which a call names it
 * @param kind what it is
 * @param decision whether it serves the call
 * @param reason why, as a clause; never empty
 */
public record AlgorithmCandidate(String name, Kind kind, Decision decision, String reason) {
    /** What an algorithm is. */
    public enum Kind {
        /** A plan that the application has registered. */
        REGISTERED_PLAN("registered plan"),
        /** An algorithm that the application has written. */
        NATIVE_ALGORITHM("native algorithm"),
        /** A program that ships with mscclj. */
        SHIPPED_PROGRAM("shipped program"),
        /** Another library, such as NCCL. */
        FALLBACK("fallback");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        @Override
        public String toString() {
            return label;
        }
    }

    /** Whether an algorithm serves a call. */
    public enum Decision {
        /** It serves the call. */
        CHOSEN("chosen"),
        /** It could serve the call, and another algorithm comes first. */
        NOT_NEEDED("not needed"),
        /** It cannot serve the call. */
        REFUSED("refused");

        private final String label;

        Decision(String label) {
            this.label = label;
        }

        @Override
        public String toString() {
            return label;
        }
    }

    /** Checks that nothing is null. */
    public AlgorithmCandidate {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(decision, "decision");
        Objects.requireNonNull(reason, "reason");
    }

    @Override
    public String toString() {
        return kind + " " + name + ": " + decision + ", " + reason;
    }
}

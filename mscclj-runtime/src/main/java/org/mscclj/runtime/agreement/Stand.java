package org.mscclj.runtime.agreement;

import java.util.List;

/**
 * The state of a rank in a call of shrink.
 *
 * @param version counts the states that the rank has sent; a later version replaces an earlier one
 * @param call counts the rank's calls
 * @param phase the phase of the call
 * @param excluded the ranks that the call excludes, ascending
 * @param calls from {@link Phase#READY} on, the call numbers of all remaining ranks, in the order of the ranks, which
 *     the rank takes to be one attempt; in {@link Phase#REFUSED}, the numbers of the last calls of all ranks that the
 *     rank has heard of
 * @param quit the call numbers of the last attempt that the rank gave up after all remaining ranks had met; empty if
 *     there is none
 */
public record Stand(long version, long call, Phase phase, List<Integer> excluded, List<Long> calls, List<Long> quit) {
    /** The state of a rank that has never called. */
    static final Stand NONE = new Stand(0, 0, Phase.NONE, List.of(), List.of(), List.of());

    /** A phase of the call. */
    public enum Phase {
        /** The rank is in no call, or has given up the last one. */
        NONE,
        /** The rank has called. */
        CALLED,
        /**
         * All remaining ranks have called with an equal list, which the excluded ranks have received if they are alive.
         */
        READY,
        /** The rank has set up its part of the new communicator. */
        PREPARED,
        /** The rank goes on in the new communicator. */
        FORMED,
        /** The call was refused, because the lists of the ranks differ. */
        REFUSED,
        /** The rank gives up an attempt, unless another rank has formed already. */
        LEAVING,
        /** The rank has given up an attempt after all remaining ranks had met: each of them gives up that attempt. */
        QUIT
    }

    /** Copies the lists. */
    public Stand {
        excluded = List.copyOf(excluded);
        calls = List.copyOf(calls);
        quit = List.copyOf(quit);
    }

    /** Returns the state after the rank has made a new call. */
    Stand called(List<Integer> without) {
        return new Stand(version + 1, call + 1, Phase.CALLED, without, List.of(), quit);
    }

    /** Returns the state in another phase of this call. */
    Stand in(Phase next) {
        return new Stand(version + 1, call, next, excluded, calls, next == Phase.QUIT ? calls : quit);
    }

    /** Returns the state of a rank that is ready for an attempt. */
    Stand ready(List<Long> attempt) {
        return new Stand(version + 1, call, Phase.READY, excluded, attempt, quit);
    }

    /** Returns the state of a rank whose call was refused. */
    Stand refused(List<Long> heard) {
        return new Stand(version + 1, call, Phase.REFUSED, excluded, heard, quit);
    }

    /** Returns whether this rank's call was refused after it had heard of a given call of another rank. */
    boolean refuses(int each, long itsCall) {
        return phase == Phase.REFUSED && each < calls.size() && calls.get(each) == itsCall;
    }

    /** Returns whether the rank is in a call that may still form. */
    boolean isOpen() {
        return phase == Phase.CALLED || phase == Phase.READY || phase == Phase.PREPARED;
    }

    /** Returns whether the rank has passed the check of the lists, and may still form. */
    boolean mayForm() {
        return phase == Phase.READY || phase == Phase.PREPARED || phase == Phase.LEAVING;
    }

    /** Returns whether the rank has reached a phase in a given attempt. */
    boolean has(Phase reached, List<Long> attempt) {
        return phase == reached && calls.equals(attempt);
    }
}

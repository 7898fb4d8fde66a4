package org.mscclj.runtime.agreement;

import java.util.List;

/**
 * How far a rank is in a call of shrink.
 *
 * @param version counts what the rank has said; an older one says nothing any more
 * @param call counts the rank's calls
 * @param phase how far it is
 * @param excluded the ranks that it excludes, ascending
 * @param calls from {@link Phase#READY} on, the calls of all ranks that are left, in their order, which the rank takes
 *     to be one attempt; of {@link Phase#REFUSED}, the last calls of all ranks that it has heard of
 * @param quit the calls of the last attempt that the rank has given up after all had met; empty if there is none
 */
public record Stand(long version, long call, Phase phase, List<Integer> excluded, List<Long> calls, List<Long> quit) {
    /** Of a rank that has never called. */
    static final Stand NONE = new Stand(0, 0, Phase.NONE, List.of(), List.of(), List.of());

    /** How far a rank is. */
    public enum Phase {
        /** It is in no call, or has given the last one up. */
        NONE,
        /** It has called. */
        CALLED,
        /** All that are left have called with the same list, and the excluded ones have been told. */
        READY,
        /** Its part of the new communicator is set up. */
        PREPARED,
        /** It goes on in the new communicator. */
        FORMED,
        /** The call was refused, since lists differ. */
        REFUSED,
        /** It gives up an attempt, unless another rank has formed already. */
        LEAVING,
        /** It has given up an attempt after all had met: so all give that up. */
        QUIT
    }

    /** Copies the lists. */
    public Stand {
        excluded = List.copyOf(excluded);
        calls = List.copyOf(calls);
        quit = List.copyOf(quit);
    }

    /** The rank calls. */
    Stand called(List<Integer> without) {
        return new Stand(version + 1, call + 1, Phase.CALLED, without, List.of(), quit);
    }

    /** The rank goes on to another phase of the same call. */
    Stand in(Phase next) {
        return new Stand(version + 1, call, next, excluded, calls, next == Phase.QUIT ? calls : quit);
    }

    /** The rank is ready for an attempt. */
    Stand ready(List<Long> attempt) {
        return new Stand(version + 1, call, Phase.READY, excluded, attempt, quit);
    }

    /** The rank is refused. */
    Stand refused(List<Long> heard) {
        return new Stand(version + 1, call, Phase.REFUSED, excluded, heard, quit);
    }

    /** Whether the rank was refused after it had heard of a call of another one. */
    boolean refuses(int each, long itsCall) {
        return phase == Phase.REFUSED && each < calls.size() && calls.get(each) == itsCall;
    }

    /** Whether the rank is in a call that may still form. */
    boolean isOpen() {
        return phase == Phase.CALLED || phase == Phase.READY || phase == Phase.PREPARED;
    }

    /** Whether the rank is as far in an attempt. */
    boolean has(Phase reached, List<Long> attempt) {
        return phase == reached && calls.equals(attempt);
    }
}

package org.mscclj.runtime.proxy;

import org.jspecify.annotations.Nullable;

/**
 * The requests of peers that an agent answers. Any thread reports and checks requests; the thread that holds the
 * agent's claim answers them.
 */
final class PeerRequests {
    /** Pushes the answers; null if the agent answers no requests. */
    private volatile @Nullable RequestSource source;

    /** Whether transports do not report arrived requests, so that the agent must poll for them. */
    private volatile boolean looks;

    /**
     * Whether there may be requests that have not been checked. Set after requests are visible, cleared before they are
     * checked.
     */
    private volatile boolean arrived;

    /** Answers requests from now on; see {@link ProxyAgent#serve}. */
    void serve(RequestSource answers, boolean polls) {
        looks = polls;
        source = answers;
        arrived = true; // for requests that arrived before
    }

    /** Answers no requests any more, except those that a thread is answering now. */
    void stop() {
        source = null;
    }

    boolean isServed() {
        return source != null;
    }

    /** Reports that a request may have arrived. */
    void arrived() {
        arrived = true;
    }

    /** Returns whether a request may have arrived that has not been checked. */
    boolean mayHaveArrived() {
        return arrived;
    }

    /** Returns whether the agent must check for requests, though no thread reports any. */
    boolean arePending() {
        return arrived || (looks && source != null);
    }

    /** Pushes answers into the ring. They count as work when they are taken from the ring. */
    void pushAnswers() {
        RequestSource answers = source;
        if (arrived || (looks && answers != null)) {
            arrived = false; // also without a source, or the thread would not sleep
            if (answers != null && !answers.pushAnswers()) {
                arrived = true;
            }
        }
    }

    /** Drops the requests that have arrived: the agent answers none any more. */
    void drop() {
        arrived = false;
    }
}

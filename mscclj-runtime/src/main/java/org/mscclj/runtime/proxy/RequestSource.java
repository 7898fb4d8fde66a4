package org.mscclj.runtime.proxy;

/**
 * Requests of peers that this rank's proxy answers: checks for arrived requests, and pushes triggers into the proxy's
 * ring.
 */
@FunctionalInterface
public interface RequestSource {
    /**
     * Pushes an answer to each arrived request. Called by the thread that runs the agent, one thread at a time; must
     * not block, and allocates nothing.
     *
     * @return false if the ring is full: the remaining answers are pushed at the next call
     */
    boolean pushAnswers();
}

package org.mscclj.runtime.proxy;

/**
 * What peers ask of this rank, and its proxy answers: looks at what has come, and pushes triggers into the proxy's
 * ring.
 */
@FunctionalInterface
public interface RequestSource {
    /**
     * Pushes an answer to each request that has come. Called by whoever runs the agent, by one thread at a time; must
     * not block, and allocates nothing.
     *
     * @return false if the ring is full: the others are pushed at the next call
     */
    boolean pushAnswers();
}

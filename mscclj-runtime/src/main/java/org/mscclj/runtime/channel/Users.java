package org.mscclj.runtime.channel;

import org.mscclj.api.error.InvalidArgumentException;

/**
 * Counts the users of a part of a channel, so that the part is not closed while it is in use: a proxy or a peer would
 * write into freed memory. Safe for use by several threads.
 */
final class Users {
    private final String part;
    private final String users;
    private int count;
    private boolean closed;

    /**
     * Creates the count for a part that is open.
     *
     * @param part a description of the part, for example "a semaphore for rank 3"
     * @param users a description of its users, for example "channels"
     */
    Users(String part, String users) {
        this.part = part;
        this.users = users;
    }

    synchronized void add() {
        requireOpen();
        count++;
    }

    /**
     * Throws if the part is closed.
     *
     * @throws InvalidArgumentException in this case
     */
    synchronized void requireOpen() {
        if (closed) {
            throw new InvalidArgumentException(part + " is closed; make another one");
        }
    }

    synchronized void remove() {
        count--;
    }

    synchronized boolean isOpen() {
        return !closed;
    }

    /**
     * Closes the part.
     *
     * @return whether it was open
     * @throws InvalidArgumentException if the part is in use
     */
    synchronized boolean close() {
        if (closed) {
            return false;
        }
        if (count > 0) {
            throw new InvalidArgumentException(part + " is used by " + count + " " + users + "; close those first");
        }
        closed = true;
        return true;
    }
}

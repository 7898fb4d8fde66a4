package org.mscclj.runtime.channel;

import org.mscclj.api.error.InvalidArgumentException;

/**
 * How many things use a part of a channel, so that it is not closed under them: a proxy or a peer would write into
 * memory that is not there any more. Safe for several threads.
 */
final class Users {
    private final String part;
    private final String users;
    private int count;
    private boolean closed;

    /**
     * For a part that is open.
     *
     * @param part what it is, for example "a semaphore for rank 3"
     * @param users what uses it, for example "channels"
     */
    Users(String part, String users) {
        this.part = part;
        this.users = users;
    }

    synchronized void add() {
        if (closed) {
            throw new InvalidArgumentException(part + " is closed; make another one");
        }
        count++;
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
     * @throws InvalidArgumentException if something uses it
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

package org.mscclj.runtime.collective;

/**
 * Where a buffer lies, in words that mean the same on all ranks.
 *
 * @param allocation the number of the registered allocation; 0 for memory that is not registered
 * @param offset bytes from its start
 */
record Place(long allocation, long offset) {
    /** Memory that is not registered. */
    static final Place PLAIN = new Place(0, 0);

    boolean isRegistered() {
        return allocation != 0;
    }

    @Override
    public String toString() {
        return isRegistered() ? "allocation " + allocation + " at offset " + offset : "plain memory";
    }
}

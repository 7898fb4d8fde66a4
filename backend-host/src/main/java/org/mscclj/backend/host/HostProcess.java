package org.mscclj.backend.host;

import java.security.SecureRandom;

/** Tells this process from every other, so that addresses are never taken for another process's. */
final class HostProcess {
    private static final long ID = new SecureRandom().nextLong();

    private HostProcess() {}

    /** A random number, the same as long as the process lives. */
    static long id() {
        return ID;
    }
}

package org.mscclj.transport.ib.port;

import java.util.Optional;
import java.util.function.IntFunction;
import org.mscclj.transport.ib.ffm.Gid;

/**
 * Chooses the GID by which a port of an Ethernet adapter is named (RoCE): version 2 before version 1, since only
 * version 2 crosses routers, and an IPv4 address before IPv6, since networks of RoCE usually configure IPv4.
 */
final class GidChoice {
    private GidChoice() {}

    /** An entry of the table of GIDs. */
    record Entry(int index, Gid gid) {}

    /**
     * Returns the best entry; the first one of several that are equally good.
     *
     * @param entries the number of entries
     * @param gid returns an entry; empty if it cannot be read
     * @param type returns the type of an entry, as the kernel names it; empty if it is unknown
     * @return empty if no entry is used
     */
    static Optional<Entry> best(int entries, IntFunction<Optional<Gid>> gid, IntFunction<Optional<String>> type) {
        Optional<Entry> best = Optional.empty();
        int most = 0;
        for (int i = 0; i < entries; i++) {
            Optional<Gid> candidate = gid.apply(i);
            if (candidate.isEmpty()) {
                continue;
            }
            int merit = merit(candidate.get(), type.apply(i).orElse(""));
            if (merit > most) {
                most = merit;
                best = Optional.of(new Entry(i, candidate.get()));
            }
        }
        return best;
    }

    /** Returns 0 for an entry that is not used; more for better ones. */
    private static int merit(Gid gid, String type) {
        if (!gid.isUsed()) {
            return 0;
        }
        int version = type.contains("v2") ? 4 : 0;
        return version + (gid.isIpv4() ? 3 : gid.isLinkLocal() ? 1 : 2);
    }
}

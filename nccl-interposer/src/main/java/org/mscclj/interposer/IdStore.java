package org.mscclj.interposer;

import java.security.SecureRandom;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.Stores;
import org.mscclj.api.UniqueId;
import org.mscclj.api.bootstrap.PortRange;
import org.mscclj.api.bootstrap.RendezvousAddress;
import org.mscclj.api.bootstrap.StoreAddress;
import org.mscclj.api.bootstrap.StoreServer;

/**
 * The store of a process that makes unique ids. It serves as long as the process lives: any process may make an id,
 * also one without a rank.
 */
final class IdStore {
    private static final SecureRandom RANDOM = new SecureRandom();

    private static @Nullable StoreServer server;

    private IdStore() {}

    /** Returns a new id. */
    static synchronized BinaryId create() {
        StoreServer serving = server;
        if (serving == null) {
            serving = serve();
            server = serving;
        }
        return new BinaryId(serving.address(), RANDOM.nextLong());
    }

    /** At the address that a unique id of the API would have, since the user's settings decide about that. */
    private static StoreServer serve() {
        UniqueId reachable = UniqueId.create();
        RendezvousAddress address = RendezvousAddress.of(reachable.address().host(), PortRange.ANY);
        return Stores.serve(new StoreAddress(address, reachable.secret(), Optional.empty()));
    }
}

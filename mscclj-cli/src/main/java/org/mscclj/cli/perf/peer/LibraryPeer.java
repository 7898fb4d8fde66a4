package org.mscclj.cli.perf.peer;

import java.util.function.Consumer;
import org.mscclj.api.device.Device;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.cli.check.CallShape;
import org.mscclj.cli.ranks.RankSession;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.fallback.FallbackCommunicator;
import org.mscclj.spi.fallback.FallbackProvider;

/** A library that works in our own processes, on our devices: its calls are launched and timed exactly like ours. */
public final class LibraryPeer implements Peer {
    private static final byte[] NO_ID = {};

    private final FallbackProvider provider;
    private final boolean symmetric;
    private final Consumer<String> notes;

    /**
     * A peer.
     *
     * @param provider the library
     * @param symmetric whether its buffers are symmetric windows; else they are memory of its own that is registered,
     *     where it has such
     * @param notes takes what is to be told besides times
     */
    public LibraryPeer(FallbackProvider provider, boolean symmetric, Consumer<String> notes) {
        this.provider = provider;
        this.symmetric = symmetric;
        this.notes = notes;
    }

    /**
     * Checks that the library can run such calls, as far as that can be told without ranks.
     *
     * @throws InvalidArgumentException if not; says what to change
     */
    public static void require(FallbackProvider provider, String option, CallShape example) {
        if (!example.collective().reduces()) {
            return;
        }
        if (!provider.capabilities().dataTypes().contains(example.type())) {
            throw InvalidArgumentException.of(
                    "--dtype",
                    example.type(),
                    "one of " + provider.capabilities().dataTypes() + " with --peer " + option);
        }
        if (!provider.capabilities().reduceOps().contains(example.op().kind())) {
            throw InvalidArgumentException.of(
                    "--op", example.op(), "one of " + provider.capabilities().reduceOps() + " with --peer " + option);
        }
    }

    @Override
    public String name() {
        return symmetric ? provider.name() + "-sym" : provider.name();
    }

    @Override
    public String description() {
        return provider.description() + (symmetric ? ", symmetric windows" : ", registered memory");
    }

    @Override
    public int mostTurns() {
        return Integer.MAX_VALUE;
    }

    @Override
    public RankPeer join(RankSession session) {
        Device device = session.communicator().device();
        if (!(device instanceof BackendDevice own) || !provider.supports(own)) {
            throw new InvalidArgumentException("--peer is " + name() + ", which cannot work on devices of backend "
                    + device.backend() + "; choose another --backend, or --peer mpi");
        }
        try {
            byte[] id = session.allGather(session.rank() == 0 ? provider.createId() : NO_ID)
                    .getFirst();
            session.beginOperations("peer set-up", 4);
            FallbackCommunicator communicator = provider.open(own, id, session.rank(), session.ranks());
            return new LibraryRank(name(), communicator, symmetric, session, notes);
        } catch (RuntimeException | Error e) {
            session.failed(e);
            throw e;
        }
    }

    @Override
    public void close() {}
}

package org.mscclj.cli.perf.peer;

import java.util.function.Consumer;
import org.mscclj.api.device.Device;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.ranks.RankSession;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.fallback.FallbackCommunicator;
import org.mscclj.spi.fallback.FallbackProvider;

/**
 * A library that runs in the same processes and on the same devices: its calls are launched and timed exactly like
 * ours.
 */
public final class LibraryPeer implements Peer {
    private static final byte[] NO_ID = {};

    private final FallbackProvider provider;
    private final boolean symmetric;
    private final Consumer<String> notes;

    /**
     * Creates a peer.
     *
     * @param provider the provider of the library
     * @param symmetric whether its buffers are symmetric windows; otherwise they are registered memory of the library's
     *     own allocator, if it has one
     * @param notes receives notes
     */
    public LibraryPeer(FallbackProvider provider, boolean symmetric, Consumer<String> notes) {
        this.provider = provider;
        this.symmetric = symmetric;
        this.notes = notes;
    }

    /**
     * Checks that the library supports a call, as far as possible without ranks.
     *
     * @throws InvalidArgumentException if it does not; the message says what to change
     */
    public static void require(FallbackProvider provider, String option, CheckedCall example) {
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

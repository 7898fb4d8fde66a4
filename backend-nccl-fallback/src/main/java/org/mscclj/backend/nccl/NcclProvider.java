package org.mscclj.backend.nccl;

import java.util.Optional;
import java.util.Set;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.backend.nccl.ffm.Nccl;
import org.mscclj.spi.Availability;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.fallback.FallbackCommunicator;
import org.mscclj.spi.fallback.FallbackProvider;

/** The provider of NCCL for devices of the CUDA backend. Its availability check loads the library. */
public final class NcclProvider implements FallbackProvider {
    private static final String BACKEND = "cuda";

    /** Called by the service loader. */
    public NcclProvider() {}

    @Override
    public String name() {
        return "nccl";
    }

    @Override
    public int priority() {
        return 0;
    }

    @Override
    public String description() {
        return Nccl.problem().isPresent()
                ? "NCCL"
                : "NCCL " + Nccl.version() + ", " + Nccl.path() + ", " + Nccl.multicast();
    }

    @Override
    public Availability probe() {
        return Nccl.problem().map(Availability::unavailable).orElseGet(Availability::available);
    }

    @Override
    public Capabilities capabilities() {
        if (Nccl.problem().isPresent()) {
            return new Capabilities(Set.of(), Set.of(), 0, Set.of());
        }
        return new Capabilities(
                new ElementTypes(Nccl.version()).reducibleTypes(),
                ElementTypes.operations(),
                Integer.MAX_VALUE,
                Set.of(Feature.RANKS_AS_THREADS, Feature.RANKS_AS_PROCESSES, Feature.GRAPH_CAPTURE, Feature.ABORT));
    }

    @Override
    public boolean supports(BackendDevice device) {
        return device.backend().equals(BACKEND);
    }

    @Override
    public byte[] createId() {
        requireUsable();
        return Nccl.uniqueId();
    }

    @Override
    public FallbackCommunicator open(BackendDevice device, byte[] id, int rank, int size) {
        requireUsable();
        if (!supports(device)) {
            throw InvalidArgumentException.of("device", device.backend(), "a device of backend " + BACKEND);
        }
        if (id.length != Nccl.UNIQUE_ID_BYTES) {
            throw InvalidArgumentException.of(
                    "id of " + id.length + " bytes",
                    "too short or too long",
                    Nccl.UNIQUE_ID_BYTES + " bytes, as createId gives");
        }
        if (size < 1 || rank < 0 || rank >= size) {
            throw InvalidArgumentException.of("rank", rank, "0 to " + (size - 1) + " of " + size + " ranks");
        }
        if (Thread.currentThread().isVirtual()) {
            throw new InvalidArgumentException(
                    "the calling thread is virtual, but CUDA's current device belongs to a platform thread;"
                            + " call from one");
        }
        device.makeCurrent();
        return new NcclCommunicator(device, Nccl.commInitRank(size, id, rank), rank, size);
    }

    private static void requireUsable() {
        Optional<String> problem = Nccl.problem();
        if (problem.isPresent()) {
            throw new UnsupportedException("NCCL cannot be used: " + problem.get());
        }
    }
}

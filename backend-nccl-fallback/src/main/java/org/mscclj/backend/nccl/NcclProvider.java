package org.mscclj.backend.nccl;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.nccl.ffm.Nccl;
import org.mscclj.backend.nccl.ffm.NcclCommunicators;
import org.mscclj.backend.nccl.ffm.NcclFunction;
import org.mscclj.backend.nccl.ffm.NcclLibrary;
import org.mscclj.backend.nccl.ffm.Product;
import org.mscclj.spi.Availability;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.fallback.FallbackCommunicator;
import org.mscclj.spi.fallback.FallbackProvider;

/** The provider of NCCL, for GPUs of NVIDIA. Its availability check loads the library. */
public class NcclProvider implements FallbackProvider {
    private static final Duration LONGEST = Duration.ofDays(1);

    private final Product product;
    private final @Nullable NcclLibrary library;
    private final Supplier<Nccl> functions;

    /** Called by the service loader. */
    public NcclProvider() {
        this(Product.NCCL);
    }

    /** A provider of the installed library. */
    NcclProvider(Product product) {
        this(product, null, () -> Nccl.installed(product));
    }

    /** A provider of a library. */
    NcclProvider(NcclLibrary library, Supplier<Nccl> functions) {
        this(library.product(), library, functions);
    }

    private NcclProvider(Product product, @Nullable NcclLibrary library, Supplier<Nccl> functions) {
        this.product = product;
        this.library = library;
        this.functions = functions;
    }

    private NcclLibrary library() {
        return library == null ? NcclLibrary.installed(product) : library;
    }

    /** The backend on whose devices the library works. */
    String backend() {
        return product.backend();
    }

    @Override
    public String name() {
        return product.label();
    }

    @Override
    public int priority() {
        return 0;
    }

    @Override
    public String description() {
        return library().problem().isPresent()
                ? product.name()
                : product + " " + library().version() + ", " + library().path()
                        + (product == Product.NCCL ? ", " + Nccl.multicast() : "");
    }

    @Override
    public Availability probe() {
        return library().problem().map(Availability::unavailable).orElseGet(Availability::available);
    }

    @Override
    public Capabilities capabilities() {
        if (library().problem().isPresent()) {
            return new Capabilities(Set.of(), Set.of(), 0, Set.of());
        }
        ElementTypes types = new ElementTypes(library().version());
        return new Capabilities(
                types.reducibleTypes(),
                ElementTypes.operations(),
                Integer.MAX_VALUE,
                Set.of(Feature.RANKS_AS_THREADS, Feature.RANKS_AS_PROCESSES, Feature.GRAPH_CAPTURE, Feature.ABORT),
                types.exclusions());
    }

    @Override
    public boolean supports(BackendDevice device) {
        return device.backend().equals(backend());
    }

    @Override
    public Optional<String> refusal(Collective collective, DataType type, ReduceOp op, boolean inPlace, int ranks) {
        return library()
                .refusal(NcclFunction.COMM_INIT_RANK_CONFIG)
                .or(() -> new ElementTypes(library().version()).refusal(collective, type, op, inPlace, ranks));
    }

    @Override
    public byte[] createId() {
        requireUsable();
        return functions.get().communicators().uniqueId();
    }

    @Override
    public FallbackCommunicator open(BackendDevice device, byte[] id, int rank, int size) {
        requireOpenable(device, id, rank, size);
        return new NcclCommunicator(NcclOpening.blocking(functions.get(), device, id, rank, size), rank, size);
    }

    @Override
    public FallbackCommunicator open(BackendDevice device, byte[] id, int rank, int size, Duration limit) {
        requireOpenable(device, id, rank, size);
        if (!limit.isPositive() || limit.compareTo(LONGEST) > 0) {
            throw InvalidArgumentException.of("limit", limit, "more than 0 and at most " + LONGEST);
        }
        return new NcclCommunicator(NcclOpening.bounded(functions.get(), device, id, rank, size, limit), rank, size);
    }

    private void requireOpenable(BackendDevice device, byte[] id, int rank, int size) {
        requireUsable();
        if (!supports(device)) {
            throw InvalidArgumentException.of("device", device.backend(), "a device of backend " + backend());
        }
        if (id.length != NcclCommunicators.UNIQUE_ID_BYTES) {
            throw InvalidArgumentException.of(
                    "id of " + id.length + " bytes",
                    "too short or too long",
                    NcclCommunicators.UNIQUE_ID_BYTES + " bytes, as createId gives");
        }
        if (size < 1 || rank < 0 || rank >= size) {
            throw InvalidArgumentException.of("rank", rank, "0 to " + (size - 1) + " of " + size + " ranks");
        }
        if (Thread.currentThread().isVirtual()) {
            throw new InvalidArgumentException(
                    "the calling thread is virtual, but the current GPU belongs to a platform thread;"
                            + " call from one");
        }
    }

    private void requireUsable() {
        Optional<String> problem = library().problem();
        if (problem.isPresent()) {
            throw new UnsupportedException(product + " cannot be used: " + problem.get());
        }
    }
}

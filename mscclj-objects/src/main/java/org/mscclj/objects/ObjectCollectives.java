package org.mscclj.objects;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.option.Timeouts;
import org.mscclj.api.type.DataType;

/**
 * Collectives of objects over a communicator. Sizes are exchanged first, then the objects, through the communicator's
 * own collectives on its device. Every method blocks until the operation has ended, because received objects must be
 * decoded. All methods are collective and part of the communicator's sequence of calls; one thread may use them at a
 * time. To overlap them with other work, call them on another thread over a separate communicator:
 * {@link Communicator#split} creates one of the same ranks.
 *
 * <p>An operation that exceeds its timeout ({@link #timeout}, otherwise the communicator's) throws
 * {@link org.mscclj.api.error.OperationTimeoutException} and {@linkplain Communicator#abort aborts} the communicator:
 * ranks may then be at different steps of the operation, so no other operation could follow.
 *
 * <p>A fault on one rank (an object that cannot be encoded or is too large, different arguments, another operation)
 * throws {@link InvalidArgumentException} on every rank before an object is sent, and the message names the rank; the
 * communicator stays usable. It also stays usable if one rank has too little memory: that rank throws the reason, and
 * the others an exception that names the rank. An object that cannot be decoded throws on the receiving rank only.
 * Otherwise methods throw the exceptions of {@link org.mscclj.api.Work#join()}.
 *
 * <p>On each rank, an operation allocates memory for as many objects of the largest size as there are ranks; a
 * broadcast for one.
 */
public final class ObjectCollectives {
    /** The default limit of an object: 64 MiB. */
    public static final long DEFAULT_LIMIT = 64L << 20;

    private static final long LARGEST_LIMIT = 1L << 30;
    private final Communicator communicator;
    private final long limit;
    private final Duration timeout;

    private ObjectCollectives(Communicator communicator, long limit, Duration timeout) {
        this.communicator = communicator;
        this.limit = limit;
        this.timeout = timeout;
    }

    /**
     * Creates collectives over a communicator, which the caller still owns, with a limit of {@link #DEFAULT_LIMIT}
     * bytes for each object. Not collective.
     */
    public static ObjectCollectives over(Communicator communicator) {
        Objects.requireNonNull(communicator, "communicator");
        return new ObjectCollectives(communicator, DEFAULT_LIMIT, communicator.timeout());
    }

    /**
     * These collectives with another limit. The least limit of all ranks applies.
     *
     * @param bytes greatest size of an encoded object, in bytes
     * @throws InvalidArgumentException if the limit is not 1 to 2³⁰
     */
    public ObjectCollectives limit(long bytes) {
        if (bytes < 1 || bytes > LARGEST_LIMIT) {
            throw InvalidArgumentException.of("limit of objects", bytes + " bytes", "1 to " + LARGEST_LIMIT);
        }
        return new ObjectCollectives(communicator, bytes, timeout);
    }

    /**
     * These collectives with another timeout than the communicator's. It applies to each operation as a whole, from the
     * call until this rank has its result, including the creation and encoding of its own object. Ranks may use
     * different timeouts.
     *
     * @param longest greatest duration of an operation; zero, or longer than {@link Timeouts#NONE}, for no timeout
     * @throws InvalidArgumentException if it is negative
     */
    public ObjectCollectives timeout(Duration longest) {
        return new ObjectCollectives(communicator, limit, Timeouts.of(longest));
    }

    /**
     * Sends the root's object to every rank.
     *
     * @param onRoot supplies the object; called on the root only
     */
    public <T> T broadcast(int root, ObjectCodec<T> codec, Supplier<T> onRoot) {
        TimedCalls calls = begin(ObjectOperation.BROADCAST);
        List<byte[]> own = new ArrayList<>();
        Sizes sizes = announce(calls, root, codec, isRoot(root), own, () -> List.of(codec.encode(made(onRoot))));
        try (Cells cell = filled(calls, 1, sizes, 0, own)) {
            calls.run(CollectiveCall.broadcast(cell.all(), cell.all(), DataType.UINT8, root));
            return decode(codec, cell.get(0), root);
        }
    }

    /**
     * Sends the objects of all ranks to every rank, by rank.
     *
     * @param own this rank's object
     */
    public <T> List<T> allGather(T own, ObjectCodec<T> codec) {
        TimedCalls calls = begin(ObjectOperation.ALL_GATHER);
        List<byte[]> encoded = new ArrayList<>();
        Sizes sizes = announce(calls, 0, codec, true, encoded, () -> List.of(codec.encode(given(own))));
        try (Cells cells = filled(calls, communicator.size(), sizes, communicator.rank(), encoded)) {
            calls.run(CollectiveCall.allGather(cells.one(communicator.rank()), cells.all(), DataType.UINT8));
            return decodeAll(codec, cells);
        }
    }

    /**
     * Sends the objects of all ranks to the root, by rank.
     *
     * @param own this rank's object
     * @return the objects on the root; an empty list on all other ranks
     */
    public <T> List<T> gather(int root, T own, ObjectCodec<T> codec) {
        TimedCalls calls = begin(ObjectOperation.GATHER);
        List<byte[]> encoded = new ArrayList<>();
        Sizes sizes = announce(calls, root, codec, true, encoded, () -> List.of(codec.encode(given(own))));
        try (Cells cells = filled(calls, communicator.size(), sizes, communicator.rank(), encoded)) {
            calls.run(CollectiveCall.gather(cells.one(communicator.rank()), cells.all(), DataType.UINT8, root));
            return isRoot(root) ? decodeAll(codec, cells) : List.of();
        }
    }

    /**
     * Sends each rank its object from the root.
     *
     * @param onRoot supplies the objects, by rank; called on the root only
     */
    public <T> T scatter(int root, ObjectCodec<T> codec, Supplier<List<T>> onRoot) {
        TimedCalls calls = begin(ObjectOperation.SCATTER);
        List<byte[]> own = new ArrayList<>();
        Sizes sizes = announce(calls, root, codec, isRoot(root), own, () -> encodeAll(codec, made(onRoot)));
        try (Cells cells = filled(calls, communicator.size(), sizes, 0, own)) {
            calls.run(CollectiveCall.scatter(cells.all(), cells.one(communicator.rank()), DataType.UINT8, root));
            return decode(codec, cells.get(communicator.rank()), root);
        }
    }

    /**
     * Allocates cells and stores what this rank sends, from a given cell on. Ranks agree on the success of all, so that
     * none waits for a rank without memory. Collective.
     */
    private Cells filled(TimedCalls calls, int count, Sizes sizes, int first, List<byte[]> own) {
        Cells[] made = new Cells[1];
        try {
            calls.together("memory for " + calls.operation(), () -> {
                Cells cells = new Cells(communicator, count, sizes.largest());
                made[0] = cells;
                for (int i = 0; i < own.size(); i++) {
                    cells.put(first + i, own.get(i));
                }
            });
            return made[0];
        } catch (RuntimeException | Error e) {
            if (made[0] != null) {
                made[0].close();
            }
            throw e;
        }
    }

    private TimedCalls begin(ObjectOperation operation) {
        return new TimedCalls(communicator, operation, timeout);
    }

    private boolean isRoot(int root) {
        return communicator.rank() == root;
    }

    private <T> List<byte[]> encodeAll(ObjectCodec<T> codec, List<T> objects) {
        if (objects.size() != communicator.size()) {
            throw InvalidArgumentException.of(
                    "scatter: the list",
                    objects.size() + " objects",
                    "one for each of " + communicator.size() + " ranks");
        }
        return objects.stream().map(object -> codec.encode(given(object))).toList();
    }

    private static <T> T made(Supplier<T> onRoot) {
        return given(Objects.requireNonNull(onRoot, "onRoot").get());
    }

    private static <T> T given(T object) {
        return Objects.requireNonNull(object, "object");
    }

    private <T> List<T> decodeAll(ObjectCodec<T> codec, Cells cells) {
        return IntStream.range(0, communicator.size())
                .mapToObj(rank -> decode(codec, cells.get(rank), rank))
                .toList();
    }

    private static <T> T decode(ObjectCodec<T> codec, byte[] bytes, int from) {
        try {
            return codec.decode(bytes);
        } catch (InvalidArgumentException e) {
            throw new InvalidArgumentException(
                    "the object of rank " + from + " cannot be decoded: " + e.getMessage(), e);
        }
    }

    /** The sizes on which all ranks have agreed. */
    private record Sizes(long largest) {}

    /** Encodes the objects of this rank and exchanges announcements; throws on every rank if one of them fails. */
    private <T> Sizes announce(
            TimedCalls calls,
            int root,
            ObjectCodec<T> codec,
            boolean sends,
            List<byte[]> own,
            Supplier<List<byte[]>> encoding) {
        Throwable failure = null;
        long bytes = 0;
        try {
            Objects.requireNonNull(codec, "codec");
            if (sends) {
                own.addAll(encoding.get());
                bytes = own.stream().mapToLong(encoded -> encoded.length).max().orElse(0);
            }
        } catch (RuntimeException | Error e) { // any failure, since other ranks must not wait in vain
            failure = e;
            bytes = Announcement.FAILED;
        }
        List<Announcement> all = Announcements.exchange(
                communicator, new Announcement(calls.operation().number(), root, limit, bytes), calls);
        switch (failure) {
            case null -> {}
            case Error error -> throw error;
            case RuntimeException unchecked -> throw unchecked;
            default -> throw new IllegalStateException("encoding throws nothing checked", failure);
        }
        requireEqual(calls.operation(), root, all);
        return new Sizes(requireLimit(calls.operation(), all));
    }

    private void requireEqual(ObjectOperation operation, int root, List<Announcement> all) {
        for (int rank = 0; rank < all.size(); rank++) {
            Announcement other = all.get(rank);
            if (other.operation() != operation.number() || other.root() != root) {
                throw new InvalidArgumentException("rank " + communicator.rank() + " calls " + operation
                        + " with root " + root + ", but rank " + rank + " calls "
                        + ObjectOperation.name(other.operation())
                        + " with root " + other.root() + "; all ranks must make the same calls in the same order");
            }
        }
        if (root < 0 || root >= communicator.size()) {
            throw InvalidArgumentException.of(operation + ": the root", root, "0 to " + (communicator.size() - 1));
        }
    }

    private static long requireLimit(ObjectOperation operation, List<Announcement> all) {
        long least = all.stream().mapToLong(Announcement::limit).min().orElse(DEFAULT_LIMIT);
        long largest = 0;
        for (int rank = 0; rank < all.size(); rank++) {
            long bytes = all.get(rank).bytes();
            if (bytes == Announcement.FAILED) {
                throw new InvalidArgumentException(operation + ": rank " + rank
                        + " has failed before an object was sent; see the exception on that rank");
            }
            if (bytes > least) {
                throw InvalidArgumentException.of(
                        operation + ": the object of rank " + rank,
                        bytes + " bytes",
                        "up to " + least + ", the limit; raise it on all ranks by ObjectCollectives.limit");
            }
            largest = Math.max(largest, bytes);
        }
        return largest;
    }
}

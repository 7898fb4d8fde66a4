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
import org.mscclj.api.type.DataType;

/**
 * Collectives of objects over a communicator. Sizes go first, then the objects, through the communicator's own
 * collectives on its device; every method blocks until that has ended, since what is received must be decoded. All
 * methods are collective, and part of the communicator's sequence of calls; used by one thread at a time. To go on
 * meanwhile, call them on another thread, over a communicator of their own: {@link Communicator#split} makes one of the
 * same ranks.
 *
 * <p>An operation that is not over in time, by {@link #timeout} or else the communicator's, throws
 * {@link org.mscclj.api.error.OperationTimeoutException} and {@linkplain Communicator#abort aborts} the communicator:
 * ranks are at different steps of it then, and no other operation could follow.
 *
 * <p>What is wrong on one rank, an object that cannot be encoded or is too large, other arguments, another operation,
 * is an {@link InvalidArgumentException} on every rank before an object is sent, and names the rank; the communicator
 * stays usable. So it stays where one rank has no memory: that rank throws what says so, and the others an exception
 * that names it. What cannot be decoded is one on the rank that cannot. Otherwise methods throw what
 * {@link org.mscclj.api.Work#join()} throws.
 *
 * <p>An operation takes memory for as many objects of the largest one's size as there are ranks, on each rank; for a
 * broadcast, one.
 */
public final class ObjectCollectives {
    /** The limit where none is given: 64 MiB. */
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
     * Collectives over a communicator, which stays the caller's; objects of up to {@link #DEFAULT_LIMIT} bytes. Not
     * collective.
     */
    public static ObjectCollectives over(Communicator communicator) {
        Objects.requireNonNull(communicator, "communicator");
        return new ObjectCollectives(communicator, DEFAULT_LIMIT, communicator.timeout());
    }

    /**
     * The same with another limit. The smallest limit of all ranks holds.
     *
     * @param bytes the greatest size of an encoded object
     * @throws InvalidArgumentException if it is not 1 to 2³⁰
     */
    public ObjectCollectives limit(long bytes) {
        if (bytes < 1 || bytes > LARGEST_LIMIT) {
            throw InvalidArgumentException.of("limit of objects", bytes + " bytes", "1 to " + LARGEST_LIMIT);
        }
        return new ObjectCollectives(communicator, bytes, timeout);
    }

    /**
     * The same with another timeout than the communicator's, longer or shorter: for each operation as a whole, from the
     * call until this rank has what it is to get, making and encoding its own object included. Ranks may differ.
     *
     * @param longest how long an operation may take
     * @throws InvalidArgumentException if it is not positive
     */
    public ObjectCollectives timeout(Duration longest) {
        Objects.requireNonNull(longest, "longest");
        if (longest.isNegative() || longest.isZero()) {
            throw InvalidArgumentException.of("timeout of objects", longest, "more than 0");
        }
        return new ObjectCollectives(communicator, limit, longest);
    }

    /**
     * Gives every rank the root's object.
     *
     * @param onRoot makes the object, on the root alone
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
     * Gives every rank the objects of all, by rank.
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
     * Gives the root the objects of all, by rank.
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
     * Gives every rank the object that the root has for it.
     *
     * @param onRoot makes the objects, by rank, on the root alone
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
     * Cells with what this rank sends, from the first of them on. Agreed on, or ranks that have memory would wait for
     * one that has none. Collective.
     */
    private Cells filled(TimedCalls calls, int count, Sizes sizes, int first, List<byte[]> own) {
        Cells[] made = new Cells[1];
        try {
            calls.requireEqual("memory for " + calls.operation(), () -> {
                Cells cells = new Cells(communicator, count, sizes.largest());
                made[0] = cells;
                for (int i = 0; i < own.size(); i++) {
                    cells.put(first + i, own.get(i));
                }
                return "there";
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

    /** What all ranks have agreed on. */
    private record Sizes(long largest) {}

    /** Encodes what this rank sends, and tells all ranks; throws on every rank if one cannot. */
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
        } catch (RuntimeException | Error e) { // whatever it is: the others must not wait in vain
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
                        + " has failed before an object was sent; its own exception says why");
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

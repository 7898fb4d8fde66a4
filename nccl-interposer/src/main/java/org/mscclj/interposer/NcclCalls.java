package org.mscclj.interposer;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.Stores;
import org.mscclj.api.bootstrap.Store;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * The methods that the library in C calls. Communicators are numbers. An exception of a method becomes a code of NCCL
 * by {@link #describe}.
 */
public final class NcclCalls {
    /** How long to try to reach the process that has made a unique id, and which lives while its ranks open. */
    private static final Duration REACHING = Duration.ofSeconds(60);

    /** How long the end of a communicator waits for ranks of other processes. */
    private static final Duration CLOSING = Duration.ofSeconds(10);

    /** Communicators that were closed, for which no call has waited. */
    private static final Queue<Ending> ENDING = new ConcurrentLinkedQueue<>();

    private static final ConcurrentMap<Integer, RankCalls> OPEN = new ConcurrentHashMap<>();
    private static final ConcurrentMap<Long, Thread> OPENING = new ConcurrentHashMap<>();
    private static final AtomicInteger LAST = new AtomicInteger();

    /** What a split returns on a rank that takes no part. */
    private static final int NONE = -1;

    /** The end of a communicator. */
    private record Ending(RankCalls rank, FutureTask<Void> task) {}

    static {
        ProgramLogs.limit();
    }

    private NcclCalls() {}

    /** Returns the code of NCCL for an exception, one digit, and behind it the text. */
    public static String describe(Throwable thrown) {
        return NcclOutcome.describe(thrown);
    }

    /** Returns a new unique id, of 128 bytes. This process serves the store in which its ranks meet. */
    public static byte[] uniqueId() {
        return IdStore.create().bytes();
    }

    /**
     * Opens a communicator by a unique id, on a device of a backend, and returns its number.
     *
     * @param token by which {@link #cancel} finds the call
     */
    public static int open(long token, byte[] uniqueId, int size, int rank, int device, String name, String backend) {
        BinaryId id = BinaryId.parse(uniqueId);
        OPENING.put(token, Thread.currentThread());
        try (Store store = Stores.tcp(id.store(), REACHING)) {
            CommunicatorOptions options = CommunicatorOptions.rank(rank, size)
                    .device(device)
                    .store(store)
                    .secret(id.store().secret())
                    .job(id.name())
                    .name(name.isBlank() ? id.name() : name)
                    .backend(backend);
            return add(Communicator.open(withoutLimit(options)));
        } finally {
            OPENING.remove(token);
            boolean _ = Thread.interrupted(); // by cancel; the program's thread may make other calls
        }
    }

    /** Ends a call of {@link #open} that waits for other ranks. */
    public static void cancel(long token) {
        OPENING.computeIfPresent(token, (_, thread) -> {
            thread.interrupt();
            return thread;
        });
    }

    /** NCCL waits without a limit, so communicators have one only if a variable sets it. */
    private static CommunicatorOptions withoutLimit(CommunicatorOptions options) {
        return System.getenv("MSCCLJ_TIMEOUT_SECONDS") == null ? options.timeout(Duration.ZERO) : options;
    }

    private static int add(Communicator communicator) {
        try {
            PlanFolder.register(communicator);
        } catch (RuntimeException | Error e) {
            communicator.close();
            throw e;
        }
        int number = LAST.incrementAndGet();
        OPEN.put(number, new RankCalls(communicator));
        return number;
    }

    static RankCalls find(int number) {
        RankCalls found = OPEN.get(number);
        if (found == null) {
            throw InvalidArgumentException.of("communicator", number, "one that is open");
        }
        return found;
    }

    /** Splits a communicator, and returns the number of the child; −1 if this rank takes no part. */
    public static int split(int parent, int colour, int key, String name) {
        Communicator whole = find(parent).communicator();
        Optional<Communicator> child =
                name.isBlank() ? whole.split(colour, key) : whole.split(colour, key, name, whole.timeout());
        return child.map(NcclCalls::add).orElse(NONE);
    }

    /** Replaces a communicator by one without some ranks, and returns the number of the new one. */
    public static int shrink(int parent, int[] excluded) {
        return add(find(parent)
                .communicator()
                .shrink(Arrays.stream(excluded).boxed().toList()));
    }

    /** Returns this process's rank. */
    public static int rank(int communicator) {
        return find(communicator).communicator().rank();
    }

    /** Returns the number of ranks. */
    public static int size(int communicator) {
        return find(communicator).communicator().size();
    }

    /** Launches a collective on a stream. */
    public static void collective(
            int communicator,
            int number,
            long send,
            long receive,
            long count,
            int type,
            int op,
            int root,
            long factor,
            long stream) {
        find(communicator)
                .collective(number, new RankCalls.Arguments(send, receive, count, type, op, root, factor, stream));
    }

    /** Launches sends and receives together. */
    public static void messages(int communicator, long[] records) {
        find(communicator).messages(records);
    }

    /** Registers memory together with the other ranks, and returns its number. */
    public static int register(int communicator, long address, long bytes) {
        return find(communicator).register(address, bytes);
    }

    /** Ends a registration. */
    public static void deregister(int communicator, int window) {
        find(communicator).deregister(window);
    }

    /** Throws the reason why a communicator has ended, if it has. */
    public static void check(int communicator) {
        find(communicator).communicator().failure().ifPresent(reason -> {
            throw reason;
        });
    }

    /** Ends all operations of a communicator on all ranks. */
    public static void abort(int communicator) {
        RankCalls found = OPEN.get(communicator);
        if (found != null) {
            found.communicator().abort("a rank has called ncclCommAbort");
        }
    }

    /**
     * Closes a communicator; does nothing if that was done. A communicator whose memory other ranks still reach ends
     * when they have closed theirs. This call does not wait for a rank of this process, which the calling thread may be
     * about to close; the last one of them waits for all. It waits for ranks of other processes for at most
     * {@link #CLOSING}.
     */
    public static void close(int communicator) {
        RankCalls closed = OPEN.remove(communicator);
        if (closed == null) {
            return;
        }
        Ending ending = new Ending(closed, new FutureTask<>(closed::close, null));
        ENDING.add(ending);
        Thread.ofPlatform().name("mscclj-nccl-close").daemon().start(ending.task());
        if (OPEN.values().stream().noneMatch(closed::isPeer)) {
            long deadline = System.nanoTime() + CLOSING.toNanos();
            List<Ending> together = ENDING.stream()
                    .filter(one -> one.equals(ending) || closed.isPeer(one.rank()))
                    .toList();
            ENDING.removeAll(together);
            together.forEach(one -> await(one.task(), deadline - System.nanoTime()));
        }
    }

    private static void await(FutureTask<Void> closing, long nanos) {
        try {
            closing.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            // other ranks go on, and it ends with them
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case AbortedException _ -> {} // it has ended, which is all that its caller wants
                case RuntimeException failure -> throw failure;
                case Error failure -> throw failure;
                case null, default -> throw new IllegalStateException(e);
            }
        }
    }
}

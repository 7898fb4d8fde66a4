package org.mscclj.gpu.occupancy;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.Gpu;
import org.mscclj.gpu.driver.GpuDriver;

/**
 * Reserves a GPU's multiprocessors for blocks that wait for others. The blocks of a plan wait for each other and for
 * blocks of other ranks. So all blocks that may wait at the same time must be resident at the same time, or none of
 * them ever ends. Each communicator reserves as many blocks as its largest kernel has. A user's kernel that may wait
 * reserves, for each stream, as many blocks as its largest launch on that stream.
 *
 * <p>If every block, of any kernel, fits at least {@code n} times into a multiprocessor, then a multiprocessor with
 * less than {@code n} blocks has capacity for any of them. So up to {@code n} times the number of multiprocessors all
 * fit, wherever the GPU places them. This holds for the kernels of this process; kernels of other software are expected
 * to end by themselves.
 *
 * <p>Capacity is not sufficient: work on streams reaches the GPU through its hardware queues. While more streams have
 * work in flight than there are queues, some streams share one. Then a kernel may queue up behind another stream's
 * kernel that waits for later work. An owner without a reservation has no such kernel, and does not count here. Beyond
 * the number of queues
 *
 * <ul>
 *   <li>nothing waits for ever if each rank has its GPU for itself, and all ranks make the launches of all
 *       communicators in the same order: of the launches that have not ended, the first in that order has only ended
 *       ones before it in every queue, so it begins on all ranks, and ends;
 *   <li>ranks that share the GPU may wait for ever whatever the order: a rank's second launch, which waits for its
 *       first, may precede the other rank's first launch.
 * </ul>
 *
 * <p>So exceeding the number is reported by a warning, or refused if the user wants that ({@link QueueSharing}).
 * Nothing more is done, because streams with nothing in flight were found to share no queue, however many there are,
 * and only the users know which launches run at the same time. Decision 0018 describes the alternatives.
 */
public final class OccupancyReservation {
    /** Ranks that share a GPU leave capacity for this number of communicators of each rank. */
    private static final int COMMUNICATORS = 4;

    /** The part of a GPU, as its reciprocal, that reservations may take which are not necessary. */
    private static final int SPARE = 4;

    private static final Map<Gpu, OccupancyReservation> OF_GPU = new HashMap<>();

    /** Owners whose own kernels never run at the same time. */
    public enum Owner {
        /** A communicator. */
        COMMUNICATOR,
        /** A user's kernel on one stream. */
        KERNEL
    }

    /** The blocks that an owner may have on the GPU at once. */
    private record Reservation(Owner kind, int blocks, int perMultiprocessor) {}

    private static final System.Logger LOGGER = System.getLogger(OccupancyReservation.class.getName());

    private final int queues;
    private final String queuesVariable;
    private final int multiprocessors;
    private int ranks;
    private final IdentityHashMap<Object, Reservation> reservations = new IdentityHashMap<>();

    private OccupancyReservation(GpuDriver driver, int multiprocessors) {
        this.queues = driver.traits().hardwareQueues();
        this.queuesVariable = driver.terms().queuesVariable();
        this.multiprocessors = multiprocessors;
    }

    /** The instance of a GPU, for all backends of this process. */
    public static OccupancyReservation of(DeviceContext context) {
        synchronized (OF_GPU) {
            return OF_GPU.computeIfAbsent(
                    context.gpu(), gpu -> new OccupancyReservation(gpu.driver(), context.multiprocessors()));
        }
    }

    /** Adds a rank of this process that uses the GPU. */
    public synchronized void enter() {
        ranks++;
    }

    /** Undoes {@link #enter}. */
    public synchronized void leave() {
        ranks--;
    }

    /**
     * Whether this number of blocks is within one rank's share: it must fit for all ranks of this process that use the
     * GPU, several times, so that each rank can take its share without knowing what the others will request. A rank
     * that has the GPU for itself may take all of it.
     */
    public synchronized boolean isShare(int blocks, int perMultiprocessor) {
        long wanted = (long) blocks * ranks * (ranks > 1 ? COMMUNICATORS : 1);
        return wanted <= (long) multiprocessors * perMultiprocessor;
    }

    /**
     * Reserves capacity for a kernel in addition to the owner's other kernels. An owner's kernels never run at the same
     * time, so its largest one counts.
     *
     * @param kind the kind of the owner
     * @return whether there is capacity; if not, nothing has changed
     * @throws org.mscclj.api.error.InvalidArgumentException if the user's choice for shared queues is not a valid value
     */
    public synchronized boolean reserve(Owner kind, Object owner, int blocks, int perMultiprocessor) {
        Reservation before = reservations.get(owner);
        Reservation wanted = before == null
                ? new Reservation(kind, blocks, perMultiprocessor)
                : new Reservation(
                        kind,
                        Math.max(blocks, before.blocks()),
                        Math.min(perMultiprocessor, before.perMultiprocessor()));
        boolean oneMore = before == null;
        if (oneMore && isBeyondQueues(1) && QueueSharing.ofProcess() == QueueSharing.REFUSE) {
            return false;
        }
        reservations.put(owner, wanted);
        if (fits()) {
            if (oneMore && reservations.size() == queues + 1) {
                warn();
            }
            return true;
        }
        if (before == null) {
            reservations.remove(owner);
        } else {
            reservations.put(owner, before);
        }
        return false;
    }

    /**
     * Reserves more blocks for an owner that has a reservation, if that leaves capacity for the reservations of others
     * to come: if it takes nothing more, or if it is within the rank's share and at most a quarter of the GPU is
     * reserved then.
     *
     * @return whether they are reserved; if not, nothing has changed
     */
    public synchronized boolean extend(Object owner, int blocks) {
        Reservation before = reservations.get(owner);
        if (before == null || blocks <= before.blocks()) {
            return before != null;
        }
        long wanted = blocks() - before.blocks() + blocks;
        if (!isShare(blocks, before.perMultiprocessor())
                || SPARE * wanted > (long) multiprocessors * perMultiprocessor()) {
            return false;
        }
        reservations.put(owner, new Reservation(before.kind(), blocks, before.perMultiprocessor()));
        return true;
    }

    private boolean isBeyondQueues(int more) {
        return reservations.size() + more > queues;
    }

    private void warn() {
        LOGGER.log(
                System.Logger.Level.WARNING,
                "{0} of this process may launch on one GPU, which has {1} hardware queues: while more have work"
                        + " in flight, kernels may wait behind others that wait for them."
                        + " {2}; {3}=refuse refuses what is too many",
                owners(),
                queues,
                ranks > 1
                        ? "Several ranks share the GPU, so join launches before others are made, or close some"
                        : "Launch in the same order on all ranks, or close some",
                QueueSharing.VARIABLE);
    }

    private boolean fits() {
        return blocks() <= (long) multiprocessors * perMultiprocessor();
    }

    private long blocks() {
        return reservations.values().stream().mapToLong(Reservation::blocks).sum();
    }

    private int perMultiprocessor() {
        return reservations.values().stream()
                .mapToInt(Reservation::perMultiprocessor)
                .min()
                .orElse(0);
    }

    /** Releases an owner's reservation, if it has one. */
    public synchronized void release(Object owner) {
        reservations.remove(owner);
    }

    @Override
    public synchronized String toString() {
        return owners() + " have reserved " + blocks() + " blocks, of which each of the " + multiprocessors
                + " multiprocessors holds " + perMultiprocessor() + " at once" + queues();
    }

    private String owners() {
        return count(Owner.COMMUNICATOR, " communicator") + " and " + count(Owner.KERNEL, " stream")
                + " with kernels of users";
    }

    /** Describes the use of the hardware queues; empty while some are free. */
    private String queues() {
        if (!isBeyondQueues(1)) {
            return "";
        }
        return ", and use " + (isBeyondQueues(0) ? "more than " : "") + "all " + queues
                + " hardware queues of the GPU (" + queuesVariable + "; " + QueueSharing.VARIABLE
                + " says whether more may share them)";
    }

    private String count(Owner kind, String what) {
        long count = reservations.values().stream()
                .filter(reservation -> reservation.kind() == kind)
                .count();
        return count + what + (count == 1 ? "" : "s");
    }
}

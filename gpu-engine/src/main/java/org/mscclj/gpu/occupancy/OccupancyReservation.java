package org.mscclj.gpu.occupancy;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.Gpu;
import org.mscclj.gpu.driver.GpuDriver;

/**
 * Who may have blocks on a GPU that wait for others. Blocks of a plan wait for each other and for those of other ranks,
 * so all that may wait at once must find room at once, or none ever ends. Each communicator reserves as many as its
 * largest kernel has; and a kernel of a user that may wait, for each stream, as many as its largest launch there has.
 *
 * <p>If every block, of whatever kernel, fits at least {@code n} times into a multiprocessor, then a multiprocessor
 * with less than {@code n} blocks has room for any of them; so up to {@code n} times the number of multiprocessors all
 * find room, however the GPU places them. This holds for the kernels of this process; other software's are expected to
 * end by themselves.
 *
 * <p>Room is not all: what is enqueued on streams gets to the GPU through its hardware queues, and while more streams
 * have work in flight than there are queues, some share one, in which a kernel may stand behind another stream's that
 * waits for what comes later. Who has reserved nothing has no such kernel, and does not count here. Beyond that number
 *
 * <ul>
 *   <li>nothing waits for ever if each rank has its GPU for itself, and all ranks make the launches of all
 *       communicators in the same order: of what has not ended, the launch that comes first in that order has only
 *       ended ones before it in every queue, so it begins on all ranks, and ends;
 *   <li>ranks that share the GPU may wait for ever whatever the order: a rank's second launch, which waits for its
 *       first, may stand before the other rank's first.
 * </ul>
 *
 * <p>So that is said, or refused if the user wants that ({@link QueueSharing}). Not more, because streams with nothing
 * in flight were found to share no queue, however many there are, and only their users know which launches meet;
 * decision 0018 says what else was considered.
 */
public final class OccupancyReservation {
    /** Ranks that share a GPU leave room for so many communicators of each. */
    private static final int COMMUNICATORS = 4;

    private static final Map<Gpu, OccupancyReservation> OF_GPU = new HashMap<>();

    /** Whose kernels never run at once with each other. */
    public enum Owner {
        /** A communicator. */
        COMMUNICATOR,
        /** A user's kernel on one stream. */
        KERNEL
    }

    /** What an owner may have on the GPU at once. */
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

    /** That of a GPU, of all backends of this process. */
    public static OccupancyReservation of(DeviceContext context) {
        synchronized (OF_GPU) {
            return OF_GPU.computeIfAbsent(
                    context.gpu(), gpu -> new OccupancyReservation(gpu.driver(), context.multiprocessors()));
        }
    }

    /** One more rank of this process uses the GPU. */
    public synchronized void enter() {
        ranks++;
    }

    /** Undoes {@link #enter}. */
    public synchronized void leave() {
        ranks--;
    }

    /**
     * Whether as many blocks of all ranks of this process that use the GPU would find room several times, so that each
     * can take its share without knowing what the others will ask for. A rank that has the GPU for itself may take all
     * of it.
     */
    public synchronized boolean isShare(int blocks, int perMultiprocessor) {
        long wanted = (long) blocks * ranks * (ranks > 1 ? COMMUNICATORS : 1);
        return wanted <= (long) multiprocessors * perMultiprocessor;
    }

    /**
     * Reserves room for a kernel beside what the owner has reserved before, whose kernels never run at once.
     *
     * @param kind what the owner is
     * @return whether there is room; if not, nothing has changed
     * @throws org.mscclj.api.error.InvalidArgumentException if the user has chosen nothing that there is about shared
     *     queues
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

    /** Gives back what an owner has reserved, if anything. */
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

    /** Nothing, while there are some for more. */
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

package org.mscclj.runtime.bootstrap;

import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mscclj.api.Quorum;
import org.mscclj.api.bootstrap.Store;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.runtime.socket.ControlSocket;

/**
 * The outcome of a quorum, in a key that stays in the store of the quorum. A member that comes too late, or waits for a
 * quorum that other members have given up, reads it there. Without a store nothing is recorded.
 *
 * @param quorum the quorum
 * @param rank this rank in the quorum
 */
record QuorumRecord(Quorum quorum, int rank) {
    private static final System.Logger LOGGER = System.getLogger(QuorumRecord.class.getName());
    private static final String PREFIX = "mscclj/quorum/";
    private static final String NOT_FORMED = "it did not form; ";
    private static final String LOST = "lost rank ";
    private static final Pattern LOSS = Pattern.compile(NOT_FORMED + LOST + "(\\d{1,9}): .*", Pattern.DOTALL);
    private static final String FORMED = "it has been formed by the processes that came first";

    /** Runs the rendezvous of the members, and records its outcome. */
    Map<Integer, ControlSocket> keep(Supplier<Map<Integer, ControlSocket>> meeting) {
        requireOpen();
        try {
            Map<Integer, ControlSocket> sockets = meeting.get();
            if (rank == 0) {
                formed();
            }
            return sockets;
        } catch (OperationTimeoutException e) {
            String why = quorum.words(e.missingRanks()) + " did not come: " + e.getMessage();
            throw failed(why, new OperationTimeoutException(told(why), e.missingRanks()));
        } catch (RankLostException e) {
            String why = LOST + e.rank() + ": " + quorum.words(List.of(e.rank())) + " was lost: " + e.getMessage();
            throw failed(why, new RankLostException(e.rank(), told(why)));
        }
    }

    /**
     * Records that the quorum is formed. If that fails, this rank goes on nevertheless: the other members know that the
     * quorum is formed, and go on, whatever happens to members that come too late.
     */
    private void formed() {
        try {
            write(FORMED);
        } catch (RuntimeException e) {
            LOGGER.log(
                    Level.WARNING,
                    "quorum " + quorum.id()
                            + " is formed, which cannot be kept; a process that comes too late gets no answer",
                    e);
        }
    }

    /**
     * Checks in the store that the quorum is open.
     *
     * @throws InvalidArgumentException if the quorum is over
     */
    void requireOpen() {
        store().flatMap(store -> store.find(key())).ifPresent(state -> {
            throw new InvalidArgumentException("quorum " + quorum.id() + " is over, rank " + rank + " comes too late: "
                    + new String(state, StandardCharsets.UTF_8)
                    + "; ask for the quorum that is valid now, whose id is another");
        });
    }

    /**
     * Checks in the store that the quorum is open, for a rank that came in time and waits.
     *
     * @throws RankLostException if another member has noticed that a member is lost
     * @throws InvalidArgumentException if the quorum is over for another reason
     */
    void requireNotLost() {
        store().flatMap(store -> store.find(key()))
                .map(state -> LOSS.matcher(new String(state, StandardCharsets.UTF_8)))
                .filter(Matcher::matches)
                .ifPresent(loss -> {
                    int lost = Integer.parseInt(loss.group(1));
                    throw new RankLostException(lost, "another member says: " + loss.group());
                });
        requireOpen();
    }

    /**
     * Records why the quorum did not form. Returns the exception for this rank to throw, whether or not the reason
     * could be recorded.
     */
    private <E extends RuntimeException> E failed(String why, E failure) {
        try {
            if (store().flatMap(store -> store.find(key())).isEmpty()) {
                write(NOT_FORMED + why);
            }
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
        return failure;
    }

    private String told(String why) {
        return "quorum " + quorum.id() + ": " + why;
    }

    private void write(String state) {
        store().ifPresent(store -> store.set(key(), state.getBytes(StandardCharsets.UTF_8)));
    }

    private Optional<Store> store() {
        return quorum.meeting().store();
    }

    private String key() {
        return PREFIX + quorum.id();
    }
}

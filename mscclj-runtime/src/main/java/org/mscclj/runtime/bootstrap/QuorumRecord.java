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
 * What has become of a quorum: a key of its store that stays there, so that who comes late, or waits for a quorum that
 * others have given up, hears of it. Where members meet without a store nothing is kept.
 *
 * @param quorum whose
 * @param rank this rank in it
 */
record QuorumRecord(Quorum quorum, int rank) {
    private static final System.Logger LOGGER = System.getLogger(QuorumRecord.class.getName());
    private static final String PREFIX = "mscclj/quorum/";
    private static final String NOT_FORMED = "it did not form; ";
    private static final String LOST = "lost rank ";
    private static final Pattern LOSS = Pattern.compile(NOT_FORMED + LOST + "(\\d{1,9}): .*", Pattern.DOTALL);
    private static final String FORMED = "it has been formed by the processes that came first";

    /** Meets the other members, and keeps how that ended. */
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

    /** The others have been told, and go on; so does this rank, whatever becomes of those who come too late. */
    private void formed() {
        try {
            write(FORMED);
        } catch (RuntimeException e) {
            LOGGER.log(
                    Level.WARNING,
                    "quorum " + quorum.id() + " is formed, which cannot be kept; who comes too late is not told",
                    e);
        }
    }

    /**
     * Asks the store.
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
     * Asks the store, for a rank that came in time and waits.
     *
     * @throws RankLostException if a member was lost, which another one has noticed
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

    /** Keeps why the quorum did not form. What this rank throws is that, whether or not it can be kept. */
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

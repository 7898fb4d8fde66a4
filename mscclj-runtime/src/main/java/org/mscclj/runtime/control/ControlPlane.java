package org.mscclj.runtime.control;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.mscclj.api.error.MsccljException;
import org.mscclj.runtime.agreement.Stands;
import org.mscclj.runtime.time.RunningDeadline;
import org.mscclj.spi.engine.AbortFlag;

/**
 * One rank's way to talk to the others while something is set up. Blocking calls throw
 * {@link org.mscclj.api.error.OperationTimeoutException}, naming the ranks that did not arrive, and what they do, after
 * the communicator's timeout or {@link #during another one}, and {@link org.mscclj.api.error.AbortedException} when the
 * communicator is aborted. Collective calls are made by one thread of a rank at a time; sending and receiving are safe
 * for several.
 */
public interface ControlPlane {
    /**
     * What an answer of another rank may take: ranks answer at once, whatever they do, unless they are stopped or far
     * away.
     */
    Duration LONGEST_ANSWER = Duration.ofSeconds(1);

    /** This rank. */
    int rank();

    /** Number of ranks. */
    int size();

    /** Where the ranks are. */
    Nodes nodes();

    /**
     * Gives every rank what each contributed, by rank. Collective. The caller must not change the arrays of ranks,
     * which ranks of one process share.
     *
     * @param topic what it is about; must be equal on all ranks
     * @throws org.mscclj.api.error.InvalidArgumentException on every rank, if it is not equal: ranks make different
     *     calls
     */
    byte[][] allGather(Topic topic, byte[] own);

    /** Returns when all ranks have called. Collective. */
    default void barrier(Topic topic) {
        allGather(topic, new byte[0]);
    }

    /**
     * Returns when all ranks have called, or throws after a limit in place of the communicator's timeout. Collective.
     */
    void barrier(Topic topic, Duration limit);

    /**
     * Says what this rank's collective calls are for, until the scope is closed. To be called by the thread that makes
     * these calls; scopes may be nested, and the innermost one holds.
     *
     * @param words what messages and dumps add to what each call says, or nothing; not compared, so that it may differ
     *     between ranks
     * @param limit how long each call waits for the others, if it is not the communicator's timeout; may differ between
     *     ranks
     */
    CallScope during(String words, Optional<Duration> limit);

    /**
     * Says how long this rank's collective calls wait for the others together, in place of the communicator's timeout,
     * until the scope is closed. To be called by the thread that makes these calls; planes of several communicators may
     * share a deadline.
     */
    CallScope within(RunningDeadline deadline);

    /**
     * How long this rank's collective calls wait for the others now. To be asked by the thread that makes these calls.
     */
    Duration patience();

    /**
     * Says that this rank waits for peers otherwise than by a call of this plane, as for an answer over a transport,
     * until the scope is closed: ranks that wait for this one meanwhile learn of it.
     *
     * @param what what it is, in words
     */
    CallScope waitFor(String what, List<Integer> peers);

    /**
     * The number of this rank's next collective call, for {@link #hasCome}. To be asked by the thread that makes these
     * calls.
     */
    long nextCall();

    /**
     * Whether a peer has come to a collective call of this rank, as far as this rank has heard: what the peer says of
     * itself afterwards is then not because it makes another call. Safe for any thread.
     *
     * @param call the call's number
     * @return true also if the call is over, refused or not
     */
    boolean hasCome(int peer, long call);

    /** Sends a message. Does not wait for the peer. */
    void send(int peer, Topic topic, byte[] message);

    /** Receives the next message that the peer sent about the same topic. */
    byte[] receive(int peer, Topic topic);

    /** Says who answers when peers ask about this rank's launches. */
    void reportLaunches(LaunchReporter reporter);

    /**
     * Asks peers how many launches they have made, which they answer whatever they are doing. Not collective.
     *
     * @return the answers, by rank, of those who answer within the limit
     */
    default Map<Integer, Long> launchesOf(List<Integer> peers, Duration limit) {
        return reportsOf(peers, 0, limit).entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, report -> report.getValue().launches()));
    }

    /**
     * Asks peers about their launches, which they answer whatever they are doing. Not collective.
     *
     * @param sequence the launch that they are asked about, from 1; 0 if only for their number
     * @return the answers, by rank, of those who answer within the limit
     */
    Map<Integer, LaunchReport> reportsOf(List<Integer> peers, long sequence, Duration limit);

    /**
     * The rank that has closed its communicator without having made a launch of all ranks, so that it never will. Safe
     * for any thread; neither blocks nor allocates.
     *
     * @param launch the launch's number, from 1
     * @return −1 if there is none, as far as this rank has heard
     */
    int closedBefore(long launch);

    /**
     * Whether a peer has closed its communicator, as far as this rank has heard. Safe for any thread; does not block.
     */
    boolean hasClosed(int peer);

    /** What ranks say of their calls of shrink, whatever has become of the communicator. */
    Stands stands();

    /**
     * What ends this rank's waits for one peer on its device: the flag follows the communicator's abort word, and is
     * set, too, when nothing more comes from the peer, as that has closed its communicator. The same at each call. Safe
     * for any thread; does not block.
     */
    AbortFlag endOf(int peer);

    /** In what this rank waits for others, while it sets something up. Safe for any thread; does not block. */
    Optional<OpenCall> openCall();

    /**
     * Whether the communicator has ended under this rank's feet: asks all peers for a sign of life, and returns when
     * all have given one, the communicator is aborted, or the limit has passed. A peer that has just ended is gone
     * before word of it arrives, and what it took along makes others fail first. Not collective.
     *
     * @param what what has failed, in words
     * @return what the abort word says: {@link org.mscclj.api.error.RankLostException} if a rank is lost; empty if
     *     nothing is known against the peers
     */
    Optional<MsccljException> ended(String what, Duration limit);
}

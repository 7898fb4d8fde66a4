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
 * The connection of one rank to the other ranks for set-up. Blocking calls throw
 * {@link org.mscclj.api.error.OperationTimeoutException} after the communicator's timeout, or after {@link #during
 * another one}; the exception names the ranks that did not arrive, and what they do. Blocking calls throw
 * {@link org.mscclj.api.error.AbortedException} when the communicator is aborted. Collective calls are made by one
 * thread of a rank at a time; sending and receiving are safe for use by several threads.
 */
public interface ControlPlane {
    /**
     * The longest time that an answer of another rank takes. Ranks answer at once, whatever they do, unless they are
     * stopped or far away.
     */
    Duration MAX_ANSWER = Duration.ofSeconds(1);

    /** Returns this rank. */
    int rank();

    /** Returns the number of ranks. */
    int size();

    /** Returns the nodes of the ranks. */
    Nodes nodes();

    /**
     * Gathers the contributions of all ranks, by rank. Collective.
     *
     * @param topic the topic of the call; must be equal on all ranks
     * @throws org.mscclj.api.error.InvalidArgumentException on every rank, if the topic is not equal: ranks make
     *     different calls
     */
    List<Message> allGather(Topic topic, byte[] own);

    /** Waits until all ranks have called. Collective. */
    default void barrier(Topic topic) {
        allGather(topic, new byte[0]);
    }

    /** Waits until all ranks have called. Throws after a limit, in place of the communicator's timeout. Collective. */
    void barrier(Topic topic, Duration limit);

    /**
     * Sets the purpose of this rank's collective calls, until the scope is closed. Called by the thread that makes
     * these calls. Scopes may be nested; the innermost one is in effect.
     *
     * @param words text that messages and dumps append to the description of each call; empty for none. Ranks do not
     *     compare it, so it may differ between them
     * @param limit how long each call waits for the other ranks; empty for the communicator's timeout. May differ
     *     between ranks
     */
    CallScope during(String words, Optional<Duration> limit);

    /**
     * Sets a common deadline for the waits of this rank's collective calls, in place of the communicator's timeout,
     * until the scope is closed. Called by the thread that makes these calls. Planes of several communicators may share
     * a deadline.
     */
    CallScope within(RunningDeadline deadline);

    /**
     * Returns how long this rank's collective calls wait for the other ranks now. Called by the thread that makes these
     * calls.
     */
    Duration timeLeft();

    /**
     * Records that this rank waits for peers in another way than by a call of this plane, for example for an answer
     * over a transport, until the scope is closed. Ranks that wait for this one meanwhile learn of it.
     *
     * @param what a description of the wait
     */
    CallScope waitFor(String what, List<Integer> peers);

    /**
     * Returns the number of this rank's next collective call, for {@link #hasCome}. Called by the thread that makes
     * these calls.
     */
    long nextCall();

    /**
     * Returns whether a peer has come to a collective call of this rank, as far as this rank knows. If it has, its
     * later reports do not mean that it makes another call. Safe for any thread.
     *
     * @param call the number of the call
     * @return true also if the call is over, refused or not
     */
    boolean hasCome(int peer, long call);

    /** Sends a message. Does not wait for the peer. */
    void send(int peer, Topic topic, byte[] message);

    /** Receives the next message of the peer with an equal topic. */
    byte[] receive(int peer, Topic topic);

    /** Sets the reporter that answers questions of peers about this rank's launches. */
    void reportLaunches(LaunchReporter reporter);

    /**
     * Asks peers for the number of their launches. Peers answer whatever they do. Not collective.
     *
     * @return the answers, by rank, of the peers that answer within the limit
     */
    default Map<Integer, Long> launchesOf(List<Integer> peers, Duration limit) {
        return reportsOf(peers, 0, limit).entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, report -> report.getValue().launches()));
    }

    /**
     * Asks peers about their launches. Peers answer whatever they do. Not collective.
     *
     * @param sequence the number of the launch in question, from 1; 0 to ask only for the number of launches
     * @return the answers, by rank, of the peers that answer within the limit
     */
    Map<Integer, LaunchReport> reportsOf(List<Integer> peers, long sequence, Duration limit);

    /**
     * Returns a rank that has closed its communicator without having made a launch of all ranks, so that it never will.
     * Safe for any thread; neither blocks nor allocates.
     *
     * @param launch the number of the launch, from 1
     * @return −1 if there is no such rank, as far as this rank knows
     */
    int closedBefore(long launch);

    /**
     * Returns whether a peer has closed its communicator, as far as this rank knows. Safe for any thread; does not
     * block.
     */
    boolean hasClosed(int peer);

    /**
     * Returns the states of the ranks in their calls of shrink. They are updated also after the communicator has ended.
     */
    Stands stands();

    /**
     * Returns the flag that ends this rank's waits for one peer on its device. The flag follows the communicator's
     * abort word. It is also set when nothing more will arrive from the peer, because the peer has closed its
     * communicator. All calls for a peer return one flag. Safe for any thread; does not block.
     */
    AbortFlag endOf(int peer);

    /** Returns the call of set-up in which this rank waits for other ranks. Safe for any thread; does not block. */
    Optional<OpenCall> openCall();

    /**
     * Returns the exception with which the communicator has ended, if it has ended without this rank's knowledge so
     * far. Asks all peers for a sign of life, and returns when all have given one, the communicator is aborted, or the
     * limit has passed. A peer that has just ended is gone before the notice of it arrives, and the memory that went
     * with it makes other calls fail first. Not collective.
     *
     * @param what a description of the call that has failed
     * @return the exception of the abort word: {@link org.mscclj.api.error.RankLostException} if a rank is lost; empty
     *     if no loss or abort is known
     */
    Optional<MsccljException> ended(String what, Duration limit);
}

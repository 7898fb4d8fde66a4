package org.mscclj.runtime.control;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The purpose of a control message or a collective call of the control plane. Ranks send and compare the code, so the
 * texts, and the order of the constants, may change at any time.
 */
public enum TopicKind {
    /** A topic that the caller of the library names; the subject is the whole text. */
    NAMED_BY_CALLER(1, "%s"),
    /** A barrier of the host. */
    BARRIER(2, "barrier"),
    /** Ranks describe themselves when a communicator opens. */
    OPEN(3, "open a communicator"),
    /** Rank 0 draws the number of the job. */
    JOB(4, "agree on the number of the job"),
    /** All ranks have connected. */
    CONNECTED(5, "connected"),
    /** Allocation of registered memory; the subject is the size. */
    ALLOCATE(6, "allocate %s bytes"),
    /** Memory that ranks register together. */
    REGISTER(28, "register memory"),
    /** A split by lists. */
    SPLIT(7, "split"),
    /** A split by colours. */
    SPLIT_BY_COLOUR(8, "split by colour"),
    /** Memory of the first barrier of streams. */
    STREAM_BARRIER(9, "make the first barrier of streams"),
    /** A sample of memory, which peers try to map. */
    SAMPLE(10, "a sample of memory"),
    /** Whether each rank can map the samples. */
    MAPPABLE(11, "which memory can be mapped"),
    /** Signatures of a collective that ranks prepare. */
    PREPARE_COLLECTIVE(12, "prepare a collective"),
    /** Signatures of a collective that ranks execute for the first time. */
    EXECUTE_COLLECTIVE(13, "execute a collective"),
    /** Signatures of a launch, which ranks compare before each launch if the user has enabled it. */
    LAUNCH(14, "launch a collective"),
    /** The algorithm that each rank has selected. */
    CHOOSE(15, "choose an algorithm"),
    /** Signatures of a variable-size reduce-scatter that ranks prepare. */
    PREPARE_REDUCTION(16, "prepare a reduction of parts"),
    /** Signatures of a variable-size reduce-scatter that ranks execute for the first time. */
    EXECUTE_REDUCTION(17, "execute a reduction of parts"),
    /** Signatures of a call of a plan. */
    PREPARE_PLAN(18, "prepare a plan"),
    /** Rank 0 verifies a plan; the subject is its label, here and below. */
    VERIFY(19, "verify plan %s"),
    /** Memory of a context. */
    CONTEXT_MEMORY(20, "memory of plan %s"),
    /** Each rank maps the memory of a context. */
    CONTEXT_MAPPED(21, "mapped memory of plan %s"),
    /** Each rank opens the engine of a context. */
    ENGINE(22, "engine of plan %s"),
    /** Each rank is ready to launch. */
    READY(23, "ready to launch plan %s"),
    /** Connections of port channels. */
    PORT_CONNECTIONS(27, "connections of port channels of plan %s"),
    /** Memory that port channels access; the subject names it. */
    PORT_MEMORY(29, "%s"),
    /** Each rank has imported that memory. */
    PORT_MEMORY_OF_PEERS(30, "%s, of peers"),
    /** Which contexts are idle; the subject is their number. */
    IDLE_CONTEXTS(31, "see which of %s contexts are idle"),
    /** Contexts end; the subject is their number. */
    STOP_CONTEXTS(32, "stop the port channels of %s contexts"),
    /** Memory of a window. */
    WINDOW_MEMORY(33, "memory of a window"),
    /** Each rank maps the memory of a window. */
    WINDOW_MAPPED(34, "mapped memory of a window"),
    /** Each rank answers gets of a window. */
    WINDOW_GETS(35, "gets of a window between nodes"),
    /** A window is closed. */
    CLOSE_WINDOW(36, "closing a window"),
    /** Accesses of a window end. */
    END_WINDOW_ACCESSES(37, "ending the accesses of a window"),
    /** Signals of a window end. */
    END_WINDOW_SIGNALS(38, "ending the signals of a window"),
    /** Memory that one rank sends to another one; the subject is the tag, here and below. */
    SENT_MEMORY(39, "memory of tag %s"),
    /** A connection by mapped memory. */
    MAPPED_CONNECTION(40, "connection of kind MEMORY, tag %s"),
    /** A connection over a transport. */
    PORT_CONNECTION(41, "connection of kind PORT, tag %s"),
    /** The endpoint of a connection over a transport. */
    PORT_CONNECTION_ENDPOINT(42, "connection of kind PORT, tag %s, endpoint"),
    /** The result of a connection over a transport. */
    PORT_CONNECTION_MADE(43, "connection of kind PORT, tag %s, connected"),
    /** A semaphore on mapped memory. */
    MAPPED_SEMAPHORE(44, "semaphore of kind MEMORY, tag %s"),
    /** A semaphore over a transport. */
    PORT_SEMAPHORE(45, "semaphore of kind PORT, tag %s"),
    /** Signatures of a reduction of parts, as {@link #LAUNCH}. */
    LAUNCH_REDUCTION(46, "launch a reduction of parts"),
    /** Signatures of a prepared operation, as {@link #LAUNCH}. */
    LAUNCH_PREPARED(47, "launch a prepared operation"),
    /** Each rank binds multicast memory. */
    MULTICAST_MEMORY(48, "multicast memory of plan %s"),
    /** Each rank opens the communicator of a fallback; the subject is its name. */
    OPEN_FALLBACK(49, "open fallback %s"),
    /** Each rank initialises a native algorithm; the subject is its name. */
    INITIALISE_NATIVE(50, "initialise native algorithm %s"),
    /** The devices of the ranks. */
    HARDWARE(51, "kinds of devices"),
    /** The context of a native algorithm; the subject is its name. */
    NATIVE_CONTEXT(52, "context of native algorithm %s"),
    /** Each rank has memory for the first call of a fallback; the subject is its name, here and below. */
    FIRST_CALL_MEMORY(53, "memory for the first call of fallback %s"),
    /** The first call of a fallback. */
    FIRST_CALL(54, "the first call of fallback %s"),
    /** Each rank has prepared a call of a fallback. */
    FALLBACK_CALL(55, "prepare a call of fallback %s"),
    /** Each rank joins the multicast groups of shared buffers. */
    MULTICAST_BUFFERS(56, "multicast buffers of plan %s");

    private static final Map<Integer, TopicKind> BY_CODE =
            Arrays.stream(values()).collect(Collectors.toMap(TopicKind::code, Function.identity()));

    private final int code;
    private final String words;

    TopicKind(int code, String words) {
        this.code = code;
        this.words = words;
    }

    /** Returns the code that ranks send. No code is used twice, nor is it reused later. */
    int code() {
        return code;
    }

    /** Returns the text for a subject. */
    String words(String subject) {
        return words.replace("%s", subject);
    }

    /**
     * Returns the kind with a code.
     *
     * @throws IllegalArgumentException if there is no such kind
     */
    static TopicKind ofCode(int code) {
        TopicKind kind = BY_CODE.get(code);
        if (kind == null) {
            throw new IllegalArgumentException("a topic of unknown code " + code);
        }
        return kind;
    }
}

package org.mscclj.conformance.rank;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.conformance.scenario.TestCase;

/** A rank's communicator, case and findings. Used by one thread. */
public final class RankContext {
    private final Communicator communicator;
    private final TestCase test;
    private final Duration timeout;
    private final OwnProcess process;
    private final List<Finding> findings;
    private long digest;

    public RankContext(Communicator communicator, TestCase test, Duration timeout, OwnProcess process) {
        this(communicator, test, timeout, process, new ArrayList<>());
    }

    private RankContext(
            Communicator communicator, TestCase test, Duration timeout, OwnProcess process, List<Finding> findings) {
        this.communicator = communicator;
        this.test = test;
        this.timeout = timeout;
        this.process = process;
        this.findings = findings;
    }

    /** Returns this rank's communicator. */
    public Communicator communicator() {
        return communicator;
    }

    /** Returns this rank. */
    public int rank() {
        return communicator.rank();
    }

    /** Returns the case. */
    public TestCase test() {
        return test;
    }

    /** Returns what this rank can do to its process, where it is a process. */
    public OwnProcess process() {
        return process;
    }

    /** Opens a second communicator of the ranks. Collective. */
    public Communicator second() {
        return communicator
                .split(IntStream.range(0, test.world()).boxed().toList(), "conformance-second")
                .orElseThrow();
    }

    /**
     * Returns a context of this rank in another communicator, with a case for it. Findings of the new context are
     * findings of this context.
     */
    public RankContext within(Communicator other, TestCase ofOther) {
        return new RankContext(other, ofOther, timeout, process, findings);
    }

    /** Returns the timeout of an operation. */
    public Duration timeout() {
        return timeout;
    }

    /** Reports a finding. */
    public void report(FindingKind kind, String text) {
        findings.add(new Finding(kind, text));
    }

    /**
     * Launches and joins. An operation that does not end aborts the communicator at once, so that closing it is quick.
     */
    public void run(PreparedOperation operation) {
        abortingWhenLate(() -> operation.run(timeout));
    }

    /** Joins the last launch of an operation. */
    public void join(PreparedOperation operation) {
        abortingWhenLate(() -> operation.join(timeout));
    }

    /** Joins a launch. */
    public void join(Work work) {
        abortingWhenLate(() -> work.join(timeout));
    }

    /**
     * Waits until all ranks have made their graphs, before this rank launches one. Where ranks share a device, its
     * driver creates no graph while a launch of one rank waits for another rank.
     */
    public void meetBeforeReplays() {
        communicator().barrier();
    }

    /** Waits for all work on a stream. */
    public void synchronize(Stream stream) {
        abortingWhenLate(() -> stream.synchronize(timeout));
    }

    private void abortingWhenLate(Runnable wait) {
        try {
            wait.run();
        } catch (OperationTimeoutException e) {
            communicator.abort("conformance: rank " + rank() + " timed out in " + test.line());
            throw e;
        }
    }

    /** Returns whether a finding was reported. */
    public boolean hasFindings() {
        return !findings.isEmpty();
    }

    /** Sets the hash of the output's bits. */
    public void digest(long bits) {
        digest = bits;
    }

    public RankVerdict verdict() {
        return new RankVerdict(rank(), digest, findings);
    }

    /** Returns the call of a case on buffers. */
    public static CollectiveCall call(TestCase test, DeviceBuffer input, DeviceBuffer output) {
        CollectiveCall call = switch (test.collective()) {
            case ALLREDUCE -> CollectiveCall.allReduce(input, output, test.type());
            case REDUCESCATTER -> CollectiveCall.reduceScatter(input, output, test.type());
            case ALLGATHER -> CollectiveCall.allGather(input, output, test.type());
            case BROADCAST -> CollectiveCall.broadcast(input, output, test.type(), test.root());
            case ALLTOALL -> CollectiveCall.allToAll(input, output, test.type());
            case REDUCE -> CollectiveCall.reduce(input, output, test.type(), test.root());
            case SCATTER -> CollectiveCall.scatter(input, output, test.type(), test.root());
            case GATHER -> CollectiveCall.gather(input, output, test.type(), test.root());
            case SENDRECV, TEST ->
                throw new UnsupportedException(
                        "a communicator has no call for " + test.collective() + "; run a plan instead");
        };
        CollectiveCall combining = test.collective().reduces() ? call.op(test.op()) : call;
        return test.program().map(combining::algorithm).orElse(combining);
    }
}

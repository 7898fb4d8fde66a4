package org.mscclj.conformance.reference;

import java.util.List;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.ReduceScatterCall;
import org.mscclj.api.TransferCall;
import org.mscclj.api.Window;
import org.mscclj.api.WindowCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.option.KnownHint;

/** A way to be wrong; this one is none. Stateful ones are made anew for each rank. */
class Defect {
    /** What is computed in place of what was asked for. */
    CollectiveCall replace(CollectiveCall call) {
        return call;
    }

    /** Where the result goes in place of where it should. */
    DeviceBuffer output(CollectiveCall call) {
        return call.output();
    }

    /** What an operation says has served a call. */
    String algorithm(CollectiveCall call) {
        return call.algorithm().orElse("reference");
    }

    /** Whether ranks without a result, those of a reduce or gather that are not the root, store one nevertheless. */
    boolean writesWithoutResult(CollectiveCall call) {
        return false;
    }

    /** Whether a barrier of streams waits for the other ranks. */
    boolean waitsInBarriers() {
        return true;
    }

    /** The same call with other messages. */
    static TransferCall withMessages(TransferCall call, List<TransferCall.Message> messages) {
        return new TransferCall(messages, call.options(), call.type(), call.partOf());
    }

    /** The messages that move in place of those that were asked for. */
    TransferCall replace(TransferCall call) {
        return call;
    }

    /** The reduction of parts that is carried out in place of the one that was asked for. */
    ReduceScatterCall replace(ReduceScatterCall call) {
        return call;
    }

    /** What is done in a window in place of what was asked for. */
    WindowCall replace(WindowCall call, Window window) {
        return call;
    }

    /** What becomes of closing a window that cannot be closed. */
    void cannotClose(InvalidArgumentException refusal) {
        throw refusal;
    }

    /** The ranks that a timeout of messages names. */
    List<Integer> missing(List<Integer> ranks) {
        return ranks;
    }

    /** The ranks that late launches name, when they end the communicator. */
    List<Integer> late(List<Integer> ranks) {
        return ranks;
    }

    /** The ranks that late launches name, if some rank does not answer. */
    List<Integer> silent(List<Integer> ranks) {
        return ranks;
    }

    /** Who is said to be lost. */
    int lost(int rank) {
        return rank;
    }

    /** Who is said to be lost when a rank is cut off. */
    int cutOff(int rank) {
        return rank;
    }

    /** Whether a rank that was stopped for a second counts as lost. */
    boolean losesWhoIsStopped() {
        return false;
    }

    /** Whether a bad call is refused. */
    boolean refuses(CollectiveCall call) {
        return true;
    }

    /** Whether launches and waits take streams that are closed. */
    boolean takesClosedStreams() {
        return false;
    }

    /** Whether there is a look for NaN in the input of a call. */
    boolean looksForNan(CollectiveCall call) {
        return KnownHint.NAN_CHECK
                .in(call.options().hints())
                .filter("true"::equals)
                .isPresent();
    }

    /** Whether buffers of a prepared operation cannot be closed. */
    boolean retainsBuffers() {
        return true;
    }

    /** Whether closed operations can be launched. */
    boolean launchesWhatIsClosed() {
        return false;
    }

    /** The ranks of a child in place of those that were given. */
    List<Integer> members(List<Integer> ranks) {
        return ranks;
    }

    /** What is said of calls that differ, before they are launched. */
    String refusal(String words) {
        return words;
    }

    /** What a timeout says of the launches of all ranks. */
    String diagnosis(String words) {
        return words;
    }

    /** Whether a launch ends only if all ranks have launched the same. */
    boolean waitsForTheSame() {
        return true;
    }

    /** Whether an abort ends a call. */
    boolean hearsAborts(CollectiveCall call) {
        return true;
    }

    /** Called with the right result, before it is stored. */
    void beforeWrite(Launch launch) {}

    /** Called when it has been stored. */
    void afterWrite(Launch launch) {}

    /** Whether a launch is made at all. */
    boolean isMade(long number) {
        return true;
    }

    /** Whether an operation counts as ended before its result is stored. */
    boolean endsEarly() {
        return false;
    }

    /** Whether a join ends when its timeout passes. */
    boolean joinsInTime() {
        return true;
    }
}

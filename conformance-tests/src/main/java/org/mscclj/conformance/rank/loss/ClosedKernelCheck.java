package org.mscclj.conformance.rank.loss;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Map;
import org.mscclj.api.Communicator;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.conformance.rank.FaultLimit;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.kernel.KernelArguments;
import org.mscclj.conformance.task.Opened;
import org.mscclj.conformance.task.RunningClock;

/**
 * Checks the last rank of the node, which closes its communicator while kernels wait for it. Each wait ends, the host
 * learns the rank, and the communicator is not aborted. Signals that the rank has sent before are received, also by a
 * kernel that is launched after the closing is known.
 *
 * @param kernels makes the kernels that wait
 */
record ClosedKernelCheck(ClosedKernels.Maker kernels) implements RankCheck {
    @Override
    public void check(RankContext context) {
        int ranks = context.communicator().ranksPerNode();
        if (ranks == 1) {
            context.report(FindingKind.NO_PART, "there is no other rank on this node");
            return;
        }
        int closing = context.rank() / ranks * ranks + ranks - 1;
        try (Opened opened = new Opened()) {
            Communicator communicator = opened.add(context.second(), Communicator::close);
            ClosedKernels own = kernels.make(communicator, closing, opened);
            long[] found = new long[own.right().size()];
            DeviceBuffer status = KernelArguments.upload(communicator.device(), MemorySegment.ofArray(found), opened);
            Stream stream = opened.add(communicator.device().createStream(), Stream::close);
            RankContext within = context.within(communicator, context.test());
            context.communicator().barrier(); // loading a kernel waits for running kernels
            if (context.rank() == closing) {
                own.send(stream);
                within.synchronize(stream);
                ClosedRank.closeWhileOthersCall(context, communicator);
            } else {
                await(within, own, closing, stream, status);
                status.copyTo(MemorySegment.ofArray(found));
                compare(context, own.right(), found);
                ClosedRank.requireNotAborted(context, communicator);
                context.communicator().barrier();
                communicator.close();
            }
            context.communicator().barrier(); // a window's memory is free when all ranks have closed
        }
    }

    private static void await(RankContext context, ClosedKernels own, int closing, Stream stream, DeviceBuffer status) {
        long start = RunningClock.nanoTime();
        own.launch(stream, status);
        context.synchronize(stream);
        FaultLimit.require(
                context,
                "ending waits of a kernel for a rank that has closed",
                Duration.ofNanos(RunningClock.nanoTime() - start));
        for (Runnable check : own.checks()) {
            ClosedRank.requireTold(context, "checking why they have ended", closing, check);
        }
        own.launchLate(stream, status);
        context.synchronize(stream);
    }

    private static void compare(RankContext context, Map<String, Long> right, long[] found) {
        int word = 0;
        for (Map.Entry<String, Long> entry : right.entrySet()) {
            if (found[word] != entry.getValue()) {
                context.report(
                        FindingKind.BEHAVIOUR,
                        entry.getKey() + ": " + Long.toBinaryString(found[word]) + " in binary; right is "
                                + Long.toBinaryString(entry.getValue()));
            }
            word++;
        }
    }
}

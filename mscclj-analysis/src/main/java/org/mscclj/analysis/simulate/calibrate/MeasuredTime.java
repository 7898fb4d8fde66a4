package org.mscclj.analysis.simulate.calibrate;

import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.PlainText;
import org.mscclj.api.type.Collective;

/**
 * The measured duration of a message on a machine.
 *
 * @param algorithm name of the algorithm
 * @param collective the collective
 * @param ranks number of ranks
 * @param ranksPerNode ranks on each node
 * @param root root of a broadcast or reduce; 0 for other collectives
 * @param inPlace whether input and output shared memory
 * @param messageBytes size as in reports: that of the output for allgather, that of the input otherwise
 * @param nanos the duration, more than 0
 */
public record MeasuredTime(
        String algorithm,
        Collective collective,
        int ranks,
        int ranksPerNode,
        int root,
        boolean inPlace,
        long messageBytes,
        double nanos) {
    /** Checks the numbers. */
    public MeasuredTime {
        if (ranks < 1) {
            throw InvalidArgumentException.of("ranks", ranks, "1 or more");
        }
        if (ranksPerNode < 1 || ranks % ranksPerNode != 0) {
            throw InvalidArgumentException.of("ranks_per_node", ranksPerNode, "a divisor of " + ranks);
        }
        if (root < 0 || root >= ranks) {
            throw InvalidArgumentException.of("root", root, "0 to " + (ranks - 1));
        }
        if (!(nanos > 0)) {
            throw InvalidArgumentException.of("time", nanos, "more than 0");
        }
    }

    /** Describes the measurement without its size, in one line, for messages. */
    public String label() {
        return PlainText.brief(algorithm) + " of " + collective + (inPlace ? " in place" : "") + " on " + ranks
                + " ranks, " + ranksPerNode + " on each node";
    }

    /** Bytes of a slice: the whole buffer, or one rank's part. */
    public long sliceBytes() {
        int slices = collective == Collective.ALLGATHER ? ranks : collective.inputSlices(ranks);
        return messageBytes / slices;
    }
}

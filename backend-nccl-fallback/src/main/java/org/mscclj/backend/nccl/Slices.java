package org.mscclj.backend.nccl;

import org.mscclj.api.ReduceScatterCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;

/** Checks the sizes of a call's buffers, which NCCL does not check. */
final class Slices {
    private Slices() {}

    /**
     * Returns the number of elements of a slice: of a whole buffer, or of one rank's part of it.
     *
     * @throws InvalidArgumentException if the buffers do not have the sizes that the collective needs
     */
    static long count(
            Collective collective,
            DeviceBuffer input,
            DeviceBuffer output,
            DataType type,
            int root,
            int rank,
            int ranks) {
        if (collective.hasRoot() && (root < 0 || root >= ranks)) {
            throw InvalidArgumentException.of("root", root, "0 to " + (ranks - 1));
        }
        long unit = (long) collective.inputSlices(ranks) * type.byteSize();
        if (input.byteSize() % unit != 0) {
            throw InvalidArgumentException.of(
                    "input of " + collective, input.byteSize() + " bytes", "a multiple of " + unit + " bytes");
        }
        long count = input.byteSize() / unit;
        long needed = count * collective.outputSlices(ranks) * type.byteSize();
        boolean rooted = collective == Collective.REDUCE || collective == Collective.GATHER;
        if (output.byteSize() != needed && (!rooted || rank == root)) {
            throw InvalidArgumentException.of(
                    "output of " + collective,
                    output.byteSize() + " bytes",
                    needed + " bytes, since the input has " + input.byteSize());
        }
        return count;
    }

    /** Checks the parts of a reduce-scatter whose parts have sizes of their own. */
    static void requireParts(ReduceScatterCall call, int rank, int ranks) {
        if (call.inputs().size() != ranks) {
            throw InvalidArgumentException.of("inputs", call.inputs().size() + " parts", ranks + ", one for each rank");
        }
        long own = call.inputs().get(rank).byteSize();
        if (call.output().byteSize() != own) {
            throw InvalidArgumentException.of(
                    "output of reducescatter",
                    call.output().byteSize() + " bytes",
                    own + " bytes, as the input for this rank, " + rank);
        }
        for (int peer = 0; peer < ranks; peer++) {
            long bytes = call.inputs().get(peer).byteSize();
            if (bytes % call.type().byteSize() != 0) {
                throw InvalidArgumentException.of(
                        "input for rank " + peer,
                        bytes + " bytes",
                        "a multiple of " + call.type().byteSize() + " bytes");
            }
        }
    }
}

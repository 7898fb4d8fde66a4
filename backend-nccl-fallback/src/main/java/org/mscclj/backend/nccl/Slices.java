package org.mscclj.backend.nccl;

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
}

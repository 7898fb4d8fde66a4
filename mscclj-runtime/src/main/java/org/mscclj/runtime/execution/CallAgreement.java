package org.mscclj.runtime.execution;

import java.util.List;
import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.runtime.control.Differences;
import org.mscclj.runtime.control.Wire;
import org.mscclj.spi.device.MemoryHandle;

/**
 * What a rank contributes when ranks prepare a plan together. All but the handles must be equal on all ranks.
 *
 * @param call the plan's digest, data type, operation, packet type and slice, in words that messages can show
 * @param input by which peers can map this rank's input; empty if they cannot
 * @param output by which peers can map this rank's output; empty if they cannot
 */
record CallAgreement(String call, Optional<MemoryHandle> input, Optional<MemoryHandle> output) {

    byte[] encode() {
        return Wire.encode(out -> {
            out.writeUTF(call);
            for (Optional<MemoryHandle> handle : List.of(input, output)) {
                out.writeBoolean(handle.isPresent());
                if (handle.isPresent()) {
                    Wire.writeHandle(out, handle.get());
                }
            }
        });
    }

    static CallAgreement decode(byte[] message) {
        return Wire.decode(message, in -> {
            String call = in.readUTF();
            Optional<MemoryHandle> input = in.readBoolean() ? Optional.of(Wire.readHandle(in)) : Optional.empty();
            Optional<MemoryHandle> output = in.readBoolean() ? Optional.of(Wire.readHandle(in)) : Optional.empty();
            return new CallAgreement(call, input, output);
        });
    }

    /**
     * Checks that all ranks mean the same call.
     *
     * @throws InvalidArgumentException on every rank alike
     */
    static void require(List<CallAgreement> ranks) {
        Differences.among(ranks.stream().map(CallAgreement::call).toList()).ifPresent(calls -> {
            throw new InvalidArgumentException(
                    "ranks prepare different operations; " + calls + "; all must pass the same");
        });
    }
}

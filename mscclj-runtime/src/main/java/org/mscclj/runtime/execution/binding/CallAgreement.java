package org.mscclj.runtime.execution.binding;

import java.util.List;
import java.util.Optional;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.runtime.control.Differences;
import org.mscclj.runtime.control.Message;
import org.mscclj.runtime.control.Wire;
import org.mscclj.runtime.signature.PlanSignature;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.MemoryHandle;

/**
 * Contribution of one rank when ranks prepare a plan together. Everything but the handles must be equal on all ranks.
 *
 * @param call the part that must be equal on all ranks, as bytes; empty if ranks have compared it before
 * @param input handle by which peers can map this rank's input; empty if they cannot
 * @param output handle by which peers can map this rank's output; empty if they cannot
 * @param ports data that the port channels of peers need to access the buffers
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record CallAgreement(byte[] call, Optional<MemoryHandle> input, Optional<MemoryHandle> output, Message ports) {
    /** Contribution of a rank that shares no buffers with its peers. */
    static final CallAgreement NOTHING =
            new CallAgreement(new byte[0], Optional.empty(), Optional.empty(), new Message(new byte[0]));

    /**
     * Creates the contribution of a rank that shares its buffers with its peers.
     *
     * @param mapped whether peers map the buffers
     */
    public CallAgreement(
            byte[] call, DeviceBuffer input, DeviceBuffer output, boolean mapped, BackendDevice device, byte[] ports) {
        this(
                call,
                mapped ? Optional.of(device.export(input)) : Optional.empty(),
                mapped ? Optional.of(device.export(output)) : Optional.empty(),
                new Message(ports));
    }

    public byte[] encode() {
        return Wire.encode(out -> {
            Wire.writeBytes(out, call);
            for (Optional<MemoryHandle> handle : List.of(input, output)) {
                out.writeBoolean(handle.isPresent());
                if (handle.isPresent()) {
                    Wire.writeHandle(out, handle.get());
                }
            }
            Wire.writeBytes(out, ports.bytes());
        });
    }

    public static CallAgreement decode(byte[] message) {
        return Wire.decode(message, in -> {
            byte[] call = Wire.readBytes(in);
            Optional<MemoryHandle> input = in.readBoolean() ? Optional.of(Wire.readHandle(in)) : Optional.empty();
            Optional<MemoryHandle> output = in.readBoolean() ? Optional.of(Wire.readHandle(in)) : Optional.empty();
            return new CallAgreement(call, input, output, Wire.readMessage(in));
        });
    }

    /**
     * Checks that all ranks contribute an equal call.
     *
     * @throws InvalidArgumentException on every rank alike
     */
    public static void require(List<CallAgreement> ranks) {
        Differences.among(
                        ranks.stream().map(CallAgreement::call).toArray(byte[][]::new),
                        signature -> PlanSignature.decode(signature).describe())
                .ifPresent(calls -> {
                    throw new InvalidArgumentException(
                            "ranks prepare different operations; " + calls + "; all must pass the same");
                });
    }
}

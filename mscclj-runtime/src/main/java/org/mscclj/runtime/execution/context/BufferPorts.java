package org.mscclj.runtime.execution.context;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.Plan;
import org.mscclj.runtime.control.Message;
import org.mscclj.runtime.control.Wire;
import org.mscclj.runtime.execution.plan.SharedPlans;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.runtime.transport.RankTransports;
import org.mscclj.spi.engine.PortBuffers;

/** Input and output of a launch, as far as the port channels of its plan access them. */
public final class BufferPorts implements AutoCloseable {
    private final Optional<PortMemory> inputs;
    private final Optional<PortMemory> outputs;

    /** Description of the buffers of a rank; empty where no port channel accesses the buffer. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Part(byte[] input, byte[] output) {
        byte[] encode() {
            return Wire.encode(out -> {
                Wire.writeBytes(out, input);
                Wire.writeBytes(out, output);
            });
        }

        static Part decode(byte[] message) {
            return Wire.decode(message, in -> new Part(Wire.readBytes(in), Wire.readBytes(in)));
        }
    }

    /** Creates the ports of a plan, without registered buffers. */
    public BufferPorts(Plan plan) {
        Set<BufferType> used = SharedPlans.byPorts(plan);
        this.inputs = used.contains(BufferType.INPUT) ? Optional.of(new PortMemory()) : Optional.empty();
        this.outputs = used.contains(BufferType.OUTPUT) ? Optional.of(new PortMemory()) : Optional.empty();
    }

    /** Registers this rank's buffers and returns their description for peers. */
    public byte[] register(DeviceBuffer input, DeviceBuffer output, RankTransports transports) {
        byte[] ofInput =
                inputs.map(memory -> memory.register(input, transports)).orElseGet(() -> new byte[0]);
        byte[] ofOutput =
                outputs.map(memory -> memory.register(output, transports)).orElseGet(() -> new byte[0]);
        return new Part(ofInput, ofOutput).encode();
    }

    /**
     * Imports the buffers of peers.
     *
     * @param described the description that each rank returned from {@code register}
     * @return the memory ids, by channel id
     */
    public List<PortBuffers> importAll(PortWiring wiring, List<Message> described) {
        if (inputs.isEmpty() && outputs.isEmpty()) {
            return wiring.buffers(inputs, outputs); // the ranks have described nothing
        }
        List<Part> parts = Wire.decodeAll(described, Part.class, Part::decode);
        inputs.ifPresent(memory ->
                wiring.importAll(memory, parts.stream().map(Part::input).toList()));
        outputs.ifPresent(memory ->
                wiring.importAll(memory, parts.stream().map(Part::output).toList()));
        return wiring.buffers(inputs, outputs);
    }

    @Override
    public void close() {
        Resources.close(Arrays.asList(
                inputs.<AutoCloseable>map(memory -> memory).orElse(() -> {}),
                outputs.<AutoCloseable>map(memory -> memory).orElse(() -> {})));
    }
}

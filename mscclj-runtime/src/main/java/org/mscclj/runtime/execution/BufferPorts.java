package org.mscclj.runtime.execution;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.Plan;
import org.mscclj.runtime.control.Message;
import org.mscclj.runtime.control.Wire;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.runtime.transport.RankTransports;
import org.mscclj.spi.engine.PortBuffers;

/** Input and output of a launch, as far as the port channels of its plan access them. */
final class BufferPorts implements AutoCloseable {
    private final Optional<PortMemory> inputs;
    private final Optional<PortMemory> outputs;

    /** Creates the ports of a plan, without registered buffers. */
    BufferPorts(Plan plan) {
        Set<BufferType> used = SharedPlans.byPorts(plan);
        this.inputs = used.contains(BufferType.INPUT) ? Optional.of(new PortMemory()) : Optional.empty();
        this.outputs = used.contains(BufferType.OUTPUT) ? Optional.of(new PortMemory()) : Optional.empty();
    }

    /** Registers this rank's buffers and returns their description for peers. */
    byte[] register(DeviceBuffer input, DeviceBuffer output, RankTransports transports) {
        byte[] ofInput =
                inputs.map(memory -> memory.register(input, transports)).orElseGet(() -> new byte[0]);
        byte[] ofOutput =
                outputs.map(memory -> memory.register(output, transports)).orElseGet(() -> new byte[0]);
        return Wire.encode(out -> {
            Wire.writeBytes(out, ofInput);
            Wire.writeBytes(out, ofOutput);
        });
    }

    /**
     * Imports the buffers of peers.
     *
     * @param described the description that each rank returned from {@code register}
     * @return the memory ids, by channel id
     */
    List<PortBuffers> importAll(PortWiring wiring, List<byte[]> described) {
        if (inputs.isEmpty() && outputs.isEmpty()) {
            return wiring.buffers(inputs, outputs); // the ranks have described nothing
        }
        List<byte[][]> parts = Wire.decodeAll(
                described.stream().map(Message::new).toList(),
                byte[][].class,
                message -> Wire.decode(message, in -> new byte[][] {Wire.readBytes(in), Wire.readBytes(in)}));
        inputs.ifPresent(memory ->
                wiring.importAll(memory, parts.stream().map(part -> part[0]).toList()));
        outputs.ifPresent(memory ->
                wiring.importAll(memory, parts.stream().map(part -> part[1]).toList()));
        return wiring.buffers(inputs, outputs);
    }

    @Override
    public void close() {
        Resources.close(Arrays.asList(
                inputs.<AutoCloseable>map(memory -> memory).orElse(() -> {}),
                outputs.<AutoCloseable>map(memory -> memory).orElse(() -> {})));
    }
}

package org.example.transport.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.channel.ChannelKind;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.plan.ExecutionPlan;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.DataType;
import org.mscclj.conformance.suite.InstalledBackend;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendOptions;
import org.mscclj.spi.transport.Transport;

/** Runs on the class path and on the module path. */
class QueueTransportTest {
    @Test
    void aPlanWithPortChannelsRunsOverIt() {
        assertEquals(Boolean.getBoolean("modules"), QueueTransport.class.getModule().isNamed());
        ExecutionPlan plan = ExecutionPlan.load(Path.of("../plans/sendrecv_port_2ranks.json"));
        try (LocalGroup group = LocalGroup.open(plan.worldSize())) {
            group.run(communicator -> {
                int peer = 1 - communicator.rank();
                assertEquals("queue", communicator.channels().connect(peer, 0, ChannelKind.PORT).transport());
                try (var input = communicator.allocate(4000);
                        var output = communicator.allocate(4000);
                        var swap = communicator.prepare(PlanCall.of(plan, input, output, DataType.INT32))) {
                    for (int launch = 0; launch < 100; launch++) {
                        input.segment().setAtIndex(ValueLayout.JAVA_INT, 999, 2 * launch + communicator.rank());
                        swap.run(Duration.ofSeconds(30));
                        assertEquals(2 * launch + peer, output.segment().getAtIndex(ValueLayout.JAVA_INT, 999));
                    }
                }
            });
        }
    }

    @Test
    void unknownMemoryIsRefused() {
        try (Backend backend = InstalledBackend.find(Optional.of("host")).open(BackendOptions.threads());
                Transport transport = new QueueTransportProvider().open(backend.openDevice(0))) {
            for (byte[] description : new byte[][] {{}, {1, 2, 3}, new byte[Long.BYTES]}) {
                assertThrows(InvalidArgumentException.class, () -> transport.importMemory(description));
            }
        }
    }
}

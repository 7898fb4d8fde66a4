package org.mscclj.runtime.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.algorithm.NativeArguments;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.language.selection.MappingObstacles;
import org.mscclj.plan.preference.ProgramPreference;
import org.mscclj.runtime.control.Nodes;
import org.mscclj.runtime.fallback.FallbackCandidate;
import org.mscclj.runtime.selection.AlgorithmSelection;
import org.mscclj.runtime.selection.CallDescriptor;
import org.mscclj.runtime.selection.RegisteredAlgorithms;
import org.mscclj.runtime.signature.Role;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;

/** Reduce, scatter and gather as a user calls them, worked out by hand; and a program that a backend cannot run. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RootedCollectivesTest {
    private static final int ROOT = 1;

    @Test
    void reduceScatterAndGather() {
        try (LocalGroup group = CollectivesTest.open(3)) {
            group.run(communicator -> {
                int rank = communicator.rank();
                boolean root = rank == ROOT;
                DeviceBuffer three = buffer(communicator, 10 * rank, 10 * rank + 1, 10 * rank + 2);
                DeviceBuffer one = buffer(communicator, -rank);
                DeviceBuffer out = buffer(communicator, -7, -8, -9);
                communicator
                        .reduce(three, out, DataType.INT32, ReduceOp.AVG, ROOT)
                        .join();
                assertEquals(root ? "[10, 11, 12]" : "[-7, -8, -9]", text(out));
                communicator.barrier();
                communicator.gather(one, out, DataType.INT32, ROOT).join();
                assertEquals(root ? "[0, -1, -2]" : "[-7, -8, -9]", text(out));
                communicator.barrier();
                communicator.scatter(three, one, DataType.INT32, ROOT).join();
                assertEquals("[" + (10 + rank) + "]", text(one));
            });
        }
    }

    private static DeviceBuffer buffer(Communicator communicator, int... values) {
        DeviceBuffer buffer = communicator.allocate((long) values.length * Integer.BYTES);
        for (int i = 0; i < values.length; i++) {
            buffer.segment().setAtIndex(ValueLayout.JAVA_INT, i, values[i]);
        }
        return buffer;
    }

    private static String text(DeviceBuffer buffer) {
        return Arrays.toString(buffer.segment().toArray(ValueLayout.JAVA_INT));
    }

    @Test
    void multicastNeedsABackendThatDeclaresIt() {
        CallDescriptor shape = new CallDescriptor(
                Collective.ALLREDUCE,
                DataType.INT32,
                ReduceOp.SUM,
                0,
                64,
                false,
                Optional.of("multicast"),
                NativeArguments.NONE,
                Role.ITSELF);
        assertEquals(
                "multicast",
                selection(Set.of(Feature.PLANS, Feature.MULTICAST))
                        .choose(shape, true, MappingObstacles.NONE)
                        .algorithm());
        String message = String.valueOf(assertThrows(
                        UnsupportedException.class,
                        () -> selection(Set.of(Feature.PLANS)).choose(shape, true, MappingObstacles.NONE))
                .getMessage());
        assertTrue(message.contains("multicast: the backend does not declare MULTICAST"), message);
    }

    private static AlgorithmSelection selection(Set<Feature> features) {
        Capabilities capabilities =
                new Capabilities(EnumSet.allOf(DataType.class), EnumSet.allOf(ReduceOp.Kind.class), 8, features);
        return new AlgorithmSelection(
                Nodes.one(2), capabilities, ProgramPreference.HOST, new RegisteredAlgorithms(), FallbackCandidate.NONE);
    }
}

package org.mscclj.runtime.recorder;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.runtime.dump.RankDump;
import org.mscclj.runtime.fault.CommunicatorWatch;
import org.mscclj.runtime.fault.Watchdog;

/** Options say how many launches a recorder keeps, that of a child too. */
class RecorderEntriesTest {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int LAUNCHES = 5;

    private static void launch(Communicator communicator) {
        try (DeviceBuffer buffer = communicator.allocate(64)) {
            CollectiveCall call = CollectiveCall.allReduce(buffer, DataType.INT32);
            for (int i = 0; i < LAUNCHES; i++) {
                communicator.execute(call).join();
            }
        }
    }

    /** What this process's recorders keep of a rank. */
    private static void assertKept(int wanted, Communicator communicator) {
        List<Integer> kept = Watchdog.OF_PROCESS.open().stream()
                .map(CommunicatorWatch::dump)
                .filter(dump -> dump.communicator().equals(communicator.name()) && dump.rank() == communicator.rank())
                .map(RankDump::recorder)
                .map(recorder -> recorder.launches(new DriverBudget(FlightRecorder.TIMEOUT))
                        .size())
                .toList();
        assertEquals(List.of(wanted), kept, communicator.name());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 100})
    void threadsAndTheirChildrenKeepAsManyAsTheOptionsSay(int entries) {
        LocalGroupOptions options = LocalGroupOptions.ranks(2)
                .backend("host")
                .name("kept-by-threads-" + entries)
                .timeout(LIMIT)
                .recorderEntries(entries);
        int wanted = Math.min(entries, LAUNCHES);
        try (LocalGroup group = LocalGroup.open(options)) {
            group.run(communicator -> {
                launch(communicator);
                assertKept(wanted, communicator);
                Communicator child = communicator
                        .split(List.of(1, 0), "kept-by-a-child-" + entries)
                        .orElseThrow();
                launch(child);
                assertKept(wanted, child);
                child.close();
                try (Communicator left = communicator.shrink(List.of())) {
                    launch(left);
                    assertKept(wanted, left);
                }
            });
        }
    }

    @Test
    void processesKeepAsManyAsTheOptionsSay() {
        CommunicatorOptions options = CommunicatorOptions.rank(0, 1)
                .backend("host")
                .name("kept-by-a-process")
                .timeout(LIMIT)
                .recorderEntries(2);
        try (Communicator communicator = Communicator.open(options)) {
            launch(communicator);
            assertKept(2, communicator);
        }
    }
}

package org.mscclj.runtime.collective;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;

/** The debug log has each candidate for a call, with the reason why it was taken or not. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CandidatesInLogTest {
    private static final Logger LOGGER = Logger.getLogger(RankCollectives.class.getName());

    private final Set<String> messages = ConcurrentHashMap.newKeySet();

    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord record) {
            messages.add(record.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        LOGGER.setUseParentHandlers(false);
        LOGGER.setLevel(Level.FINE);
        LOGGER.addHandler(handler);
    }

    @AfterEach
    void stop() {
        LOGGER.removeHandler(handler);
        LOGGER.setLevel(null);
        LOGGER.setUseParentHandlers(true);
    }

    private void assertLogged(String message) {
        assertTrue(messages.contains(message), () -> message + " is not among " + messages);
    }

    @Test
    void callsThatExecuteAndCallsThatPrepareLogTheSame() {
        try (LocalGroup group = CollectivesTest.open(2)) {
            group.run(communicator -> {
                for (DeviceBuffer memory : List.of(
                        communicator.allocate(1240), communicator.device().allocate(1240))) {
                    CollectiveCall call = CollectiveCall.allReduce(memory, DataType.INT64);
                    String rank = "rank " + communicator.rank() + " has ";
                    String explained = communicator.explain(call).toString();
                    assertTrue(explained.lines().count() > 4, explained);
                    communicator.execute(call).join();
                    assertLogged(rank + "set up " + explained);
                    try (PreparedOperation _ = communicator.prepare(call)) {
                        assertLogged(rank + "prepared " + explained);
                    }
                }
            });
        }
    }

    /** The buffers of the ranks lie at different places, so that none counts as registered. */
    @Test
    void theLogTellsWhatWasChosenWherePlacesDiffer() {
        try (LocalGroup group = CollectivesTest.open(2)) {
            group.run(communicator -> {
                DeviceBuffer registered = communicator.allocate(1248);
                DeviceBuffer plain = communicator.device().allocate(1248);
                String explained = communicator
                        .explain(CollectiveCall.allReduce(plain, DataType.INT64))
                        .toString();
                CollectiveCall own =
                        CollectiveCall.allReduce(communicator.rank() == 0 ? registered : plain, DataType.INT64);
                try (PreparedOperation _ = communicator.prepare(own)) {
                    assertLogged("rank " + communicator.rank() + " has prepared " + explained);
                }
            });
        }
    }
}

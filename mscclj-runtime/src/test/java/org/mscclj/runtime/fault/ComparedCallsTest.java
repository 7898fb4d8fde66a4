package org.mscclj.runtime.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.ReduceScatterCall;
import org.mscclj.api.TransferCall;
import org.mscclj.api.Window;
import org.mscclj.api.WindowCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.plan.PlanVerification;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.runtime.execution.environment.ExecutorOptions;
import org.mscclj.runtime.local.LocalRanks;

/** Ranks that compare their calls refuse different ones, on all ranks, before anything has happened. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ComparedCallsTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private static LocalGroup open() {
        return LocalRanks.open(
                LocalGroupOptions.ranks(3).timeout(LIMIT),
                new ExecutorOptions(64 << 20, 1, PlanVerification.OFF, true));
    }

    private static void requireMessage(InvalidArgumentException e, String... words) {
        for (String word : words) {
            assertTrue(String.valueOf(e.getMessage()).contains(word), e::getMessage);
        }
    }

    @Test
    void callsOfKnownKindsAreCompared() {
        try (LocalGroup group = open()) {
            group.run(communicator -> {
                DeviceBuffer memory = communicator.allocate(64);
                List<CollectiveCall> calls = List.of(
                        CollectiveCall.allReduce(memory, DataType.INT8),
                        CollectiveCall.allReduce(memory, DataType.INT8).op(ReduceOp.MAX),
                        CollectiveCall.allReduce(memory.slice(0, 32), DataType.INT8),
                        CollectiveCall.allReduce(memory.slice(32, 32), DataType.INT8),
                        CollectiveCall.allReduce(memory, DataType.INT16),
                        CollectiveCall.broadcast(memory, memory, DataType.INT8, 0),
                        CollectiveCall.broadcast(memory, memory, DataType.INT8, 2));
                for (CollectiveCall call : calls) {
                    communicator.execute(call).join();
                }
                for (CollectiveCall one : calls) {
                    for (CollectiveCall other : calls) {
                        if (!one.equals(other)) {
                            InvalidArgumentException e = assertThrows(
                                    InvalidArgumentException.class,
                                    () -> communicator.execute(communicator.rank() == 1 ? other : one));
                            requireMessage(e, "ranks [0, 2]", "ranks [1]");
                        }
                    }
                    communicator.execute(one).join();
                }
                assertEquals(
                        2L * calls.size() + 1,
                        communicator.execute(calls.getFirst()).sequence());
            });
        }
    }

    @Test
    void aNewCallIsComparedWithAKnownOne() {
        try (LocalGroup group = open()) {
            group.run(communicator -> {
                DeviceBuffer memory = communicator.allocate(64);
                CollectiveCall known = CollectiveCall.allReduce(memory, DataType.INT8);
                communicator.execute(known).join();
                InvalidArgumentException e = assertThrows(
                        InvalidArgumentException.class,
                        () -> communicator.execute(
                                communicator.rank() == 1
                                        ? CollectiveCall.broadcast(memory, memory, DataType.INT8, 0)
                                        : known));
                requireMessage(e, "allreduce of int8, sum, 64 bytes", "broadcast of int8, root 0");
                communicator.execute(known).join();
            });
        }
    }

    @Test
    void launchesOfPreparedOperationsAreCompared() {
        try (LocalGroup group = open()) {
            group.run(communicator -> {
                DeviceBuffer memory = communicator.allocate(1 << 20);
                try (PreparedOperation sum = communicator.prepare(CollectiveCall.allReduce(memory, DataType.FLOAT16));
                        PreparedOperation broadcast =
                                communicator.prepare(CollectiveCall.broadcast(memory, memory, DataType.INT8, 0))) {
                    sum.run(LIMIT);
                    broadcast.run(LIMIT);
                    InvalidArgumentException e = assertThrows(
                            InvalidArgumentException.class,
                            () -> (communicator.rank() == 2 ? broadcast : sum).run(LIMIT));
                    requireMessage(
                            e,
                            "ranks [0, 1]: launch allreduce of 1 MiB float16, sum, in place",
                            "ranks [2]: launch broadcast of 1 MiB int8, root 0");
                    sum.run(LIMIT);
                }
                communicator.barrier();
            });
        }
    }

    /** Each kind of launch compares other bytes. */
    @Test
    void launchesOfDifferentKindsAreCompared() {
        try (LocalGroup group = open()) {
            group.run(communicator -> {
                DeviceBuffer memory = communicator.allocate(96);
                DeviceBuffer third = communicator.allocate(32);
                CollectiveCall call = CollectiveCall.allReduce(memory, DataType.INT8);
                ReduceScatterCall parts = new ReduceScatterCall(
                        List.of(memory.slice(0, 32), memory.slice(32, 32), memory.slice(64, 32)),
                        third,
                        DataType.INT8,
                        ReduceOp.SUM);
                communicator.execute(call).join();
                communicator.execute(parts).join();
                try (PreparedOperation prepared = communicator.prepare(call)) {
                    prepared.run(LIMIT);
                    InvalidArgumentException e = assertThrows(InvalidArgumentException.class, () -> {
                        switch (communicator.rank()) {
                            case 0 -> communicator.execute(call);
                            case 1 -> communicator.execute(parts);
                            default -> prepared.run(LIMIT);
                        }
                    });
                    requireMessage(
                            e,
                            "ranks [0]: launch a collective",
                            "ranks [1]: execute a reduction of parts",
                            "ranks [2]: launch a prepared operation");
                    communicator.execute(call).join();
                }
                communicator.barrier();
            });
        }
    }

    @Test
    void placesOfPreparedOperationsAreComparedIfTheyAreEqualOnAllRanks() {
        try (LocalGroup group = open()) {
            group.run(communicator -> {
                DeviceBuffer memory = communicator.allocate(192);
                CollectiveCall first = CollectiveCall.allReduce(memory.slice(0, 64), DataType.INT8);
                CollectiveCall second = CollectiveCall.allReduce(memory.slice(64, 64), DataType.INT8);
                CollectiveCall own =
                        CollectiveCall.allReduce(memory.slice(64L * communicator.rank(), 64), DataType.INT8);
                try (PreparedOperation one = communicator.prepare(first);
                        PreparedOperation other = communicator.prepare(second);
                        PreparedOperation anywhere = communicator.prepare(own)) {
                    anywhere.run(LIMIT);
                    InvalidArgumentException e = assertThrows(
                            InvalidArgumentException.class, () -> (communicator.rank() == 2 ? other : one).run(LIMIT));
                    requireMessage(e, "ranks [0, 1]", "at offset 0", "ranks [2]", "at offset 64");
                    one.run(LIMIT);
                }
                communicator.barrier();
            });
        }
    }

    /** Only some ranks launch them, each something else. */
    @Test
    void messagesAreNotCompared() {
        try (LocalGroup group = open()) {
            group.run(communicator -> {
                try (DeviceBuffer memory = communicator.allocate(64)) {
                    if (communicator.rank() == 0) {
                        try (PreparedOperation send =
                                communicator.prepare(TransferCall.batch().send(memory, 1))) {
                            send.run(LIMIT);
                            send.launch();
                            send.join(LIMIT);
                        }
                    } else if (communicator.rank() == 1) {
                        try (PreparedOperation receive =
                                communicator.prepare(TransferCall.batch().receive(memory, 0))) {
                            receive.run(LIMIT);
                            receive.run(LIMIT);
                        }
                    }
                    communicator.barrier();
                }
            });
        }
    }

    @Test
    void accessesToWindowsAreNotCompared() {
        try (LocalGroup group = open()) {
            group.run(communicator -> {
                try (DeviceBuffer memory = communicator.allocate(64);
                        Window window = communicator.openWindow(memory)) {
                    if (communicator.rank() == 0) {
                        try (PreparedOperation put = window.prepare(WindowCall.put(memory, 1, 0));
                                PreparedOperation signal = window.prepare(WindowCall.signal(1))) {
                            put.run(LIMIT);
                            signal.run(LIMIT);
                        }
                    } else if (communicator.rank() == 1) {
                        try (PreparedOperation wait = window.prepare(WindowCall.waitSignal(0))) {
                            wait.run(LIMIT);
                        }
                    }
                }
            });
        }
    }
}

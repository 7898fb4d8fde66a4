package org.mscclj.runtime.hook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.TransferCall;
import org.mscclj.api.Window;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.hook.CommunicatorHook;
import org.mscclj.api.hook.HookRegistration;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.api.type.DataType;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.LaunchOrder;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RankHooksTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** Writes down what it is told. */
    private static final class Witness implements CommunicatorHook {
        private final List<String> operations = new CopyOnWriteArrayList<>();
        private final BlockingQueue<String> reasons = new LinkedBlockingQueue<>();

        @Override
        public void beforeOperation(OperationDescription operation) {
            operations.add("before " + operation.operation());
        }

        @Override
        public void afterOperation(OperationDescription operation, long sequence) {
            operations.add("after " + operation.operation() + " #" + sequence);
        }

        @Override
        public void onReplay(long sequence) {
            operations.add("replay #" + sequence);
        }

        @Override
        public void onSplit(List<Integer> ranks, String child) {
            operations.add("split " + child + " " + ranks);
        }

        @Override
        public void onWindow(long bytes) {
            operations.add("window of " + bytes);
        }

        @Override
        public void onClose() {
            operations.add("close");
        }

        @Override
        public void onAbort(String reason) {
            reasons.add(reason);
        }
    }

    private static final class Failing implements CommunicatorHook {
        @Override
        public void beforeOperation(OperationDescription operation) {
            throw new IllegalStateException("a hook that fails on purpose");
        }

        @Override
        public void onReplay(long sequence) {
            throw new AssertionError("a hook that fails on purpose");
        }

        @Override
        public String toString() {
            throw new IllegalStateException("a hook that fails on purpose");
        }
    }

    @Test
    void hooksAreToldOfOperationsUntilTheyAreRemoved() {
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(2).timeout(LIMIT))) {
            group.run(communicator -> {
                DeviceBuffer memory = communicator.allocate(64);
                Witness witness = new Witness();
                HookRegistration registration = communicator.addHook(witness);
                CollectiveCall call = CollectiveCall.allReduce(memory, DataType.INT8);
                communicator.execute(call).join();
                try (PreparedOperation operation =
                        communicator.prepare(CollectiveCall.broadcast(memory, memory, DataType.INT8, 0))) {
                    operation.run(LIMIT);
                    operation.launch();
                    operation.join(LIMIT);
                }
                registration.close();
                registration.close();
                communicator.execute(call).join();
                assertEquals(
                        List.of(
                                "before allreduce",
                                "after allreduce #1",
                                "before broadcast",
                                "after broadcast #2",
                                "before broadcast",
                                "after broadcast #3"),
                        witness.operations);
            });
        }
    }

    /** Whoever is told knows them from each other, and whom they concern. */
    @Test
    void messagesAndWindowsAreDescribed() {
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(2).timeout(LIMIT))) {
            group.run(communicator -> {
                int peer = 1 - communicator.rank();
                DeviceBuffer memory = communicator.allocate(64);
                DeviceBuffer other = communicator.allocate(64);
                try (Window window = communicator.openWindow(memory)) {
                    List<String> told = new CopyOnWriteArrayList<>();
                    communicator.addHook(new CommunicatorHook() {
                        @Override
                        public void beforeOperation(OperationDescription operation) {
                            told.add(operation.toString());
                        }
                    });
                    communicator
                            .execute(TransferCall.batch()
                                    .send(other.slice(0, 16), peer)
                                    .receive(other.slice(16, 16), peer))
                            .join();
                    window.put(other.slice(0, 8), peer, 32).join();
                    window.signal(peer).join();
                    window.waitSignal(peer).join();
                    window.get(peer, 8, other.slice(40, 16)).join();
                    assertEquals(
                            List.of(
                                    "messages of 32 bytes, by point_to_point",
                                    "put of 8 bytes, by one_sided, to rank " + peer + " at offset 32",
                                    "signal, by one_sided, to rank " + peer,
                                    "wait_signal, by one_sided, from rank " + peer,
                                    "get of 16 bytes, by one_sided, from rank " + peer + " at offset 8"),
                            told);
                }
            });
        }
    }

    @Test
    void aHookThatFailsDisturbsNobody() {
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(2).timeout(LIMIT))) {
            group.run(communicator -> {
                DeviceBuffer memory = communicator.allocate(64);
                Witness witness = new Witness();
                HookRegistration failing = communicator.addHook(new Failing());
                HookRegistration told = communicator.addHook(witness);
                communicator
                        .execute(CollectiveCall.allReduce(memory, DataType.INT8))
                        .join();
                failing.close();
                told.close();
                assertEquals(List.of("before allreduce", "after allreduce #1"), witness.operations);
            });
        }
    }

    @Test
    void hooksAreToldOfAnAbortOnce() throws Exception {
        Witness witness = new Witness();
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(1).timeout(LIMIT));
                HookRegistration _ = group.communicator(0).addHook(witness)) {
            group.communicator(0).abort("on purpose");
            group.communicator(0).abort("again");
            assertEquals("on purpose", witness.reasons.take());
        }
        assertTrue(witness.reasons.isEmpty());
    }

    @Test
    void aHookThatComesAfterAnAbortIsToldOfIt() throws Exception {
        Witness before = new Witness();
        Witness after = new Witness();
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(1).timeout(LIMIT));
                HookRegistration _ = group.communicator(0).addHook(before)) {
            group.communicator(0).abort("on purpose");
            assertEquals("on purpose", before.reasons.take());
            try (HookRegistration _ = group.communicator(0).addHook(after)) {
                assertEquals("on purpose", after.reasons.take());
            }
        }
        assertTrue(before.reasons.isEmpty());
        assertTrue(after.reasons.isEmpty());
    }

    @Test
    void hooksAreToldOfReplays() {
        LaunchOrder order = new LaunchOrder();
        RankHooks hooks = new RankHooks(order, new AbortFlag());
        Witness witness = new Witness();
        try (HookRegistration _ = hooks.add(new Failing());
                HookRegistration _ = hooks.add(witness)) {
            order.takeAlone(); // what only some ranks launch has no number
            order.replayed(order.take());
        }
        order.replayed(order.take());
        assertEquals(List.of("replay #1"), witness.operations);
        assertTrue(hooks.isEmpty());
    }

    @Test
    void hooksAreToldOfSplitsWindowsAndTheEnd() {
        Witness witness = new Witness();
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(2).timeout(LIMIT))) {
            group.run(communicator -> {
                if (communicator.rank() == 1) {
                    communicator.addHook(witness);
                }
                communicator
                        .split(List.of(communicator.rank()), "own")
                        .orElseThrow()
                        .close();
                communicator.split(List.of(), "none");
                try (Window window =
                        communicator.openWindow(communicator.device().allocate(64))) {
                    assertEquals(64, window.byteSize(0));
                }
                communicator.close();
                communicator.close();
            });
        }
        assertEquals(List.of("split own [1]", "split none []", "window of 64", "close"), witness.operations);
    }
}

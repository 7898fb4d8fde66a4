package org.mscclj.backend.cuda.fallback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.type.DataType;
import org.mscclj.backend.cuda.standin.ChildJvm;
import org.mscclj.backend.cuda.standin.StandIn;

/** What ends a call while another library blocks, on stand-in GPUs, in VMs of their own. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BlockedFallbackTest {
    private static final Duration SHORT = Duration.ofSeconds(1);

    /** Two ranks make a call, which the library blocks; rank 0 prints what it gets. */
    static final class Ranks {
        private Ranks() {}

        public static void main(String[] arguments) {
            try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(2)
                    .backend("cuda")
                    .timeout(arguments[0].equals("long") ? Duration.ZERO : Duration.ofMinutes(1)))) {
                group.run(communicator -> act(communicator, arguments[0]));
                System.out.println("ran");
            } catch (MsccljException e) {
                System.out.println("group: " + e.getMessage());
            }
            FakeFallback.release();
            await("close", 2); // one of them opened after its rank had given up
            System.out.println("after");
        }

        private static void act(Communicator communicator, String what) {
            switch (what) {
                case "timeout" -> {
                    call(communicator, SHORT);
                    FakeFallback.release();
                    await("close", 2);
                    call(communicator, Duration.ofMinutes(1));
                }
                case "interrupt" -> {
                    if (communicator.rank() == 0) {
                        Thread caller = Thread.currentThread();
                        Thread.ofPlatform().start(() -> {
                            await("open", 2);
                            caller.interrupt();
                        });
                    }
                    call(communicator, SHORT);
                    say(communicator, "interrupted: " + Thread.interrupted());
                }
                case "abort" -> {
                    if (communicator.rank() == 0) {
                        Thread.ofPlatform().start(() -> {
                            await("open", 2);
                            communicator.abort("enough");
                        });
                    }
                    call(communicator, Duration.ofMinutes(1));
                }
                default -> call(communicator, what.equals("long") ? Duration.ZERO : SHORT);
            }
        }

        /** Waits until the library was asked for something by a number of ranks. */
        private static void await(String what, int times) {
            while (FakeFallback.CALLS.stream()
                            .filter(call -> call.startsWith(what))
                            .count()
                    < times) {
                Thread.onSpinWait();
            }
        }

        private static void say(Communicator communicator, String line) {
            if (communicator.rank() == 0) {
                System.out.println(line);
            }
        }

        private static void call(Communicator communicator, Duration timeout) {
            try (DeviceBuffer buffer = communicator.allocate(64)) {
                communicator
                        .execute(CollectiveCall.allReduce(buffer, DataType.FLOAT32)
                                .algorithm("fake")
                                .timeout(timeout))
                        .join();
                say(communicator, "done");
            } catch (MsccljException e) {
                say(communicator, e.getClass().getSimpleName() + ": " + e.getMessage());
            }
        }
    }

    @BeforeAll
    static void requireStandIns() {
        StandIn.requireBuilt();
    }

    private static List<String> lines(String what, String blocked) {
        List<String> options = new ArrayList<>(ChildJvm.standIns());
        options.add("-D" + FakeFallback.PROPERTY + "=usable");
        options.add("-D" + FakeFallback.BLOCKED + "=" + blocked);
        try (ChildJvm jvm = new ChildJvm(
                Ranks.class, options, Map.of("STANDIN_DEVICES", "2", "STANDIN_MULTIPROCESSORS", "132"), what)) {
            List<String> lines = new ArrayList<>();
            do {
                lines.add(jvm.hear());
            } while (!lines.getLast().equals("after"));
            return lines;
        }
    }

    private static void assertStarts(String start, String line) {
        assertTrue(line.startsWith(start), line);
    }

    @Test
    void openingTakesAsLongAsTheCallMay() {
        List<String> lines = lines("timeout", "open");
        assertStarts("OperationTimeoutException: ", lines.getFirst());
        assertTrue(
                lines.getFirst().contains("opening fallback fake: rank 0 waited 1 s for the library"),
                lines.getFirst());
        assertEquals(List.of("done", "ran", "after"), lines.subList(1, lines.size()));
    }

    @Test
    void anInterruptEndsTheWaitForAnOpening() {
        List<String> lines = lines("interrupt", "open");
        assertStarts("AbortedException: interrupted while waiting for other ranks", lines.getFirst());
        assertEquals(List.of("interrupted: true", "ran", "after"), lines.subList(1, lines.size()));
    }

    @Test
    void anAbortEndsTheWaitForAnOpening() {
        List<String> lines = lines("abort", "open");
        assertStarts("AbortedException: ", lines.getFirst());
        assertTrue(lines.getFirst().contains("the communicator was aborted: enough"), lines.getFirst());
    }

    @Test
    void aFirstCallTakesAsLongAsTheCallMayAndEndsTheCommunicator() {
        String line = lines("first", "enqueue").getFirst();
        assertStarts("OperationTimeoutException: ", line);
        assertTrue(line.matches(".*the first allreduce by fake: rank [01] waited 1 s for the library.*"), line);
    }

    @Test
    void aLibraryHasALimitWhereTheCommunicatorHasNone() {
        assertEquals(List.of("done", "ran", "after"), lines("long", "nothing"));
    }
}

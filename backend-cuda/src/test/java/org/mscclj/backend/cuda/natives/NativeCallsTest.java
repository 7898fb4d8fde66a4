package org.mscclj.backend.cuda.natives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.NativeAlgorithm;
import org.mscclj.api.algorithm.CallKind;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.DeviceKernel;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.backend.cuda.standin.StandInKernels;

/** Two algorithms of one collective, on stand-in GPUs, in VMs of their own. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NativeCallsTest {
    private static final List<String> CALLS = new CopyOnWriteArrayList<>();

    /**
     * Copies the input to the output.
     *
     * @param rank the rank that has it
     * @param most the most bytes that it takes
     * @param fault {@code waits} if a kernel that may wait comes first; {@code fails} if contexts cannot be closed
     */
    private record Copying(String name, int rank, long most, String fault) implements NativeAlgorithm<Copying.Context> {
        /** A kernel. */
        record Context(DeviceKernel kernel, boolean fails) implements AutoCloseable {
            @Override
            public void close() {
                kernel.close();
                if (fails) {
                    throw new IllegalStateException("a context that cannot be closed");
                }
            }
        }

        private void note(String call) {
            if (rank == 0) {
                CALLS.add(name + " " + call);
            }
        }

        @Override
        public Collective collective() {
            return Collective.BROADCAST;
        }

        @Override
        public Optional<String> refusal(CallShape shape) {
            return shape.bytes() > most ? Optional.of("it takes at most " + most + " bytes") : Optional.empty();
        }

        @Override
        public Context context(Communicator communicator, CallKind kind) {
            note("context");
            DeviceKernel kernel = communicator.device().compile("#include <mscclj/memorychannel.cuh>\n", "spin");
            return new Context(kernel, fault.equals("fails"));
        }

        @Override
        public void launch(Context context, CollectiveCall call, LaunchSize size, Stream stream) {
            note("launch " + call.input().byteSize());
            if (fault.equals("waits")) {
                context.kernel().launch(stream, 1, 32, 0, 0L);
            }
            if (call.input().byteSize() > 0) {
                stream.copy(call.input(), call.output());
            }
        }

        @Override
        public void close() {
            note("close");
        }
    }

    /** Two ranks do what an argument says; rank 0 prints what it sees. */
    static final class Ranks {
        private Ranks() {}

        public static void main(String[] arguments) {
            try (LocalGroup group =
                    LocalGroup.open(LocalGroupOptions.ranks(2).backend("cuda").timeout(Duration.ofSeconds(3)))) {
                group.run(communicator -> act(communicator, arguments[0]));
            }
            System.out.println("after: " + String.join(", ", CALLS));
        }

        private static void act(Communicator communicator, String what) {
            NativeAlgorithm<?> small = new Copying("small", communicator.rank(), 32, what);
            communicator.algorithms().register(small);
            communicator.algorithms().register(new Copying("large", communicator.rank(), 1 << 20, ""));
            try (DeviceBuffer input = communicator.allocate(64);
                    DeviceBuffer output = communicator.allocate(64)) {
                if (what.equals("waits")) {
                    removeEarly(communicator, broadcast(input.slice(0, 32), output.slice(0, 32)));
                    return;
                }
                if (what.equals("fails")) {
                    CollectiveCall call = broadcast(input.slice(0, 32), output.slice(0, 32));
                    communicator.execute(call).join();
                    remove(communicator);
                    communicator.algorithms().register(small);
                    communicator.execute(call.algorithm("small")).join();
                    remove(communicator);
                    return;
                }
                for (long bytes : new long[] {0, 16, 64, 0}) {
                    CollectiveCall call = broadcast(input.slice(0, bytes), output.slice(0, bytes));
                    communicator.execute(call).join();
                }
                communicator
                        .execute(broadcast(input.slice(0, 16), output.slice(0, 16))
                                .algorithm("large"))
                        .join();
                communicator.algorithms().unregister("small");
                communicator
                        .execute(broadcast(input.slice(0, 16), output.slice(0, 16)))
                        .join();
            }
        }

        private static CollectiveCall broadcast(DeviceBuffer input, DeviceBuffer output) {
            return CollectiveCall.broadcast(input, output, DataType.FLOAT32, 0);
        }

        /** The launch does not end before the timeout, and then its kernel sees the abort. */
        private static void removeEarly(Communicator communicator, CollectiveCall call) {
            communicator.execute(call).join();
            communicator.barrier();
            StandInKernels.hold();
            communicator.barrier();
            communicator.execute(call);
            Thread.ofPlatform().start(() -> {
                while (!communicator.isAborted()) {
                    Thread.onSpinWait();
                }
                if (communicator.rank() == 0) {
                    CALLS.add("aborted");
                    StandInKernels.letEnd();
                }
            });
            remove(communicator);
        }

        private static void remove(Communicator communicator) {
            try {
                communicator.algorithms().unregister("small");
            } catch (MsccljException | IllegalStateException e) {
                if (communicator.rank() == 0) {
                    CALLS.add(e.getMessage());
                }
            }
        }
    }

    @BeforeAll
    static void requireStandIns() {
        StandIn.requireBuilt();
    }

    private static String after(String what) {
        return RanksInChild.after(Ranks.class, what);
    }

    /** The first one that can serves a call; a call may name another one, and may have 0 bytes. */
    @Test
    void eachCallHasTheFirstThatServesIt() {
        assertEquals(
                "after: small context, small launch 0, small context, small launch 16, large context, large launch 64,"
                        + " small launch 0, large launch 16, small close, large launch 16, large close",
                after("executes"));
    }

    /** Its launch is waited for until the timeout, which ends the communicator, and until the launch has ended. */
    @Test
    void oneThatIsRemovedTooEarlyEndsTheCommunicator() {
        String after = after("waits");
        assertTrue(after.contains("small launch 32, small launch 32, aborted"), after);
        assertTrue(after.endsWith("small close"), after);
    }

    @Test
    void oneWhoseContextsCannotBeClosedIsRemovedNevertheless() {
        String once = "small context, small launch 32, small close, a context that cannot be closed";
        assertEquals("after: " + once + ", " + once, after("fails"));
    }
}

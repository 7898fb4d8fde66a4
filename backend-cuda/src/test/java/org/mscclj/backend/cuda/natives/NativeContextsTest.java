package org.mscclj.backend.cuda.natives;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.NativeAlgorithm;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.algorithm.CallKind;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.backend.cuda.standin.StandIn;

/** How many contexts of a native algorithm two ranks keep, on stand-in GPUs, in a VM of their own. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NativeContextsTest {
    private static final int CALLS = 100;
    private static final AtomicInteger OPEN = new AtomicInteger();
    private static final AtomicInteger MOST = new AtomicInteger();
    private static final AtomicInteger MADE = new AtomicInteger();

    /**
     * Copies the input to the output, and counts contexts on rank 0.
     *
     * @param oneKey whether all kinds share a context
     */
    private record Counting(int rank, boolean oneKey) implements NativeAlgorithm<AutoCloseable> {
        @Override
        public String name() {
            return "counting";
        }

        @Override
        public Collective collective() {
            return Collective.BROADCAST;
        }

        @Override
        public Optional<String> refusal(CallShape shape) {
            return Optional.empty();
        }

        @Override
        public Object key(CallKind kind) {
            return oneKey ? "all" : kind;
        }

        @Override
        public AutoCloseable context(Communicator communicator, CallKind kind) {
            if (rank > 0) {
                return () -> {};
            }
            MADE.incrementAndGet();
            MOST.accumulateAndGet(OPEN.incrementAndGet(), Math::max);
            return OPEN::decrementAndGet;
        }

        @Override
        public void launch(AutoCloseable context, CollectiveCall call, LaunchSize size, Stream stream) {
            stream.copy(call.input(), call.output());
        }
    }

    /** Two ranks do what an argument says; rank 0 prints what it has counted. */
    static final class Ranks {
        private Ranks() {}

        public static void main(String[] arguments) {
            try (LocalGroup group =
                    LocalGroup.open(LocalGroupOptions.ranks(2).backend("cuda").timeout(Duration.ofSeconds(60)))) {
                group.run(communicator -> act(communicator, arguments[0]));
            }
            System.out.println("after: most " + MOST + ", made " + MADE + ", open " + OPEN);
        }

        private static void act(Communicator communicator, String what) {
            communicator.algorithms().register(new Counting(communicator.rank(), what.contains("one key")));
            List<AutoCloseable> open = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
                DeviceBuffer memory = communicator.allocate(64);
                CollectiveCall call =
                        CollectiveCall.broadcast(memory.slice(0, 32), memory.slice(32, 32), DataType.FLOAT32, 0);
                if (what.contains("execute")) {
                    communicator.execute(call).join();
                } else {
                    PreparedOperation prepared = communicator.prepare(call);
                    prepared.launch();
                    prepared.join(Duration.ofSeconds(60));
                    if (what.contains("hold")) {
                        open.add(prepared);
                    } else {
                        prepared.close();
                    }
                }
                if (what.contains("free")) {
                    communicator.barrier();
                    memory.close();
                } else {
                    open.addFirst(memory);
                }
            }
            if (what.contains("again")) {
                for (int i = 0; i < CALLS; i++) {
                    DeviceBuffer memory = (DeviceBuffer) open.get(CALLS - 1 - i % 2);
                    communicator
                            .execute(CollectiveCall.broadcast(
                                    memory.slice(0, 32), memory.slice(32, 32), DataType.FLOAT32, 0))
                            .join();
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

    /**
     * What classes of calls use is bounded, and so is what prepared calls have used. Those of which operations are open
     * all stay.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "execute and free | most 2, made 100",
                "prepare and free | most 2, made 100",
                "execute          | most 73, made 100",
                "prepare          | most 9, made 100",
                "prepare and hold | most 100, made 100"
            })
    void contextsEndWithTheirMemoryAndAreLimited(String what, String counted) {
        assertEquals("after: " + counted + ", open 0", after(what));
    }

    /** A call whose context has ended makes it again; one that has it does not. */
    @Test
    void whatHasEndedIsMadeAgain() {
        assertEquals("after: most 73, made 102, open 0", after("execute again"));
    }

    @Test
    void aContextOfAllKindsStaysWhenTheirMemoryIsClosed() {
        assertEquals("after: most 1, made 1, open 0", after("execute and free, one key"));
    }
}

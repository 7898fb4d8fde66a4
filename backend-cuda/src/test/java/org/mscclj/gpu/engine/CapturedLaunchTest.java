package org.mscclj.gpu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.cuda.driver.CudaDriver;
import org.mscclj.backend.cuda.standin.OtherCapture;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.backend.cuda.standin.StandInGpu;
import org.mscclj.backend.cuda.standin.StandInKernels;
import org.mscclj.backend.cuda.standin.StandInKernels.Launch;
import org.mscclj.device.kernels.plan.BlockState;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.Gpu;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.engine.PreparedLaunch;

/** Launches in graphs, ours and those of other software, and what becomes of them when their communicator ends. */
@ResourceLock(StandIn.RESOURCE)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CapturedLaunchTest {
    private static final long SOON = TimeUnit.SECONDS.toNanos(30);
    private static final long NOT_NOW = TimeUnit.MILLISECONDS.toNanos(20);

    /** Offsets in what a plan's kernel is given, in bytes. */
    private static final int BLOCKS = 0;

    private static final int NUMBER = 32;

    @RegisterExtension
    final StandInGpu gpu = new StandInGpu();

    private DeviceContext context;
    private Stream stream;
    private Stream other;
    private EngineRank rank;
    private PreparedLaunch launch;

    @BeforeEach
    void open() {
        context = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 0));
        stream = gpu.createStream();
        other = gpu.createStream();
        rank = new EngineRank(gpu.device(), 2);
        launch = rank.prepare(1024);
    }

    @AfterEach
    void close() {
        StandInKernels.letEnd();
        rank.close();
        context.close();
    }

    private Graph capture(Stream on, PreparedLaunch captured) {
        return on.capture(() -> assertEquals(0, captured.enqueue(on, false)));
    }

    private static List<Long> streams() {
        return StandInKernels.launches().stream().map(Launch::stream).toList();
    }

    private static int left(Launch kernel) {
        return StandInKernels.memory(kernel.word(BLOCKS), BlockState.BYTES).get(ValueLayout.JAVA_INT, BlockState.LEFT);
    }

    private static long ended(Launch kernel) {
        return StandInKernels.memory(kernel.word(BLOCKS), BlockState.BYTES)
                .get(ValueLayout.JAVA_LONG, BlockState.ENDED);
    }

    @Test
    void whatIsCapturedRunsInReplaysAlone() {
        assertFalse(launch.isCaptured());
        try (Graph graph = capture(stream, launch)) {
            assertTrue(launch.isCaptured());
            assertEquals(List.of(), StandInKernels.launches());
            assertEquals(0, launch.enqueued());
            assertEquals(0, rank.order().taken());
            graph.launch(stream);
            graph.launch(other);
            assertEquals(List.of(stream.nativeHandle(), other.nativeHandle()), streams());
            assertEquals(0, StandInKernels.launches().getFirst().word(NUMBER), "nobody would know which it is");
            assertEquals(2, rank.order().taken(), "each replay has a ticket");
            rank.order().look();
            rank.order().look();
            assertEquals(2, rank.order().endedCount());
        }
        assertFalse(launch.isCaptured());
    }

    @Test
    void replaysAndLaunchesFollowOneAnother() {
        try (Graph graph = capture(stream, launch)) {
            StandInKernels.hold();
            launch.enqueue(stream, false);
            graph.launch(other);
            launch.enqueue(stream, false);
            assertEquals(1, StandInKernels.launches().size());
            StandInKernels.release(1);
            assertEquals(2, StandInKernels.launches().size());
            assertFalse(launch.isEnded(2));
            StandInKernels.release(1);
            StandInKernels.release(1);
            assertEquals(List.of(stream.nativeHandle(), other.nativeHandle(), stream.nativeHandle()), streams());
            assertTrue(launch.isEnded(2));
            assertFalse(rank.abort().isSet());
        }
    }

    @Test
    void aGraphOfTwoCommunicatorsHasATicketOfEach() {
        try (EngineRank second = new EngineRank(gpu.device(), 2)) {
            PreparedLaunch its = second.prepare(1024);
            try (Graph graph = stream.capture(() -> {
                launch.enqueue(stream, false);
                its.enqueue(stream, false);
            })) {
                graph.launch(stream);
                assertEquals(1, rank.order().taken());
                assertEquals(1, second.order().taken());
                second.abort().set("on purpose");
                assertThrows(AbortedException.class, () -> graph.launch(stream));
                assertEquals(1, rank.order().taken(), "a replay that is refused has changed nothing");
                assertEquals(2, StandInKernels.launches().size());
            }
        }
    }

    /** Each branch's launch is ordered after the other's by an event of the capture. */
    @Test
    void branchesOfACaptureAreOrdered() {
        try (Event fork = gpu.device().createEvent();
                Event join = gpu.device().createEvent();
                Graph graph = stream.capture(() -> {
                    stream.record(fork);
                    other.await(fork);
                    launch.enqueue(stream, false);
                    launch.enqueue(other, false);
                    other.record(join);
                    stream.await(join);
                })) {
            StandInKernels.hold();
            graph.launch(stream);
            assertEquals(1, StandInKernels.launches().size(), "side by side they would disturb each other");
            StandInKernels.release(1);
            assertEquals(2, StandInKernels.launches().size());
            StandInKernels.release(1);
        }
    }

    @Test
    void replaysAreRefusedOnceTheCommunicatorCloses() {
        try (Graph graph = capture(stream, launch)) {
            graph.launch(stream);
            assertTrue(rank.context().refuseReplays(SOON));
            assertTrue(rank.context().refuseReplays(SOON));
            InvalidArgumentException refused = assertThrows(InvalidArgumentException.class, () -> graph.launch(stream));
            assertTrue(String.valueOf(refused.getMessage()).contains("is closed"), refused::getMessage);
            assertEquals(1, StandInKernels.launches().size());
            assertEquals(1, left(StandInKernels.launches().getFirst()));
        }
    }

    @Test
    void closingWaitsForReplaysOfOurGraphs() {
        try (Graph graph = capture(stream, launch)) {
            StandInKernels.hold();
            graph.launch(stream);
            assertFalse(rank.context().refuseReplays(NOT_NOW));
            assertEquals(0, left(StandInKernels.launches().getFirst()), "it is at work");
            StandInKernels.letEnd();
            assertTrue(rank.context().refuseReplays(SOON));
            assertEquals(1, left(StandInKernels.launches().getFirst()));
        }
    }

    @Test
    void closingWaitsForReplaysOfOtherSoftwareAndLaterOnesDoNothing() {
        try (ForeignGraph graph = new ForeignGraph(context, stream, () -> launch.enqueue(stream, false))) {
            StandInKernels.hold();
            graph.replay(stream);
            assertEquals(0, rank.order().taken(), "nobody is told");
            Launch kernel = StandInKernels.launches().getFirst();
            assertFalse(rank.context().refuseReplays(NOT_NOW));
            StandInKernels.release(1);
            assertEquals(1, ended(kernel));
            assertTrue(rank.context().refuseReplays(SOON));
            graph.replay(other);
            assertEquals(2, StandInKernels.launches().size());
            assertEquals(1, ended(kernel), "it is not counted");
            try (Event event = gpu.device().createEvent()) {
                other.record(event);
                assertTrue(event.isReached(), "it ends at once");
            }
        }
    }

    /** So that a watchdog finds those that do not end. */
    @Test
    void replaysOfOtherSoftwareAreSeenAtWork() {
        assertEquals(0, rank.context().atWork());
        try (ForeignGraph graph = new ForeignGraph(context, stream, () -> launch.enqueue(stream, false))) {
            assertEquals(0, rank.context().atWork());
            StandInKernels.hold();
            graph.replay(stream);
            long first = rank.context().atWork();
            assertTrue(first != 0);
            assertEquals(first, rank.context().atWork(), "it is the same launch");
            StandInKernels.release(1);
            assertEquals(0, rank.context().atWork());
            graph.replay(stream);
            long second = rank.context().atWork();
            assertTrue(second != 0 && second != first);
            StandInKernels.letEnd();
            assertEquals(0, rank.context().atWork());
        }
        rank.context().close();
        assertEquals(0, rank.context().atWork(), "also when it is closed");
    }

    @Test
    void scalingInReplaysOfOtherSoftwareIsSeenAtWork() {
        PreparedLaunch average = rank.prepare(4 * 1000, ReduceOp.AVG);
        try (ForeignGraph graph = new ForeignGraph(context, stream, () -> average.enqueue(stream, false))) {
            StandInKernels.holdScaling();
            graph.replay(stream);
            assertTrue(rank.context().atWork() != 0, "the input is being scaled, and the plan has never begun");
            StandInKernels.release(2);
            assertTrue(rank.context().atWork() != 0, "the plan has ended, and its output is being scaled");
            StandInKernels.letEnd();
            assertEquals(0, rank.context().atWork());
        }
    }

    /** What scales reads and writes the output until it ends. */
    @Test
    void closingWaitsForScalingInReplaysOfOtherSoftware() {
        PreparedLaunch average = rank.prepare(4 * 1000, ReduceOp.AVG);
        try (ForeignGraph graph = new ForeignGraph(context, stream, () -> average.enqueue(stream, false))) {
            StandInKernels.holdScaling();
            graph.replay(stream);
            StandInKernels.release(2);
            Launch kernel = StandInKernels.launches().get(1);
            assertEquals(1, ended(kernel), "the plan has ended, and its output is being scaled");
            assertFalse(rank.context().refuseReplays(NOT_NOW));
            StandInKernels.release(1);
            assertTrue(rank.context().refuseReplays(SOON));
            graph.replay(stream);
            assertEquals(1, ended(kernel));
            StandInKernels.letEnd();
        }
    }

    /** As those of a replay which began while the others were told to refuse it. */
    @Test
    void blocksThatWaitForRefusedOnesLeaveWhenTheCommunicatorCloses() {
        try (ForeignGraph graph = new ForeignGraph(context, stream, () -> launch.enqueue(stream, false))) {
            graph.replay(stream);
            Launch kernel = StandInKernels.launches().getFirst();
            StandInKernels.memory(kernel.word(BLOCKS), BlockState.BYTES).set(ValueLayout.JAVA_INT, BlockState.LEFT, 1);
            StandInKernels.hold();
            graph.replay(stream);
            assertEquals(1, ended(kernel));
            assertTrue(rank.context().refuseReplays(SOON));
            assertFalse(rank.abort().isSet());
        }
    }

    /** Kernels look at the state in every replay, and the driver at the code. */
    @Test
    void stateAndCodeOutliveTheDeviceAsLongAsTheGraphs() {
        try (DeviceContext elsewhere = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 1))) {
            Map<StandIn.Kind, Long> before = StandIn.live();
            BackendDevice closed = gpu.backend().openDevice(1);
            Stream its = closed.createStream();
            EngineRank second = new EngineRank(closed, 2);
            PreparedLaunch captured = second.prepare(1024);
            ForeignGraph graph = new ForeignGraph(elsewhere, its, () -> captured.enqueue(its, false));
            long modules = StandIn.live().get(StandIn.Kind.MODULES);
            assertTrue(captured.isCaptured());
            assertTrue(second.context().refuseReplays(SOON));
            second.close();
            closed.close();
            assertEquals(modules, StandIn.live().get(StandIn.Kind.MODULES), "the code");
            assertEquals(before.get(StandIn.Kind.HANDLES) + 1, StandIn.live().get(StandIn.Kind.HANDLES), "the state");
            graph.replay(its);
            Launch kernel = StandInKernels.launches().getFirst();
            assertEquals(1, left(kernel));
            assertEquals(0, ended(kernel));
            graph.close();
            its.close();
            launch.close(); // whatever is closed next frees it
            assertEquals(before.get(StandIn.Kind.MODULES), StandIn.live().get(StandIn.Kind.MODULES));
            assertEquals(before.get(StandIn.Kind.HANDLES), StandIn.live().get(StandIn.Kind.HANDLES));
        }
    }

    @Test
    void twoReplaysOfOtherSoftwareAtOnceEndTheCommunicator() {
        try (ForeignGraph one = new ForeignGraph(context, stream, () -> launch.enqueue(stream, false));
                ForeignGraph two = new ForeignGraph(context, stream, () -> launch.enqueue(stream, false))) {
            one.replay(stream);
            two.replay(other);
            assertFalse(rank.abort().isSet(), "one after the other");
            StandInKernels.hold();
            one.replay(stream);
            two.replay(other);
            awaitAbort();
            StandInKernels.release(0);
            assertEquals(1, left(StandInKernels.launches().getFirst()), "and nothing is at work any more");
        }
    }

    @Test
    void aReplayOfOtherSoftwareThatMeetsScalingEndsTheCommunicator() {
        PreparedLaunch average = rank.prepare(4 * 1000, ReduceOp.AVG);
        try (ForeignGraph one = new ForeignGraph(context, stream, () -> average.enqueue(stream, false));
                ForeignGraph two = new ForeignGraph(context, stream, () -> launch.enqueue(stream, false))) {
            one.replay(stream);
            two.replay(other);
            average.enqueue(stream, false);
            one.replay(stream);
            rank.order().look();
            assertFalse(rank.abort().isSet(), "one after the other");
            StandInKernels.holdScaling();
            one.replay(stream);
            StandInKernels.release(2);
            two.replay(other);
            awaitAbort();
            StandInKernels.letEnd();
        }
    }

    /**
     * A launch of a context of which nothing was captured, so that nobody watches it for that, meets a replay of other
     * software; and ends.
     */
    private void meetAReplay(Consumer<PreparedLaunch> then) {
        try (EngineRank another = rank.another();
                ForeignGraph graph = new ForeignGraph(context, stream, () -> launch.enqueue(stream, false))) {
            PreparedLaunch met = another.prepare(1024);
            StandInKernels.hold();
            graph.replay(stream);
            met.enqueue(other, false);
            StandInKernels.letEnd();
            then.accept(met);
            assertTrue(rank.abort().isSet());
            awaitAbort();
        }
    }

    @Test
    void aLaunchThatMeetsAReplayOfOtherSoftwareIsNoSuccess() {
        List<Boolean> seen = new ArrayList<>();
        meetAReplay(met -> {
            rank.abort().beforeSet(() -> seen.add(met.isEnded(1))); // as the recorder asks
            while (!met.isCompleted(1)) {
                Thread.onSpinWait();
            }
        });
        assertEquals(List.of(true), seen);
    }

    @Test
    void whoAwaitsALaunchThatMeetsAReplayOfOtherSoftwareFindsAnAbort() {
        meetAReplay(met -> assertTrue(met.await(1, SOON)));
    }

    /** The watchdog looks. */
    @Test
    void nobodyNeedJoinALaunchThatMeetsAReplayOfOtherSoftware() {
        meetAReplay(_ -> {
            while (!rank.abort().isSet()) {
                rank.order().look();
            }
        });
    }

    private void awaitAbort() {
        while (!rank.abort().isSet()) {
            Thread.onSpinWait();
        }
        String reason = rank.abort().reason().orElseThrow();
        assertTrue(reason.contains("replayed at the same time"), reason);
    }

    @Test
    void anAbortEndsReplays() {
        try (ForeignGraph graph = new ForeignGraph(context, stream, () -> launch.enqueue(stream, false))) {
            StandInKernels.hold();
            graph.replay(stream);
            graph.replay(stream);
            rank.abort().set("on purpose");
            StandInKernels.release(0);
            assertEquals(2, StandInKernels.launches().size());
            assertTrue(rank.context().refuseReplays(SOON));
        }
    }

    /** Though nothing waits that would look at the abort word. */
    @Test
    void replaysOfOtherSoftwareAfterAnAbortEndAtOnceAndDoNothing() {
        try (ForeignGraph graph = new ForeignGraph(context, stream, () -> launch.enqueue(stream, false))) {
            graph.replay(stream);
            Launch kernel = StandInKernels.launches().getFirst();
            assertEquals(1, ended(kernel));
            rank.abort().set("on purpose");
            while (left(kernel) == 0) {
                Thread.onSpinWait();
            }
            graph.replay(stream);
            assertEquals(2, StandInKernels.launches().size());
            assertEquals(1, ended(kernel));
        }
    }

    /** Other software begins its captures without our knowing. */
    @Test
    void launchesBeforeACaptureMustHaveEndedWhereNothingCanWaitForThem() {
        StandInKernels.hold();
        launch.enqueue(stream, false);
        try (OtherCapture _ = new OtherCapture(context, stream)) {
            assertThrows(InvalidArgumentException.class, () -> launch.enqueue(other, false));
            assertThrows(InvalidArgumentException.class, () -> launch.orderAfter(1, other));
            StandInKernels.release(1);
            assertEquals(2, launch.enqueue(other, false));
        }
        StandInKernels.release(1);
    }

    @Test
    void launchesDuringACaptureFollowWhatWasLaunchedBefore() {
        StandInKernels.hold();
        launch.enqueue(stream, false);
        try (Graph graph = stream.capture(() -> {
                    assertEquals(2, launch.enqueue(other, false));
                    assertEquals(1, StandInKernels.launches().size(), "it waits for the first");
                });
                Event event = gpu.device().createEvent()) {
            graph.launch(stream);
            assertEquals(1, StandInKernels.launches().size(), "and this for both");
            other.record(event);
            StandInKernels.release(1);
            assertFalse(event.isReached());
            StandInKernels.release(1);
            assertTrue(event.isReached());
            assertEquals(List.of(stream.nativeHandle(), other.nativeHandle()), streams());
        }
    }

    @Test
    void streamsCanBeOrderedAfterALaunchWhoseStreamIsCaptured() {
        StandInKernels.hold();
        launch.enqueue(stream, false);
        try (Event event = gpu.device().createEvent();
                Graph _ = stream.capture(() -> {
                    launch.orderAfter(1, other);
                    other.record(event);
                    assertFalse(event.isReached());
                    StandInKernels.release(1);
                    assertTrue(event.isReached());
                })) {
            assertTrue(launch.isEnded(1));
        }
    }

    /** Nobody has looked whether it has. */
    @Test
    void aReplayThatHasEndedIsNotInTheWayOfLaunchesDuringACapture() {
        try (Graph graph = capture(stream, launch)) {
            StandInKernels.hold();
            graph.launch(stream);
            try (OtherCapture _ = new OtherCapture(context, stream)) {
                assertThrows(InvalidArgumentException.class, () -> launch.enqueue(other, false));
                StandInKernels.release(1);
                assertEquals(2, launch.enqueue(other, false));
            }
            StandInKernels.release(1);
        }
    }

    /** Another one that is under way at the same time changes nothing for it. */
    @Test
    void branchesOfSeveralCapturesAreOrderedInEachOfThem() {
        Stream third = gpu.createStream();
        Stream fourth = gpu.createStream();
        List<Graph> inner = new ArrayList<>();
        Graph outer = branches(stream, other, () -> inner.add(branches(third, fourth, () -> {})));
        StandInKernels.hold();
        for (Graph graph : List.of(outer, inner.getFirst())) {
            StandInKernels.forget();
            graph.launch(stream);
            assertEquals(1, StandInKernels.launches().size(), "side by side they would disturb each other");
            StandInKernels.release(1);
            assertEquals(2, StandInKernels.launches().size());
            StandInKernels.release(1);
            graph.close();
        }
    }

    /** A launch on each of two branches, and between them whatever else is captured. */
    private Graph branches(Stream one, Stream two, Runnable between) {
        try (Event fork = gpu.device().createEvent();
                Event join = gpu.device().createEvent()) {
            return one.capture(() -> {
                one.record(fork);
                two.await(fork);
                launch.enqueue(one, false);
                between.run();
                launch.enqueue(two, false);
                two.record(join);
                one.await(join);
            });
        }
    }

    @Test
    void closingBreaksNoCaptureOfOtherSoftware() {
        try (Graph graph = capture(stream, launch)) {
            graph.launch(stream);
            try (OtherCapture _ = new OtherCapture(context, other)) {
                assertTrue(rank.context().refuseReplays(SOON));
            }
            assertEquals(1, left(StandInKernels.launches().getFirst()));
        }
    }
}

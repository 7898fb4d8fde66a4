package org.mscclj.runtime.communicator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.type.DataType;

/** What is set up is waited for as long as the call says, be that shorter or longer than the communicator's timeout. */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SetUpTimeoutTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration MOMENT = Duration.ofMillis(300);

    /** More than a moment even on a busy machine, and much less than long. */
    private static final Duration SOON = Duration.ofSeconds(20);

    private final WatchedDevices devices = new WatchedDevices();

    /** The calls, of three ranks. */
    enum Call {
        ALLOCATE {
            @Override
            void make(Communicator communicator, Duration timeout) {
                communicator.allocate(64, timeout).close();
            }
        },
        ALLOCATE_ELEMENTS {
            @Override
            void make(Communicator communicator, Duration timeout) {
                communicator.allocate(DataType.INT32, 16, timeout).close();
            }
        },
        OPEN_WINDOW {
            @Override
            void make(Communicator communicator, Duration timeout) {
                try (DeviceBuffer memory = communicator.device().allocate(64)) {
                    communicator.openWindow(memory, timeout).close();
                }
            }
        },
        SPLIT {
            @Override
            void make(Communicator communicator, Duration timeout) {
                try (Communicator child =
                        communicator.split(List.of(0, 1, 2), "child", timeout).orElseThrow()) {
                    assertEquals(communicator.timeout(), child.timeout());
                }
            }
        },
        SHRINK {
            @Override
            void make(Communicator communicator, Duration timeout) {
                try (Communicator left = communicator.shrink(List.of(), timeout)) {
                    assertEquals(communicator.timeout(), left.timeout());
                }
            }
        };

        abstract void make(Communicator communicator, Duration timeout);
    }

    static Stream<Arguments> calls() {
        return Stream.of(JoinedRanks.values())
                .flatMap(form -> Stream.of(Call.values()).map(call -> Arguments.of(form, call)));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void whoDoesNotCallIsNamedSoonAndAllMayCallAgain(JoinedRanks form, Call call) throws Exception {
        CyclicBarrier over = new CyclicBarrier(3);
        form.run(devices, LONG, communicator -> {
            if (communicator.rank() < 2) {
                long began = System.nanoTime();
                OperationTimeoutException e =
                        assertThrows(OperationTimeoutException.class, () -> call.make(communicator, MOMENT));
                assertTrue(System.nanoTime() - began < SOON.toNanos(), e::getMessage);
                assertTrue(e.missingRanks().contains(2), e::getMessage);
                assertTrue(String.valueOf(e.getMessage()).contains(DurationText.of(MOMENT)), e::getMessage);
                assertFalse(communicator.isAborted());
            }
            over.await();
            call.make(communicator, LONG);
        });
    }

    @ParameterizedTest
    @EnumSource(Call.class)
    void aLongerTimeoutWaitsLonger(Call call) {
        try (LocalGroup group = impatient()) {
            group.run(communicator -> {
                if (communicator.rank() == 2) {
                    Thread.sleep(MOMENT.multipliedBy(3));
                }
                call.make(communicator, LONG);
            });
        }
    }

    /** Ranks that wait a moment only; on a busy machine they may not be there in time. */
    private static LocalGroup impatient() {
        while (true) {
            try {
                return LocalGroup.open(LocalGroupOptions.ranks(3).timeout(MOMENT));
            } catch (OperationTimeoutException e) {
                Thread.onSpinWait(); // until it is less busy, or this test is over
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Call.class)
    void negativeTimeoutsAreRefusedOnTheRankThatNamesThemAndZeroIsNone(Call call) {
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(3).timeout(LONG))) {
            group.run(communicator -> {
                if (communicator.rank() == 0) {
                    InvalidArgumentException e = assertThrows(
                            InvalidArgumentException.class, () -> call.make(communicator, Duration.ofNanos(-1)));
                    assertTrue(String.valueOf(e.getMessage()).contains("0 for none"), e::getMessage);
                }
                call.make(communicator, communicator.rank() == 1 ? Duration.ZERO : LONG);
            });
        }
    }
}

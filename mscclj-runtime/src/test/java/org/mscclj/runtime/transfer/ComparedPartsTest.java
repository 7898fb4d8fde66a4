package org.mscclj.runtime.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.ReduceScatterCall;
import org.mscclj.api.TransferCall;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** Ranks that compare their calls, and one that has another size for a part than its counterpart. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ComparedPartsTest {
    private static final int RANKS = 3;
    private static final int DEVIANT = 1;
    private static final int VICTIM = 2;
    private static final long RIGHT = 300;
    private static final long OTHER = 500;
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    /** A collective over parts, in which the deviant's count of the part of the victim may be another one. */
    private enum Operation {
        ALL_TO_ALL("rank 1 sends 2000 bytes to rank 2, which expects 1200 bytes;") {
            @Override
            TransferCall call(Communicator on, DeviceBuffer input, DeviceBuffer output, List<Long> counts) {
                return on.variable().allToAll(input, counts, output, counts(false), DataType.INT32);
            }
        },
        ALL_GATHER("rank 2 sends 1200 bytes to rank 1, which expects 2000 bytes;") {
            @Override
            TransferCall call(Communicator on, DeviceBuffer input, DeviceBuffer output, List<Long> counts) {
                return on.variable().allGather(input.slice(0, RIGHT * Integer.BYTES), output, counts, DataType.INT32);
            }
        },
        SCATTER("rank 1 sends 2000 bytes to rank 2, which expects 1200 bytes;") {
            @Override
            TransferCall call(Communicator on, DeviceBuffer input, DeviceBuffer output, List<Long> counts) {
                return on.variable()
                        .scatter(input, counts, output.slice(0, RIGHT * Integer.BYTES), DataType.INT32, DEVIANT);
            }
        },
        GATHER("rank 2 sends 1200 bytes to rank 1, which expects 2000 bytes;") {
            @Override
            TransferCall call(Communicator on, DeviceBuffer input, DeviceBuffer output, List<Long> counts) {
                return on.variable()
                        .gather(input.slice(0, RIGHT * Integer.BYTES), output, counts, DataType.INT32, DEVIANT);
            }
        },
        LEFT_OUT("rank 1 sends nothing to rank 2, which expects 1200 bytes;") {
            @Override
            TransferCall call(Communicator on, DeviceBuffer input, DeviceBuffer output, List<Long> counts) {
                List<Long> none =
                        counts.stream().map(count -> count == OTHER ? 0 : count).toList();
                return ALL_TO_ALL.call(on, input, output, none);
            }
        },
        ALL_PARTS("rank 1 sends 2000 bytes to rank 0, which expects 1200 bytes, and 1 more pairs of ranks differ;") {
            @Override
            TransferCall call(Communicator on, DeviceBuffer input, DeviceBuffer output, List<Long> counts) {
                List<Long> all = new ArrayList<>(counts);
                all.set(0, counts.get(VICTIM));
                return ALL_TO_ALL.call(on, input, output, all);
            }
        };

        private final String words;

        Operation(String words) {
            this.words = words;
        }

        abstract TransferCall call(Communicator on, DeviceBuffer input, DeviceBuffer output, List<Long> counts);
    }

    private static List<Long> counts(boolean deviates) {
        List<Long> counts = new ArrayList<>(Collections.nCopies(RANKS, RIGHT));
        if (deviates) {
            counts.set(VICTIM, OTHER);
        }
        return counts;
    }

    private static LocalGroup group(boolean compares) {
        return LocalGroup.open(LocalGroupOptions.ranks(RANKS)
                .backend("host")
                .compareCalls(compares)
                .timeout(TIMEOUT));
    }

    private static DeviceBuffer allocate(Communicator communicator) {
        return communicator.device().allocate(RANKS * OTHER * Integer.BYTES);
    }

    private static void assertRefused(String words, Runnable launch) {
        InvalidArgumentException refused = assertThrows(InvalidArgumentException.class, launch::run);
        assertTrue(String.valueOf(refused.getMessage()).contains(words), refused::getMessage);
    }

    @ParameterizedTest
    @EnumSource
    void sizesThatDifferAreRefusedOnEveryRank(Operation operation) {
        try (LocalGroup group = group(true)) {
            group.run(communicator -> {
                boolean deviates = communicator.rank() == DEVIANT;
                try (DeviceBuffer input = allocate(communicator);
                        DeviceBuffer output = allocate(communicator)) {
                    TransferCall call = operation.call(communicator, input, output, counts(deviates));
                    TransferCall right = operation.call(communicator, input, output, counts(false));
                    assertRefused(operation.words, () -> communicator.execute(call));
                    communicator.execute(right).join();
                    try (PreparedOperation prepared = communicator.prepare(call);
                            PreparedOperation fitting = communicator.prepare(right)) {
                        assertRefused(operation.words, prepared::launch);
                        assertRefused(operation.words, () -> prepared.run(TIMEOUT));
                        fitting.run(TIMEOUT);
                    }
                }
            });
        }
    }

    @Test
    void partsThatAreReducedAreComparedBeforeTheFirst() {
        try (LocalGroup group = group(true)) {
            group.run(communicator -> {
                List<Work> before = new ArrayList<>();
                boolean deviates = communicator.rank() == DEVIANT;
                try (DeviceBuffer input = allocate(communicator);
                        DeviceBuffer output = allocate(communicator)) {
                    ReduceScatterCall right = reduction(communicator, input, output, false);
                    ReduceScatterCall other = reduction(communicator, input, output, true);
                    String words = "[1]: reduceScatter of int32, sum, parts of [1200, 1200, 2000] bytes";
                    assertRefused(words, () -> communicator.execute(deviates ? other : right));
                    try (PreparedOperation fitting = communicator.prepare(right);
                            PreparedOperation unfitting = communicator.prepare(other)) {
                        before.add(communicator.execute(right));
                        before.getFirst().join();
                        long sequence = before.getFirst().sequence();
                        PreparedOperation launched = deviates ? unfitting : fitting;
                        assertRefused("parts of [1200, 1200, 2000] bytes", launched::launch);
                        assertRefused("parts of [1200, 1200, 2000] bytes", () -> launched.run(TIMEOUT));
                        Work after = communicator.execute(right);
                        after.join();
                        assertEquals(RANKS, after.sequence() - sequence, "launches since the one before the refusal");
                    }
                }
            });
        }
    }

    private static ReduceScatterCall reduction(
            Communicator communicator, DeviceBuffer input, DeviceBuffer output, boolean deviates) {
        List<Long> counts = counts(deviates);
        return communicator
                .variable()
                .reduceScatter(
                        input,
                        counts,
                        output.slice(0, counts.get(communicator.rank()) * Integer.BYTES),
                        DataType.INT32,
                        ReduceOp.SUM);
    }
}

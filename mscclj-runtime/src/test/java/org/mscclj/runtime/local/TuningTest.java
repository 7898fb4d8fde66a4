package org.mscclj.runtime.local;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.algorithm.AlgorithmCandidate;
import org.mscclj.api.element.TypedBuffer;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.tuning.TuningChoice;
import org.mscclj.api.tuning.TuningEntry;
import org.mscclj.api.tuning.TuningKey;
import org.mscclj.api.tuning.TuningTopology;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;

/** Communicators that follow a file of measured choices. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TuningTest {
    @TempDir
    private Path folder;

    private static LocalGroupOptions options(int ranks) {
        return LocalGroupOptions.ranks(ranks).backend("host").timeout(Duration.ofSeconds(60));
    }

    private static TuningKey key(int ranks) {
        TuningKey[] keys = new TuningKey[ranks];
        try (LocalGroup group = LocalGroup.open(options(ranks))) {
            group.run(communicator -> keys[communicator.rank()] = communicator.tuningKey());
        }
        assertEquals(keys[0], keys[ranks - 1]);
        return keys[0];
    }

    private Path saved(TuningKey key) {
        Path file = folder.resolve("my.json");
        new TuningEntry(key, "", List.of(new TuningChoice(Collective.ALLREDUCE, true, 0, "ring@2"))).save(file);
        return file;
    }

    private static AlgorithmCandidate chosen(Communicator communicator) {
        try (TypedBuffer input = communicator.allocate(DataType.INT32, 4);
                TypedBuffer output = communicator.allocate(DataType.INT32, 4)) {
            input.copyFrom(new int[] {1, 2, 3, 4});
            CollectiveCall call = CollectiveCall.allReduce(input, output);
            communicator.execute(call).join();
            int[] sums = new int[4];
            output.copyTo(sums);
            int ranks = communicator.size();
            assertArrayEquals(new int[] {ranks, 2 * ranks, 3 * ranks, 4 * ranks}, sums);
            return communicator.explain(call).chosen().orElseThrow();
        }
    }

    @Test
    void communicatorsFollowTheEntryOfTheirHardware() {
        TuningKey key = key(2);
        assertEquals(TuningTopology.MAPPED, key.topology());
        try (LocalGroup group = LocalGroup.open(options(2).tuning(saved(key)))) {
            group.run(communicator -> {
                AlgorithmCandidate ring = chosen(communicator);
                assertEquals("ring", ring.name());
                assertTrue(ring.reason().startsWith("the fastest one for this size by measurement, with 2 blocks"));
                assertTrue(ring.reason().endsWith("my.json"), ring::reason);
            });
        }
    }

    /** A child has fewer ranks than its parent, and choices of its own. */
    @Test
    void childrenFollowTheEntryOfTheirNumberOfRanks() {
        try (LocalGroup group = LocalGroup.open(options(3).tuning(saved(key(2))))) {
            group.run(communicator -> {
                assertTrue(!chosen(communicator).name().equals("ring"), "no entry is for three ranks");
                Optional<Communicator> child =
                        communicator.split(communicator.rank() == 1 ? List.of() : List.of(0, 2), "two");
                if (child.isPresent()) {
                    try (Communicator two = child.get()) {
                        assertEquals("ring", chosen(two).name());
                    }
                }
            });
        }
    }

    @Test
    void entriesOfOtherHardwareAreNotFollowed() {
        TuningKey own = key(2);
        TuningKey other = new TuningKey(own.backend(), "an abacus", 2, own.topology(), own.driver(), own.version());
        try (LocalGroup group = LocalGroup.open(options(2).tuning(saved(other)))) {
            group.run(communicator -> {
                AlgorithmCandidate usual = chosen(communicator);
                assertTrue(!usual.name().equals("ring"), usual::name);
                assertTrue(
                        usual.reason().contains("my.json is not followed: it has no entry for 2 ranks of backend host"),
                        usual::reason);
            });
        }
    }

    /** Another machine, where it is installed, may have written the file. */
    @Test
    void aNativeAlgorithmThatIsNotInstalledIsExplained() throws IOException {
        Path file = saved(key(2));
        Files.writeString(file, Files.readString(file).replace("ring@2", "own@2"));
        try (LocalGroup group = LocalGroup.open(options(2).tuning(file))) {
            group.run(communicator -> {
                assertEquals("direct", chosen(communicator).name());
                try (TypedBuffer buffer = communicator.allocate(DataType.INT32, 4)) {
                    assertEquals(
                            List.of(
                                    "native algorithm own@2: refused, the tuning file names it, and it is not registered"),
                            communicator.explain(CollectiveCall.allReduce(buffer, buffer)).candidates().stream()
                                    .filter(one -> one.kind() == AlgorithmCandidate.Kind.NATIVE_ALGORITHM)
                                    .map(AlgorithmCandidate::toString)
                                    .toList());
                }
            });
        }
    }

    @Test
    void someRanksHaveNoKey() {
        for (LocalGroupOptions options : List.of(options(1), options(2).ranksPerNode(1))) {
            try (LocalGroup group = LocalGroup.open(options)) {
                group.run(communicator -> {
                    UnsupportedException refused = assertThrows(UnsupportedException.class, communicator::tuningKey);
                    assertTrue(
                            String.valueOf(refused.getMessage())
                                    .startsWith("ranks without a key for measured choices: "),
                            refused::getMessage);
                });
            }
        }
    }
}

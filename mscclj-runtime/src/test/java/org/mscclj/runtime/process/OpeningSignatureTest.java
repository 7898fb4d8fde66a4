package org.mscclj.runtime.process;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.tuning.TuningChoice;
import org.mscclj.api.tuning.TuningEntry;
import org.mscclj.api.tuning.TuningKey;
import org.mscclj.api.tuning.TuningTopology;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.preference.ProgramPreference;
import org.mscclj.runtime.execution.environment.ExecutorOptions;

/** What ranks compare when they open a communicator. */
class OpeningSignatureTest {
    @TempDir
    private Path folder;

    private static OpeningSignature of(ProgramPreference preference) {
        return OpeningSignature.of(CommunicatorOptions.rank(0, 2), ExecutorOptions.DEFAULT, "a backend", preference);
    }

    @Test
    void everyFieldIsDecoded() {
        OpeningSignature signature = of(ProgramPreference.GPU);
        assertEquals(signature, OpeningSignature.decode(signature.encode()));
    }

    private OpeningSignature following(String algorithm, String comment) {
        Path file = folder.resolve(algorithm + ".json");
        new TuningEntry(
                        new TuningKey("host", "a CPU", 2, TuningTopology.MAPPED, "1", "2"),
                        comment,
                        List.of(new TuningChoice(Collective.ALLREDUCE, true, 0, algorithm)))
                .save(file);
        return OpeningSignature.of(
                CommunicatorOptions.rank(0, 2),
                ExecutorOptions.of(Map.of(), Optional.empty(), Optional.of(file)),
                "a backend",
                ProgramPreference.GPU);
    }

    /** Ranks with other choices would wait for each other; comments and places of files do not matter. */
    @Test
    void ranksWithOtherChoicesDiffer() {
        OpeningSignature ring = following("ring@2", "mine");
        assertArrayEquals(ring.encode(), following("ring@2", "yours").encode());
        assertFalse(Arrays.equals(ring.encode(), following("ring@4", "mine").encode()));
        assertFalse(Arrays.equals(ring.encode(), of(ProgramPreference.GPU).encode()));
        assertTrue(ring.describe().contains("measured choices " + ring.tuning() + " (MSCCLJ_TUNING)"), ring::describe);
        assertTrue(of(ProgramPreference.GPU).describe().contains("no measured choices (MSCCLJ_TUNING)"));
    }

    /** Hosts with other links would choose different programs, and wait for each other. */
    @Test
    void ranksWithAndWithoutRingsDiffer() {
        OpeningSignature with = of(ProgramPreference.GPU.withRings());
        assertFalse(Arrays.equals(with.encode(), of(ProgramPreference.GPU).encode()));
        assertEquals(with, OpeningSignature.decode(with.encode()));
        assertTrue(with.describe().endsWith("rings by the links of the host (mscclj info shows them)"), with::describe);
    }

    /** Ranks with and without lines would choose different programs, and wait for each other. */
    @Test
    void ranksWithAndWithoutLinesDiffer() {
        OpeningSignature with = of(ProgramPreference.GPU);
        OpeningSignature without = of(ProgramPreference.GPU.withoutLines());
        assertFalse(Arrays.equals(with.encode(), without.encode()));
        assertTrue(with.describe().endsWith("lines of 128 bytes on (MSCCLJ_LL128)"), with::describe);
        assertTrue(without.describe().endsWith("lines of 128 bytes off or none (MSCCLJ_LL128)"), without::describe);
    }
}

package org.mscclj.runtime.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.plan.preference.ProgramPreference;
import org.mscclj.runtime.execution.environment.ExecutorOptions;

/** What ranks compare when they open a communicator. */
class OpeningSignatureTest {
    private static OpeningSignature of(ProgramPreference preference) {
        return OpeningSignature.of(CommunicatorOptions.rank(0, 2), ExecutorOptions.DEFAULT, "a backend", preference);
    }

    @Test
    void everyFieldIsDecoded() {
        OpeningSignature signature = of(ProgramPreference.GPU);
        assertEquals(signature, OpeningSignature.decode(signature.encode()));
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

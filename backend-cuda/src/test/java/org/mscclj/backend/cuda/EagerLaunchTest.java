package org.mscclj.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.backend.cuda.standin.ChildJvm;
import org.mscclj.backend.cuda.standin.StandIn;

/** {@code execute} of a known call allocates its work and nothing else. In a VM of its own, which compiles all code. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EagerLaunchTest {
    /** The size of the work with object headers of 12 bytes. */
    private static final double WORK_BYTES = 48;

    @BeforeAll
    static void requireStandIns() {
        StandIn.requireBuilt();
    }

    @Test
    void executeAllocatesItsWorkAlone() {
        List<String> options = new ArrayList<>(ChildJvm.standIns());
        options.add("-XX:TieredStopAtLevel=4");
        try (ChildJvm jvm = new ChildJvm(
                EagerLaunchCost.class,
                options,
                Map.of("STANDIN_DEVICES", "2", "STANDIN_MULTIPROCESSORS", "132"),
                "execute")) {
            String line = jvm.hear();
            String[] words = line.strip().split(" +", -1);
            assertTrue(Double.parseDouble(words[words.length - 2]) <= WORK_BYTES, line);
        }
    }
}

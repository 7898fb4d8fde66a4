package org.mscclj.gpu.multicast;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.backend.cuda.standin.ChildJvm;

/** Switch channels with multicast addresses give the results of those without, on emulated GPUs. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SwitchChannelsTest {
    @BeforeAll
    static void requireEmulation() throws IOException, InterruptedException {
        EmulatedDriver.require();
    }

    private static List<String> run(int ranks, String... arguments) {
        List<String> all = new ArrayList<>(List.of(Integer.toString(ranks)));
        all.addAll(List.of(arguments));
        List<String> said = new ArrayList<>();
        try (ChildJvm vm = EmulatedDriver.start(SwitchCalls.class, ranks, Map.of(), all.toArray(String[]::new))) {
            for (String line = vm.hear(); !line.equals("end"); line = vm.hear()) {
                said.add(line);
            }
        }
        return said;
    }

    @Test
    void twoRanksAdd() {
        assertEquals(List.of("FLOAT32:SUM:1024:0 equal, by 512 accesses"), run(2, "1", "FLOAT32:SUM:1024:0"));
    }
}

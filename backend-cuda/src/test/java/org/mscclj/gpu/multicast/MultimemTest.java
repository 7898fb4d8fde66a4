package org.mscclj.gpu.multicast;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.backend.cuda.standin.ChildJvm;
import org.mscclj.device.kernels.plan.SwitchLines;

/** Each multimem instruction of the device library on emulated GPUs, with random bits in each type but those of NaN. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MultimemTest {
    @BeforeAll
    static void requireEmulation() throws IOException, InterruptedException {
        EmulatedDriver.require();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 8})
    void eachInstructionReachesAllMembers(int members) {
        int lines = SwitchLines.all().size();
        try (ChildJvm vm = EmulatedDriver.start(
                MultimemKernels.class, members, Map.of("STANDIN_ARCHITECTURE", "100"), Integer.toString(members))) {
            List<String> said = Stream.generate(vm::hear)
                    .takeWhile(line -> !line.equals("end"))
                    .collect(Collectors.toList());
            assertEquals(lines, said.size());
            said.removeIf(line -> line.endsWith(" [0, 0, 0]"));
            assertEquals(List.of(), said, "units that are wrong after loads, updates and stores");
        }
    }
}

package org.mscclj.cli.emulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.cli.RankJvm;

/**
 * The functions of multicast are looked up in the driver's library only where multicast is turned on: the dynamic
 * loader itself lists all look-ups of the process ({@code LD_DEBUG=symbols}).
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MulticastLookUpTest {
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final Pattern LOOK_UP = Pattern.compile("symbol=(cuMulticast\\w*|cuMemAddressReserve);");

    @TempDir
    private Path folder;

    @BeforeAll
    static void requireEmulation() throws IOException, InterruptedException {
        EmulatedGpus.require();
    }

    /** The functions that two ranks look up which run a plan with a switch channel. */
    private Set<String> lookUps(Map<String, String> variables, String options) throws Exception {
        Map<String, String> all = new HashMap<>(variables);
        all.put("LD_DEBUG", "symbols");
        all.put("LD_DEBUG_OUTPUT", folder.resolve("loader").toString());
        Map<String, String> environment = new HashMap<>(EmulatedGpus.variables(2, all));
        environment.merge("JDK_JAVA_OPTIONS", options, (given, more) -> given + " " + more);
        try (RankJvm ranks =
                RankJvm.start(SwitchRanks.class, folder, environment, "group", "2", "multicast", "COMMUNICATOR")) {
            assertEquals("right", ranks.await("right", LIMIT));
            assertEquals(0, ranks.awaitEnd(LIMIT), ranks::toString);
        }
        Set<String> found = new TreeSet<>();
        for (Path file : files()) {
            try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
                lines.filter(line -> line.contains("symbol=cuM"))
                        .map(LOOK_UP::matcher)
                        .filter(Matcher::find)
                        .forEach(match -> found.add(match.group(1)));
            }
        }
        assertTrue(found.remove("cuMemAddressReserve"), "the loader lists no look-ups");
        return found;
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> file.getFileName().toString().startsWith("loader"))
                    .toList();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'', ''",
        "MSCCLJ_NVLS, off",
        "NCCL_NVLS_ENABLE, 0",
        "MSCCLPP_FORCE_DISABLE_NVLS, 1",
    })
    void noFunctionIsLookedUp(String variable, String value) throws Exception {
        Map<String, String> variables = new HashMap<>();
        String options = "";
        if (!variable.isEmpty()) { // what turns it off comes before what turns it on
            options = "-Dmscclj.nvls=on";
            variables.put("MSCCLJ_NVLS", "on");
            variables.put(variable, value);
        }
        assertEquals(Set.of(), lookUps(variables, options));
    }

    @Test
    void whereItIsOnFunctionsAreLookedUp() throws Exception {
        assertTrue(lookUps(Map.of("MSCCLJ_NVLS", "on"), "").contains("cuMulticastCreate"));
    }
}

package org.mscclj.cli.stress.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FaultSettingsTest {
    @Test
    void everyOperationHasItsTurnAndThenEveryRankWithIt() {
        for (int ranks = 2; ranks <= 5; ranks++) {
            for (int operations = 1; operations <= 12; operations++) {
                FaultSettings settings = new FaultSettings(
                        ranks,
                        ranks,
                        "host",
                        Duration.ofMinutes(1),
                        Duration.ofSeconds(1),
                        IntStream.range(0, operations).mapToObj(String::valueOf).toList(),
                        7,
                        _ -> {});
                assertEquals(
                        settings.operations(),
                        IntStream.range(0, operations)
                                .mapToObj(settings::operation)
                                .toList());
                List<String> pairs = IntStream.range(0, operations * ranks)
                        .mapToObj(i -> settings.operation(i) + " of " + settings.victim(i))
                        .distinct()
                        .toList();
                assertEquals(operations * ranks, pairs.size(), pairs::toString);
            }
        }
    }
}

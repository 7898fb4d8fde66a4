package org.mscclj.cli.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.InvalidArgumentException;

/** Parsing of durations. */
class DurationsTest {
    @Test
    void durations() {
        assertEquals(Duration.ofSeconds(30), Durations.parse("30"));
        assertEquals(Duration.ofSeconds(30), Durations.parse("30s"));
        assertEquals(Duration.ofMillis(500), Durations.parse("500ms"));
        assertEquals(Duration.ofMinutes(2), Durations.parse("2m"));
        for (String bad : List.of("", "0", "-1s", "1.5s", "1d")) {
            assertThrows(InvalidArgumentException.class, () -> Durations.parse(bad), bad);
        }
    }
}

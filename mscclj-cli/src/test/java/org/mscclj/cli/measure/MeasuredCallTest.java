package org.mscclj.cli.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class MeasuredCallTest {
    @Test
    void everyNumberOfLaunchesHasItsTime() {
        assertEquals(21, MeasuredCall.operations(1, 20));
        assertEquals(1L << 31, MeasuredCall.operations(1, Integer.MAX_VALUE));
        assertEquals(1000L * 20_001, MeasuredCall.operations(1000, 20_000));
    }
}

package org.mscclj.device.kernels.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.device.kernels.source.HostProgram;

/**
 * A signal that a peer sends right before its word is set is received at any time: the waits of the device library are
 * compiled for the host, with loads that change memory.
 */
class LastLookTest {
    /** The headers that the program replaces by stubs. */
    private static final List<String> STUBS = List.of("memory", "copy", "packet", "value");

    @Test
    void signalsBeforeTheClosingAreReceived(@TempDir Path folder) throws IOException, InterruptedException {
        List<String> files = List.of("spin", "signals", "memorychannel");
        assertEquals("", HostProgram.run(folder, LastLookTest.class, "lastlook", files, STUBS));
    }
}

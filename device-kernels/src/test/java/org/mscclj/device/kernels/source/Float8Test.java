package org.mscclj.device.kernels.source;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The device library's conversions of fp8 give the right bits: they are compiled for the host. */
class Float8Test {
    @Test
    void everyEncodingAndEveryBoundaryIsConverted(@TempDir Path folder) throws IOException, InterruptedException {
        List<String> files = List.of("types", "element");
        assertEquals("", HostProgram.run(folder, Float8Test.class, "float8", files, List.of("memory")));
    }
}

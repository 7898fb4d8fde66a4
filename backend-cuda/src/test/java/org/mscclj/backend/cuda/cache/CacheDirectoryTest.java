package org.mscclj.backend.cuda.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CacheDirectoryTest {
    private static final Path HOME = Path.of("home");

    @Test
    void theFirstVariableThatIsSetNamesIt() {
        assertEquals(HOME.resolve(".cache/mscclj"), CacheDirectory.directory(Map.of(), HOME));
        assertEquals(
                HOME.resolve(".cache/mscclj"),
                CacheDirectory.directory(Map.of("MSCCLJ_CACHE_DIR", " ", "MSCCLPP_CACHE_DIR", ""), HOME));
        assertEquals(Path.of("theirs"), CacheDirectory.directory(Map.of("MSCCLPP_CACHE_DIR", "theirs"), HOME));
        assertEquals(
                Path.of("ours"),
                CacheDirectory.directory(Map.of("MSCCLPP_CACHE_DIR", "theirs", "MSCCLJ_CACHE_DIR", "ours"), HOME));
    }
}

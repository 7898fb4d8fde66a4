package org.mscclj.runtime.dump;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.runtime.bootstrap.RankThreads;
import org.mscclj.runtime.recorder.TestRecorders;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.LaunchOrder;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DumpFolderTest {
    private static final int WRITERS = 4;
    private static final int TIMES = 10;

    private static RankDump dump() {
        AbortFlag abort = new AbortFlag();
        return new RankDump(
                new CommunicatorIdentity("world", "job", List.of(0, 1)),
                0,
                TestRecorders.patient(4, new LaunchOrder(), abort),
                abort,
                Optional::empty);
    }

    private static Set<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /** Those of communicators of one name, too, which fail at the same time. */
    @Test
    void eachDumpIsAFileOfItsOwn(@TempDir Path folder) throws Exception {
        Set<Path> written = new ConcurrentSkipListSet<>();
        RankThreads.run(WRITERS, _ -> {
            for (int i = 0; i < TIMES; i++) {
                assertTrue(written.add(new DumpFolder(folder).write(dump())));
            }
        });
        assertEquals(written, files(folder), "nothing unfinished is left");
        assertEquals(WRITERS * TIMES, written.size());
        for (Path file : written) {
            assertTrue(Files.readString(file).endsWith("}\n"), file::toString);
        }
    }

    /** Whoever wrote it may have been killed. */
    @Test
    void whatIsUnfinishedStays(@TempDir Path folder) throws Exception {
        Path first = new DumpFolder(folder).write(dump());
        Path unfinished = Files.move(first, Path.of(first + ".part"));
        Files.writeString(unfinished, "{");
        Path second = new DumpFolder(folder).write(dump());
        assertTrue(second.toString().endsWith("-2.json"), second::toString);
        assertEquals(Set.of(unfinished, second), files(folder));
    }
}

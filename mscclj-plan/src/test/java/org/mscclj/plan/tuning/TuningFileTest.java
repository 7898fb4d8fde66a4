package org.mscclj.plan.tuning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.tuning.TuningChoice;
import org.mscclj.api.tuning.TuningEntry;
import org.mscclj.api.tuning.TuningKey;
import org.mscclj.api.tuning.TuningTopology;
import org.mscclj.api.type.Collective;

/** Files of measured choices. */
class TuningFileTest {
    @TempDir
    private Path folder;

    private static final String TEXT = """
            {
              "mscclj_tuning": 1,
              "entries": [
                {
                  "backend": "cuda",
                  "device": "NVIDIA H200",
                  "ranks": 2,
                  "topology": "mapped",
                  "driver": "13.0",
                  "version": "1.0.0",
                  "comment": "mscclj tune, float16",
                  "choices": [
                    {"collective": "allreduce", "memory": "registered", "bytes": 0, "algorithm": "packets@1"},
                    {"collective": "allreduce", "memory": "registered", "bytes": 8192, "algorithm": "packets@4x256", "comment": "2.1 us"},
                    {"collective": "allreduce", "memory": "plain", "bytes": 0, "algorithm": "packets@2"}
                  ]
                }
              ]
            }
            """;

    private static TuningFile parse(String text) {
        return TuningFile.parse(text.getBytes(StandardCharsets.UTF_8), "here.json");
    }

    private static TuningKey key(String driver, String version) {
        return new TuningKey("cuda", "NVIDIA H200", 2, TuningTopology.MAPPED, driver, version);
    }

    private static TuningEntry entry(TuningKey key, String algorithm) {
        return new TuningEntry(key, "", List.of(new TuningChoice(Collective.ALLREDUCE, true, 0, algorithm)));
    }

    @Test
    void theTextIsReadableAndInOrder() {
        assertEquals(TEXT, parse(TEXT).text());
    }

    @Property(tries = 200)
    void everyFileIsReadAsItWasWritten(
            @ForAll @StringLength(max = 20) @CharRange(to = '\ud7ff') String device,
            @ForAll @StringLength(max = 20) @CharRange(to = '\ud7ff') String comment,
            @ForAll @IntRange(min = 2, max = 64) int ranks,
            @ForAll TuningTopology topology,
            @ForAll Collective collective,
            @ForAll boolean registered,
            @ForAll @Size(max = 8) List<@LongRange(min = 1) Long> sizes,
            @ForAll @IntRange(min = 1, max = 1024) int blocks,
            @ForAll @IntRange(min = 32, max = 1024) int threads) {
        List<TuningChoice> choices = new ArrayList<>();
        choices.add(new TuningChoice(collective, registered, 0, "packets@" + blocks, comment));
        sizes.stream()
                .distinct()
                .forEach(size -> choices.add(
                        new TuningChoice(collective, registered, size, "direct@" + blocks + "x" + threads)));
        choices.add(new TuningChoice(collective, !registered, 0, "scratch@1"));
        TuningFile file = new TuningFile(
                "here.json",
                List.of(
                        new TuningEntry(new TuningKey("b", device, ranks, topology, "1", comment), comment, choices),
                        new TuningEntry(new TuningKey("c", device, ranks, topology, "1", comment), "", List.of())));
        assertEquals(file, parse(file.text()));
        assertEquals(file.text(), parse(file.text()).text());
    }

    @Test
    void anEntryIsAddedOrReplaced() {
        TuningFile two =
                TuningFile.NONE.with(entry(key("1", "a"), "packets@1")).with(entry(key("2", "a"), "packets@2"));
        TuningFile replaced = two.with(entry(key("1", "a"), "ring@1"));
        assertEquals(
                List.of("ring@1", "packets@2"),
                replaced.entries().stream()
                        .map(one -> one.choices().getFirst().algorithm())
                        .toList());
    }

    @ParameterizedTest
    @CsvSource({"13.0,b,packets@1", "12.0,b,packets@2", "13.0,c,packets@4", "12.0,c,packets@3", "14.0,a,packets@3"})
    void entriesOfTheSameVersionAndDriverComeFirst(String driver, String version, String algorithm) {
        TuningFile file = TuningFile.NONE
                .with(entry(key("13.0", "b"), "packets@1"))
                .with(entry(key("12.0", "b"), "packets@2"))
                .with(entry(key("12.0", "a"), "packets@3"))
                .with(entry(key("13.0", "d"), "packets@4"));
        assertEquals(
                algorithm,
                file.find(key(driver, version))
                        .orElseThrow()
                        .choices()
                        .getFirst()
                        .algorithm());
    }

    /** What was measured on other hardware says nothing. */
    @Test
    void entriesOfOtherHardwareAreNotFound() {
        TuningFile file = parse(TEXT);
        TuningKey key = key("13.0", "1.0.0");
        assertTrue(file.find(key).isPresent());
        for (TuningKey other : List.of(
                new TuningKey("host", key.device(), 2, key.topology(), "13.0", "1.0.0"),
                new TuningKey("cuda", "NVIDIA H100", 2, key.topology(), "13.0", "1.0.0"),
                new TuningKey("cuda", key.device(), 4, key.topology(), "13.0", "1.0.0"),
                new TuningKey("cuda", key.device(), 2, TuningTopology.SHARED, "13.0", "1.0.0"))) {
            assertEquals(Optional.empty(), file.find(other), other::toString);
        }
    }

    @Test
    void commentsDoNotChangeTheDigest() {
        TuningFile file = parse(TEXT);
        assertEquals(file.digest(), parse(TEXT.replace("2.1 us", "2.2 us")).digest());
        assertNotEquals(
                file.digest(), parse(TEXT.replace("packets@2", "packets@4")).digest());
        assertEquals("", TuningFile.NONE.digest());
    }

    @Test
    void aFileIsReplacedAsAWhole() throws IOException {
        Path file = folder.resolve("my.json");
        parse(TEXT).write(file);
        TuningFile.NONE.with(entry(key("1", "a"), "packets@1")).write(file);
        assertEquals(1, TuningFile.read(file).entries().size());
        try (var files = Files.list(folder)) {
            assertEquals(List.of(file), files.toList());
        }
        InvalidArgumentException refused =
                assertThrows(InvalidArgumentException.class, () -> parse(TEXT).write(folder.resolve("none/my.json")));
        assertTrue(String.valueOf(refused.getMessage()).contains("my.json cannot be written: "), refused::getMessage);
    }

    /** Other users read a shared file after one of them has saved an entry. */
    @Test
    void permissionsAndLinksStay() throws IOException {
        assumeTrue(Files.getFileStore(folder).supportsFileAttributeView("posix"), "permissions and links are of POSIX");
        Path usual = Files.createFile(folder.resolve("usual"));
        Path file = folder.resolve("my.json");
        parse(TEXT).write(file);
        assertEquals(Files.getPosixFilePermissions(usual), Files.getPosixFilePermissions(file));
        for (String permissions : List.of("rw-r--r--", "rw-rw----")) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
            parse(TEXT).write(file);
            assertEquals(permissions, PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        }
        Path link = Files.createSymbolicLink(folder.resolve("link.json"), Path.of("my.json"));
        Path far = Files.createSymbolicLink(folder.resolve("far.json"), Path.of("link.json"));
        TuningFile.NONE.with(entry(key("1", "a"), "packets@1")).write(far);
        assertTrue(Files.isSymbolicLink(far) && Files.isSymbolicLink(link));
        assertEquals(1, TuningFile.read(file).entries().getFirst().choices().size());
        Path ahead = Files.createSymbolicLink(folder.resolve("ahead.json"), Path.of("new.json"));
        parse(TEXT).write(ahead);
        assertTrue(Files.isSymbolicLink(ahead) && Files.isRegularFile(folder.resolve("new.json")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "\"mscclj_tuning\": 1|\"mscclj_tuning\": 2|here.json: mscclj_tuning: the format is not known; allowed: 1",
                "\"mscclj_tuning\": 1,||key mscclj_tuning is missing",
                "\"ranks\": 2|\"ranks\": 1|entries[0]: ranks is 1; allowed: 2 or more",
                "\"ranks\": 2|\"ranks\": \"2\"|entries[0].ranks: given is \"2\"; allowed: an integer from 0",
                "\"ranks\": 2|\"rank\": 2|entries[0]: key \"rank\" is unknown; allowed: backend, device, ranks, topology",
                "\"mapped\"|\"nvlink\"|entries[0].topology: given is \"nvlink\"; allowed: one of mapped, switched, shared, unmapped",
                "\"plain\"|\"both\"|entries[0].choices[2].memory: given is \"both\"; allowed: one of registered, plain",
                "\"bytes\": 8192|\"bytes\": -1|entries[0].choices[1].bytes: given is -1; allowed: an integer from 0",
                "\"bytes\": 8192|\"bytes\": 0|entries[0]: allreduce on 2 ranks, registered memory has two rows",
                "packets@2|packets@none|entries[0]: the algorithm is \"packets@none\"; allowed: behind @: a number",
                "\"allreduce\", \"memory\": \"plain\"|\"sum\", \"memory\": \"plain\"|choices[2].collective: given is \"sum\""
            })
    void whatIsWrongIsNamedWithItsPlace(String right, String wrong, String reason) {
        String text = TEXT.replace(right, wrong == null ? "" : wrong);
        assertNotEquals(TEXT, text);
        String said =
                assertThrows(InvalidArgumentException.class, () -> parse(text)).getMessage();
        assertTrue(said.startsWith("here.json: ") && said.contains(reason), said);
    }

    @Test
    void twoEntriesOfOneKeyAreRefused() {
        TuningEntry entry = parse(TEXT).entries().getFirst();
        String said = assertThrows(InvalidArgumentException.class, () -> new TuningFile("x", List.of(entry, entry)))
                .getMessage();
        assertTrue(said.contains("x: two entries are for 2 ranks of backend cuda on NVIDIA H200, mapped"), said);
    }
}

package org.mscclj.cli.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The bill of materials has no parent, so that it adds nothing else; this test keeps it up to date. */
class PublishedArtifactsTest {
    private static final Path ROOT = Path.of("..");

    @Test
    void bomListsWhatIsPublished() throws IOException {
        Set<String> published = new TreeSet<>();
        for (String module : tags(pom("."), "module")) {
            String pom = pom(module);
            if (!pom.contains("<packaging>pom</packaging>") && !pom.contains("<maven.deploy.skip>true<")) {
                // Of the two at the top, the first is the parent's.
                published.add(tags(pom, "artifactId").get(1));
            }
        }
        assertFalse(published.isEmpty());
        Set<String> listed = new TreeSet<>(tags(dependencies(pom("bom")), "artifactId"));
        assertEquals(published, listed, "bom/pom.xml");
    }

    @Test
    void bomHasTheVersionOfTheRest() throws IOException {
        assertEquals(
                tags(pom("."), "version").getFirst(),
                tags(pom("bom"), "version").getFirst());
    }

    /** Returns the artifacts of the BOM, without its plugins. */
    private static String dependencies(String pom) {
        return pom.substring(pom.indexOf("<dependencyManagement>"), pom.indexOf("</dependencyManagement>"));
    }

    private static String pom(String folder) throws IOException {
        return Files.readString(ROOT.resolve(folder).resolve("pom.xml"));
    }

    private static List<String> tags(String pom, String name) {
        return Pattern.compile("<" + name + ">([^<]+)</")
                .matcher(pom)
                .results()
                .map((MatchResult match) -> match.group(1))
                .collect(Collectors.toList());
    }
}

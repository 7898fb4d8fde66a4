package org.mscclj.backend.rocm.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.gpu.driver.GpuLinks;

/** Links in folders like that of the kernel: node 0 is the processor, and the GPUs follow. */
class XgmiLinksTest {
    private static final int XGMI = 11;
    private static final int PCIE = 2;

    @TempDir
    private Path folder;

    private void file(String name, String... lines) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, List.of(lines));
    }

    private void nodes(int gpus) throws IOException {
        file("0/properties", "cpu_cores_count 64", "simd_count 0");
        for (int node = 1; node <= gpus; node++) {
            file(node + "/properties", "cpu_cores_count 0", "simd_count 440", "unique_id 12345678901234567890");
            link(node, 0, PCIE, 20, 0);
        }
    }

    private void link(int from, int to, int type, int weight, int megabytes) throws IOException {
        file(
                from + "/io_links/" + to + "/properties",
                "type " + type,
                "node_from " + from,
                "node_to " + to,
                "weight " + weight,
                "max_bandwidth " + megabytes);
    }

    /** Links two GPUs, numbered from 0, both ways. */
    private void pair(int one, int other, int hops, int megabytes) throws IOException {
        link(one + 1, other + 1, XGMI, 15 * hops, megabytes);
        link(other + 1, one + 1, XGMI, 15 * hops, megabytes);
    }

    private GpuLinks links() {
        return XgmiLinks.read(folder).links().orElseThrow();
    }

    @Test
    void eightGpusOfWhichEachHasALinkToEachOther() throws IOException {
        nodes(8);
        for (int one = 0; one < 8; one++) {
            for (int other = one + 1; other < 8; other++) {
                pair(one, other, 1, 64_000);
            }
        }
        assertEquals(new GpuLinks("xGMI with one hop of 64 GB/s between all 28 pairs of GPUs", false), links());
    }

    @Test
    void aRingOfEightTakesRings() throws IOException {
        nodes(8);
        for (int one = 0; one < 8; one++) {
            for (int other = one + 1; other < 8; other++) {
                int hops = Math.min(other - one, 8 - other + one);
                pair(one, other, hops, hops == 1 ? 50_000 : 0);
            }
        }
        GpuLinks links = links();
        assertTrue(links.ringsFirst());
        assertTrue(
                links.text().startsWith("xGMI with one hop of 50 GB/s between 8 of 28 pairs of GPUs (0-1 0-7 1-2"),
                links::text);
        assertTrue(links.text().endsWith(", large allreduces around a ring"), links::text);
    }

    /** Four modules of two GPUs, with links of four, two and one width. All pairs use more of them than one ring. */
    @Test
    void modulesWithLinksOfUnequalWidthKeepProgramsOfAllPairs() throws IOException {
        nodes(8);
        int[][] wide = {{0, 1, 200}, {2, 3, 200}, {4, 5, 200}, {6, 7, 200}, {0, 6, 100}, {2, 4, 100}};
        int[][] narrow = {{0, 2, 50}, {1, 3, 50}, {1, 5, 50}, {4, 6, 50}, {5, 7, 50}, {3, 7, 50}};
        for (int[][] some : new int[][][] {wide, narrow}) {
            for (int[] one : some) {
                pair(one[0], one[1], 1, 1000 * one[2]);
            }
        }
        GpuLinks links = links();
        assertFalse(links.ringsFirst());
        assertTrue(links.text().startsWith("xGMI with one hop of 50, 100, 200 GB/s between 12 of 28"), links::text);
        assertTrue(links.text().contains(", not 0-3 0-4 0-5 0-7 1-2"), links::text);
    }

    @Test
    void whereAPairHasNoPathOfLinksNothingChanges() throws IOException {
        nodes(4);
        pair(0, 1, 1, 0);
        pair(2, 3, 1, 0);
        GpuLinks links = links();
        assertFalse(links.ringsFirst());
        assertEquals(
                "xGMI with one hop of 50 GB/s between 2 of 6 pairs of GPUs (0-1 2-3, not 0-2 0-3 1-2 1-3)",
                links.text());
    }

    @Test
    void withoutLinksOrWithoutAFolderNothingIsKnown() throws IOException {
        assertEquals(Optional.empty(), XgmiLinks.read(folder.resolve("nothing")).links());
        nodes(2);
        link(1, 2, PCIE, 40, 32_000);
        file("3/properties", "simd_count -1", "a line without meaning");
        file("x/properties", "simd_count 440");
        assertEquals(Optional.empty(), XgmiLinks.read(folder).links());
    }
}

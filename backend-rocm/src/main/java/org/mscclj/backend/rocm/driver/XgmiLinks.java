package org.mscclj.backend.rocm.driver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.mscclj.gpu.driver.GpuLinks;

/**
 * The xGMI links between the GPUs of a host, as the kernel's driver tells them: each GPU is a node, and a folder of the
 * node has what connects it with each other node. GPUs are numbered in the order of nodes, as HIP does where no
 * variable hides or sorts them.
 */
final class XgmiLinks {
    /** The folder of nodes; another one for tests. */
    private static final String PROPERTY = "mscclj.kfd.topology";

    private static final String FOLDER = "/sys/class/kfd/kfd/topology/nodes";

    /** The file of a node, and of a link. */
    private static final String PROPERTIES = "properties";

    /** The kernel's number of xGMI among the types of links. */
    private static final long XGMI = 11;

    /** The kernel's weight of a hop of xGMI. */
    private static final long WEIGHT_OF_HOP = 15;

    /** A link whose width the kernel does not tell counts as one of 16 lanes at 25 Gb/s. */
    private static final int USUAL = 50_000;

    /** For each GPU, the megabytes a second to each GPU to which it has a link of one hop; 0 if it has none. */
    private final int[][] megabytes;

    private XgmiLinks(int[][] megabytes) {
        this.megabytes = megabytes;
    }

    static Path folder() {
        return Path.of(System.getProperty(PROPERTY, FOLDER));
    }

    /** Reads a folder of nodes. What cannot be read counts as missing, such as GPUs that a container does not have. */
    static XgmiLinks read(Path folder) {
        List<Path> gpus = children(folder)
                .filter(node -> values(node).getOrDefault("simd_count", 0L) > 0)
                .sorted(Comparator.comparingLong(XgmiLinks::number))
                .toList();
        Map<Long, Integer> indices = new HashMap<>();
        gpus.forEach(node -> indices.put(number(node), indices.size()));
        int[][] links = new int[gpus.size()][gpus.size()];
        for (int from = 0; from < links.length; from++) {
            for (Path link : children(gpus.get(from).resolve("io_links")).toList()) {
                Map<String, Long> values = values(link);
                Integer to = indices.get(values.getOrDefault("node_to", -1L));
                if (to != null
                        && values.getOrDefault("type", 0L) == XGMI
                        && values.getOrDefault("weight", 0L) == WEIGHT_OF_HOP) {
                    long told = values.getOrDefault("max_bandwidth", 0L);
                    links[from][to] = told > 0 && told <= Integer.MAX_VALUE ? (int) told : USUAL;
                }
            }
        }
        return new XgmiLinks(links);
    }

    private static long number(Path node) {
        try {
            return Long.parseLong(node.getFileName().toString());
        } catch (NumberFormatException _) {
            return Long.MAX_VALUE; // not a node
        }
    }

    private static Stream<Path> children(Path folder) {
        try (Stream<Path> all = Files.list(folder)) {
            return all.sorted().toList().stream();
        } catch (IOException _) {
            return Stream.empty();
        }
    }

    /** The lines of a file of names and numbers. Those with other values are left out. */
    private static Map<String, Long> values(Path folder) {
        try (Stream<String> lines = Files.lines(folder.resolve(PROPERTIES))) {
            return lines.map(line -> line.split(" "))
                    .filter(words -> words.length == 2 && words[1].matches("\\d{1,18}"))
                    .collect(Collectors.toMap(
                            words -> words[0], words -> Long.parseLong(words[1]), (first, _) -> first));
        } catch (IOException | UncheckedIOException _) {
            return Map.of();
        }
    }

    private int gpus() {
        return megabytes.length;
    }

    private boolean isLinked(int from, int to) {
        return megabytes[from][to] > 0;
    }

    /** The links for users and for the choice of programs; empty if no GPU has a link to another. */
    Optional<GpuLinks> links() {
        List<String> linked = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (int from = 0; from < gpus(); from++) {
            for (int to = from + 1; to < gpus(); to++) {
                (isLinked(from, to) ? linked : others).add(from + "-" + to);
            }
        }
        if (linked.isEmpty()) {
            return Optional.empty();
        }
        String widths = IntStream.range(0, gpus())
                .flatMap(from -> IntStream.of(megabytes[from]))
                .filter(width -> width > 0)
                .distinct()
                .sorted()
                .mapToObj(width -> Integer.toString(width / 1000))
                .collect(Collectors.joining(", "));
        boolean rings = !others.isEmpty() && new LinkLoads(megabytes).ringIsFaster();
        String pairs = others.isEmpty()
                ? "all " + linked.size() + " pairs of GPUs"
                : linked.size() + " of " + (linked.size() + others.size()) + " pairs of GPUs ("
                        + String.join(" ", linked) + ", not " + String.join(" ", others) + ")";
        return Optional.of(new GpuLinks(
                "xGMI with one hop of " + widths + " GB/s between " + pairs
                        + (rings ? ", large allreduces around a ring" : ""),
                rings));
    }
}

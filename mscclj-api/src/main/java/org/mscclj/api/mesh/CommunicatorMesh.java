package org.mscclj.api.mesh;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.mscclj.api.Communicator;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * One rank's view of a grid of ranks with named dimensions, as data, tensor and pipeline parallelism use it: along each
 * dimension there is a communicator of the ranks that differ from this one in that coordinate alone. Ranks fill the
 * grid in order, the last dimension first: in a mesh of {@code data 2} and {@code tensor 3}, ranks 0, 1 and 2 are
 * neighbours along {@code tensor}.
 *
 * <p>All communicators are children from {@link Communicator#split}, and are independent of each other and of the
 * communicator that the mesh was opened over, which the caller keeps. One thread at a time may use a mesh.
 */
public final class CommunicatorMesh implements AutoCloseable {
    private final Communicator whole;
    private final List<Dimension> dimensions;
    private final List<Communicator> along = new ArrayList<>();
    private final Deque<Runnable> closings = new ArrayDeque<>();

    private CommunicatorMesh(Communicator whole, List<Dimension> dimensions) {
        this.whole = whole;
        this.dimensions = dimensions;
    }

    /**
     * Opens a mesh of all ranks of a communicator. Collective.
     *
     * @param communicator stays open until the mesh is closed
     * @param dimensions equal on all ranks; different sizes are refused on all ranks, names are not compared
     * @throws InvalidArgumentException on every rank, if sizes differ between ranks, if their product is not the number
     *     of ranks, if there are no dimensions, or if two dimensions have one name; the communicator stays usable
     */
    public static CommunicatorMesh open(Communicator communicator, Dimension... dimensions) {
        Objects.requireNonNull(communicator, "communicator");
        Objects.requireNonNull(dimensions, "dimensions");
        communicator.requireEqual(
                "dimensions of a mesh",
                // so that no rank waits for a rank that refuses
                () -> encode(checked(communicator, List.of(dimensions)).stream()
                        .map(Dimension::size)
                        .toList()),
                sizes -> "sizes " + decode(sizes));
        CommunicatorMesh mesh = new CommunicatorMesh(communicator, List.of(dimensions));
        mesh.splitAlongEach();
        return mesh;
    }

    private static List<Dimension> checked(Communicator communicator, List<Dimension> dimensions) {
        long ranks = 1;
        for (Dimension dimension : dimensions) {
            ranks = ranks > communicator.size() ? ranks : ranks * dimension.size(); // stays too many, without overflow
        }
        if (dimensions.isEmpty() || ranks != communicator.size()) {
            throw InvalidArgumentException.of(
                    "dimensions of a mesh",
                    dimensions,
                    "dimensions whose sizes make up the " + communicator.size() + " ranks of communicator "
                            + communicator.name());
        }
        List<String> names = dimensions.stream().map(Dimension::name).toList();
        if (new HashSet<>(names).size() < names.size()) {
            throw InvalidArgumentException.of("names of dimensions", names, "a name of its own for each");
        }
        return dimensions;
    }

    private static byte[] encode(List<Integer> numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(numbers.size() * Integer.BYTES);
        numbers.forEach(bytes::putInt);
        return bytes.array();
    }

    private static List<Integer> decode(byte[] bytes) {
        IntBuffer numbers = ByteBuffer.wrap(bytes).asIntBuffer();
        return IntStream.range(0, numbers.limit()).mapToObj(numbers::get).toList();
    }

    private void splitAlongEach() {
        try {
            for (Dimension dimension : dimensions) {
                Communicator child = split(List.of(dimension), dimension.name());
                along.add(child);
                closings.push(child::close);
            }
        } catch (RuntimeException | Error e) {
            closeSuppressing(e);
            throw e;
        }
    }

    /** A communicator of the ranks that differ from this one in some of the coordinates alone. */
    private Communicator split(List<Dimension> free, String name) {
        List<Integer> members = IntStream.range(0, whole.size())
                .filter(rank -> dimensions.stream()
                        .allMatch(dimension -> free.contains(dimension)
                                || coordinate(dimension, rank) == coordinate(dimension, whole.rank())))
                .boxed()
                .toList();
        return whole.split(members, whole.name() + "." + name).orElseThrow();
    }

    private int coordinate(Dimension dimension, int rank) {
        int stride = dimensions.stream()
                .skip(dimensions.indexOf(dimension) + 1L)
                .mapToInt(Dimension::size)
                .reduce(1, (a, b) -> a * b);
        return rank / stride % dimension.size();
    }

    private Dimension dimension(String name) {
        return dimensions.stream()
                .filter(dimension -> dimension.name().equals(name))
                .findFirst()
                .orElseThrow(() -> InvalidArgumentException.of(
                        "name of a dimension",
                        '"' + name + '"',
                        "one of " + dimensions.stream().map(Dimension::name).toList()));
    }

    /** The dimensions, in order. */
    public List<Dimension> dimensions() {
        return dimensions;
    }

    /** The communicator that the mesh was opened over: all of its ranks. */
    public Communicator whole() {
        return whole;
    }

    /**
     * The communicator along a dimension, in which this rank is {@link #rank(String)}. Closed with the mesh.
     *
     * @throws InvalidArgumentException if there is no such dimension
     */
    public Communicator along(String name) {
        return along.get(dimensions.indexOf(dimension(name)));
    }

    /**
     * This rank's coordinate.
     *
     * @throws InvalidArgumentException if there is no such dimension
     */
    public int rank(String name) {
        return coordinate(dimension(name), whole.rank());
    }

    /**
     * Number of ranks along a dimension.
     *
     * @throws InvalidArgumentException if there is no such dimension
     */
    public int size(String name) {
        return dimension(name).size();
    }

    /**
     * The mesh of the ranks that differ from this one in the named coordinates alone, with communicators of its own.
     * Collective over the whole mesh. Closed with this one, or before.
     *
     * @param names of some dimensions, equal on all ranks; they keep the order that they have here
     * @throws InvalidArgumentException on every rank, if ranks name different dimensions, or none, or a dimension that
     *     does not exist; the mesh stays usable
     */
    public CommunicatorMesh sub(String... names) {
        Objects.requireNonNull(names, "names");
        whole.requireEqual(
                "dimensions of a sub-mesh",
                () -> encode(kept(names).stream().map(dimensions::indexOf).toList()),
                positions -> "positions " + decode(positions));
        List<Dimension> kept = kept(names);
        Communicator members = split(kept, String.join("-", names));
        CommunicatorMesh sub = new CommunicatorMesh(members, kept);
        sub.closings.push(members::close);
        sub.splitAlongEach();
        closings.push(sub::close);
        return sub;
    }

    private List<Dimension> kept(String... names) {
        List<Dimension> named = List.of(names).stream().map(this::dimension).toList();
        if (named.isEmpty()) {
            throw InvalidArgumentException.of(
                    "names of a sub-mesh's dimensions", named, "one or more of " + dimensions);
        }
        return dimensions.stream().filter(named::contains).toList();
    }

    private void closeSuppressing(Throwable failure) {
        try {
            close();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    /** Closes the sub-meshes and the communicators along dimensions that this mesh has created. Idempotent. */
    @Override
    public void close() {
        RuntimeException failure = null;
        while (!closings.isEmpty()) {
            try {
                closings.pop().run();
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}

package org.mscclj.conformance.rank;

import java.lang.foreign.Arena;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.mscclj.api.Communicator;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.Collective;
import org.mscclj.conformance.element.Elements;
import org.mscclj.conformance.scenario.CaseData;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.conformance.task.Opened;

/** A rank's input and output for a case, at the offset and in the memory that the case names. Used by one thread. */
public final class CaseBuffers implements AutoCloseable {
    private final TestCase test;
    private final int rank;
    private final Opened opened;
    private final Region inputRegion;
    private final Region outputRegion;
    private final long inputOffset;
    private final long outputOffset;

    private CaseBuffers(
            TestCase test,
            int rank,
            Opened opened,
            Region inputRegion,
            Region outputRegion,
            long inputOffset,
            long outputOffset) {
        this.test = test;
        this.rank = rank;
        this.opened = opened;
        this.inputRegion = inputRegion;
        this.outputRegion = outputRegion;
        this.inputOffset = inputOffset;
        this.outputOffset = outputOffset;
    }

    /** Allocates the buffers. Collective if the case uses registered buffers. */
    public static CaseBuffers allocate(Communicator communicator, TestCase test) {
        return allocate(
                communicator.rank(),
                test,
                test.registered() ? communicator::allocate : communicator.device()::allocate,
                DeviceBuffer::close);
    }

    /** Returns buffers of a smaller case in the same allocations, which stay with this object. */
    public CaseBuffers within(TestCase smaller) {
        Iterator<DeviceBuffer> wholes = allocations().iterator();
        return allocate(rank, smaller, size -> wholes.next().slice(0, size), _ -> {});
    }

    /** Allocates the buffers in memory of the host. */
    public static CaseBuffers allocateHost(Communicator communicator, TestCase test) {
        return allocate(communicator.rank(), test, communicator.device()::allocateHost, DeviceBuffer::close);
    }

    private static CaseBuffers allocate(
            int rank, TestCase test, LongFunction<DeviceBuffer> memory, Consumer<DeviceBuffer> closing) {
        Opened opened = new Opened();
        try {
            Arena arena = opened.add(Arena.ofConfined(), Arena::close);
            if (!test.inPlace()) {
                Region input = region(memory, closing, test, opened, arena, test.inputBytes());
                Region output = region(memory, closing, test, opened, arena, test.outputBytes());
                return new CaseBuffers(test, rank, opened, input, output, 0, 0);
            }
            Region both = region(memory, closing, test, opened, arena, Math.max(test.inputBytes(), test.outputBytes()));
            long own = rank * test.count() * test.type().byteSize();
            return new CaseBuffers(
                    test,
                    rank,
                    opened,
                    both,
                    both,
                    List.of(Collective.ALLGATHER, Collective.GATHER).contains(test.collective()) ? own : 0,
                    List.of(Collective.REDUCESCATTER, Collective.SCATTER).contains(test.collective()) ? own : 0);
        } catch (RuntimeException | Error e) {
            try (opened) {
                throw e;
            }
        }
    }

    private static Region region(
            LongFunction<DeviceBuffer> memory,
            Consumer<DeviceBuffer> closing,
            TestCase test,
            Opened opened,
            Arena arena,
            long bytes) {
        long start = Region.GUARD_BYTES + (long) test.offset() * test.type().byteSize();
        long size = start + bytes + Region.GUARD_BYTES;
        DeviceBuffer whole = opened.add(memory.apply(size), closing);
        return new Region(whole, arena, start, bytes);
    }

    public DeviceBuffer input() {
        return inputRegion.buffer(inputOffset, test.inputBytes());
    }

    public DeviceBuffer output() {
        return outputRegion.buffer(outputOffset, test.outputBytes());
    }

    /** Returns the allocations. */
    public List<DeviceBuffer> allocations() {
        return test.inPlace() ? List.of(inputRegion.whole()) : List.of(inputRegion.whole(), outputRegion.whole());
    }

    /** Returns the input in the image. */
    public Elements inputElements() {
        return new Elements(inputRegion.image(inputOffset, test.inputBytes()), test.type());
    }

    /** Returns the output in the image. */
    public Elements outputElements() {
        return new Elements(outputRegion.image(outputOffset, test.outputBytes()), test.type());
    }

    /** Poisons the output, writes the input, and fills the guard zones. */
    public void fill(CaseData data) {
        regions().forEach(Region::fillGuards);
        Elements output = outputElements();
        for (long i = 0; i < output.count(); i++) {
            output.set(i, data.poison(rank, i));
        }
        Elements input = inputElements();
        for (long i = 0; i < input.count(); i++) {
            input.set(i, data.input(rank, i));
        }
        regions().forEach(Region::upload);
    }

    /** Reads everything back into the image. */
    public void download() {
        regions().forEach(Region::download);
    }

    public List<Region> regions() {
        return test.inPlace() ? List.of(inputRegion) : List.of(inputRegion, outputRegion);
    }

    /** Returns the bits of an element of the output before the launch. */
    public long before(CaseData data, long index) {
        if (test.inPlace()) {
            long at = index + (outputOffset - inputOffset) / test.type().byteSize();
            if (at >= 0 && at < test.inputCount()) {
                return data.input(rank, at);
            }
        }
        return data.poison(rank, index);
    }

    @Override
    public void close() {
        opened.close();
    }
}

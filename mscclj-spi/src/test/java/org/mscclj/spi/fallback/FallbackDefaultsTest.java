package org.mscclj.spi.fallback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** A library that has collectives only. */
class FallbackDefaultsTest {
    private final FallbackCommunicator communicator = new FallbackCommunicator() {
        @Override
        public Optional<String> refusal(Collective collective, DataType type, ReduceOp op, boolean inPlace) {
            return Optional.empty();
        }

        @Override
        public void enqueue(
                Collective collective,
                DeviceBuffer input,
                DeviceBuffer output,
                DataType type,
                ReduceOp op,
                int root,
                Stream stream) {}

        @Override
        public void abort() {}

        @Override
        public void close() {}
    };

    @Test
    void whatALibraryDoesNotHaveIsRefusedWithARemedy() {
        Map<String, Executable> calls = Map.of(
                "the library has no memory of its own; allocate memory of the device",
                () -> communicator.allocate(1, false),
                "the library registers no memory; use memory as it is",
                () -> communicator.register(null, false),
                "the library has no sends and receives; use those of the communicator",
                () -> communicator.transfer(null, null),
                "the library's reducescatter has parts of one size; use that",
                () -> communicator.reduceScatter(null, null),
                "the library does not split communicators; open another one",
                () -> communicator.split(0, 0),
                "the library does not shrink communicators; open another one",
                () -> communicator.shrink(List.of(0), false));
        calls.forEach((text, call) -> assertEquals(
                text, assertThrows(UnsupportedException.class, call).getMessage()));
        assertEquals(Optional.empty(), communicator.failure());
    }
}

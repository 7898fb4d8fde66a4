package org.mscclj.device.kernels.plan;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.spi.engine.Scaling;

/**
 * Writes the structure {@code ScaleArguments} of the device library, in host memory from which launches copy it. Not
 * thread-safe.
 */
public final class ScaleArguments {
    /** Size of the structure in bytes. */
    public static final int BYTES = 96;

    private static final int FROM = 0;
    private static final int TO = 8;
    private static final int ELEMENTS = 16;
    private static final int FACTOR = 24;
    private static final int MULTIPLE = 32;
    private static final int FINISHED = 40;
    private static final int NUMBER = 48;
    private static final int STATE = 56;
    private static final int FACTOR_ADDRESS = 64;
    private static final int RUNNING = 72;
    private static final int ABORT_WORD = 80;
    private static final int SCALING = 88;

    private final MemorySegment memory;

    /**
     * Creates arguments.
     *
     * @param memory of {@link #BYTES} bytes, zeroed
     */
    public ScaleArguments(MemorySegment memory) {
        this.memory = memory;
    }

    /**
     * Converts elements of this rank's contribution to addends.
     *
     * @param addends destination
     */
    public void contribution(Scaling scaling, DeviceBuffer addends) {
        ReduceOp op = scaling.op();
        boolean averages = op.kind() == ReduceOp.Kind.AVG;
        between(scaling.input(), addends, scaling.inputElements());
        memory.set(ValueLayout.JAVA_DOUBLE, FACTOR, scaling.factor());
        memory.set(ValueLayout.JAVA_LONG, MULTIPLE, (long)
                (averages ? scaling.form().divisor() : op.factor()));
        memory.set(
                ValueLayout.JAVA_LONG,
                FACTOR_ADDRESS,
                op.memory().map(DeviceBuffer::address).orElse(0L));
    }

    /**
     * Converts sums to elements of the result.
     *
     * @param sums source
     */
    public void result(Scaling scaling, DeviceBuffer sums) {
        between(sums, scaling.output(), scaling.outputElements());
        memory.set(ValueLayout.JAVA_DOUBLE, FACTOR, scaling.form().divisor());
        memory.set(ValueLayout.JAVA_LONG, MULTIPLE, (long) scaling.form().divisor());
        memory.set(ValueLayout.JAVA_LONG, FACTOR_ADDRESS, 0);
    }

    private void between(DeviceBuffer from, DeviceBuffer to, long elements) {
        memory.set(ValueLayout.JAVA_LONG, FROM, from.address());
        memory.set(ValueLayout.JAVA_LONG, TO, to.address());
        memory.set(ValueLayout.JAVA_LONG, ELEMENTS, elements);
    }

    /** Sets the address on the device at which each block writes {@link #number} when it ends. */
    public void finished(long address) {
        memory.set(ValueLayout.JAVA_LONG, FINISHED, address);
    }

    /** Sets the number that the blocks of the next launch write when they end; 0 for none. */
    public void number(long number) {
        memory.set(ValueLayout.JAVA_LONG, NUMBER, number);
    }

    void state(long address) {
        memory.set(ValueLayout.JAVA_LONG, STATE, address);
    }

    void abortWord(long address) {
        memory.set(ValueLayout.JAVA_LONG, ABORT_WORD, address);
    }

    void scaling(long address) {
        memory.set(ValueLayout.JAVA_LONG, SCALING, address);
    }

    /**
     * Sets the address in device memory of the word that is not 0 while a launch of the communicator runs on this rank.
     */
    public void running(long address) {
        memory.set(ValueLayout.JAVA_LONG, RUNNING, address);
    }
}

package org.mscclj.device.kernels.trace;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.device.kernels.source.DeviceLibrary;

/**
 * The source of the kernel, of one thread, that answers the host's questions for the time.
 *
 * @param source complete: it includes nothing
 */
public record ClockKernel(String source) {
    /** The name of the function. Its parameter is written by {@link #writeArguments}. */
    public static final String CLOCK = "mscclj_clock";

    /** Words of 64 bits between host and device, both of which write them, 0 before the launch. */
    public static final int WORDS = 3;

    /** Of the words: the host's last question. The first is 1, and each is one more. */
    public static final int QUESTION = 0;

    /** Of the words: the last question that the device has answered. */
    public static final int ANSWER = 1;

    /** Of the words: what the device's clock said then, in nanoseconds. */
    public static final int TIME = 2;

    /** Size of the parameter, in bytes. */
    public static final int ARGUMENT_BYTES = 24;

    static final int WORDS_ADDRESS = 0;
    static final int QUESTIONS = 8;
    static final int PATIENCE = 16;

    /** The kernel. */
    public static ClockKernel create() {
        return new ClockKernel(DeviceLibrary.expand("#include \"mscclj/clock.cuh\"\nusing namespace mscclj;\n"
                + "extern \"C\" __global__ void __launch_bounds__(1) " + CLOCK
                + "(const __grid_constant__ ClockArguments arguments) {\n    answerClock(arguments);\n}\n"));
    }

    /**
     * Writes the parameter.
     *
     * @param memory of {@link #ARGUMENT_BYTES} bytes
     * @param words where the words lie, as the device sees it
     * @param questions how many will be asked
     * @param patience nanoseconds after which the kernel ends though there were fewer
     */
    public static void writeArguments(MemorySegment memory, long words, int questions, long patience) {
        memory.set(ValueLayout.JAVA_LONG, WORDS_ADDRESS, words);
        memory.set(ValueLayout.JAVA_LONG, QUESTIONS, questions);
        memory.set(ValueLayout.JAVA_LONG, PATIENCE, patience);
    }
}

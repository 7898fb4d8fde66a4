package org.mscclj.device.kernels.trace;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.device.kernels.source.DeviceLibrary;

/**
 * The source of a kernel with one thread that answers requests of the host for the device's clock.
 *
 * @param source complete source without includes
 */
public record ClockKernel(String source) {
    /** The name of the function. {@link #writeArguments} writes its parameter. */
    public static final String CLOCK = "mscclj_clock";

    /** Number of 64-bit words that host and device share; all are 0 before the launch. */
    public static final int WORDS = 3;

    /** Index of the host's last request. The first request is 1, and each is one more. */
    public static final int QUESTION = 0;

    /** Index of the last request that the device has answered. */
    public static final int ANSWER = 1;

    /** Index of the device's clock at that answer, in nanoseconds. */
    public static final int TIME = 2;

    /** Size of the parameter in bytes. */
    public static final int ARGUMENT_BYTES = 24;

    static final int WORDS_ADDRESS = 0;
    static final int QUESTIONS = 8;
    static final int TIMEOUT = 16;

    /** Creates the kernel. */
    public static ClockKernel create() {
        return new ClockKernel(
                DeviceLibrary.expand(
                        "#include \"mscclj/clock.cuh\"\nusing namespace mscclj;\n"
                                + "extern \"C\" __global__ void __launch_bounds__(1) " + CLOCK
                                + "(const MSCCLJ_GRID_CONSTANT ClockArguments given) {\n    answerClock(MSCCLJ_IN_PLACE(given));\n}\n"));
    }

    /**
     * Writes the parameter.
     *
     * @param memory of {@link #ARGUMENT_BYTES} bytes
     * @param words address of the words on the device
     * @param questions number of requests
     * @param timeout nanoseconds after which the kernel ends even if requests are missing
     */
    public static void writeArguments(MemorySegment memory, long words, int questions, long timeout) {
        memory.set(ValueLayout.JAVA_LONG, WORDS_ADDRESS, words);
        memory.set(ValueLayout.JAVA_LONG, QUESTIONS, questions);
        memory.set(ValueLayout.JAVA_LONG, TIMEOUT, timeout);
    }
}

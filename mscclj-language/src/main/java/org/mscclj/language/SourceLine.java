package org.mscclj.language;

import java.util.Set;
import org.mscclj.language.balance.BarrierBalance;
import org.mscclj.language.balance.SemaphoreBalance;
import org.mscclj.language.balance.SignalBalance;

/** A line of a program, for messages about faults of the whole program. */
final class SourceLine {
    /** The classes of the language; the first stack frame of another class belongs to the program. */
    private static final Set<Class<?>> LANGUAGE = Set.of(
            BarrierBalance.class,
            ChannelEnd.class,
            DataRecorder.class,
            MemoryChannel.class,
            PortChannel.class,
            Rank.class,
            Recorder.class,
            Semaphore.class,
            SemaphoreBalance.class,
            SignalBalance.class,
            SourceLine.class,
            SwitchChannel.class);

    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private final StackWalker.StackFrame frame;

    private SourceLine(StackWalker.StackFrame frame) {
        this.frame = frame;
    }

    /** The line of the current call. */
    static SourceLine current() {
        return new SourceLine(WALKER.walk(frames -> frames.filter(
                        frame -> !LANGUAGE.contains(frame.getDeclaringClass().getNestHost()))
                .findFirst()
                .orElseThrow()));
    }

    /** For example {@code Allgather.java:14}; the name of the class if it was compiled without line numbers. */
    @Override
    public String toString() {
        String file = frame.getFileName();
        return file == null || frame.getLineNumber() < 0 ? frame.getClassName() : file + ":" + frame.getLineNumber();
    }
}

package org.mscclj.plan.language;

import java.util.Set;

/** A line of a program, for messages about what only the whole shows. */
final class SourceLine {
    /** Whatever a program calls to say something, down to here; the first frame of another class is the program's. */
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

    /** The line that is being said. */
    static SourceLine current() {
        return new SourceLine(WALKER.walk(frames -> frames.filter(
                        frame -> !LANGUAGE.contains(frame.getDeclaringClass().getNestHost()))
                .findFirst()
                .orElseThrow()));
    }

    /** For example {@code Allgather.java:14}; the name of the class if it was compiled without lines. */
    @Override
    public String toString() {
        String file = frame.getFileName();
        return file == null || frame.getLineNumber() < 0 ? frame.getClassName() : file + ":" + frame.getLineNumber();
    }
}

package org.mscclj.gpu.compile;

import java.util.function.Supplier;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The event that a kernel is compiled. Using code from an earlier compilation makes no event. */
@Name("org.mscclj.KernelCompile")
@Label("Kernel Compile")
@Description("A kernel is compiled; code that is kept from an earlier time is not compiled")
@Category({"MSCCLJ", "Plans"})
@StackTrace(false)
final class KernelEvent extends Event {
    @Label("Kernel")
    @Description("What messages call it: for example the plan that it is for")
    String kernel = "";

    @Label("Source Size")
    @Description("Size of the source")
    @DataAmount
    long sourceBytes;

    @Label("Code Size")
    @Description("Size of the code; 0 if it does not compile")
    @DataAmount
    long codeBytes;

    private KernelEvent() {}

    /** Compiles a kernel, and records the event. */
    static byte[] around(String name, String source, Supplier<byte[]> compiling) {
        KernelEvent event = new KernelEvent();
        event.begin();
        byte[] code = {};
        try {
            code = compiling.get();
            return code;
        } finally {
            if (event.shouldCommit()) {
                event.kernel = name;
                event.sourceBytes = source.length();
                event.codeBytes = code.length;
                event.commit();
            }
        }
    }
}

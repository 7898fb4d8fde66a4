package org.mscclj.dlpack.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * A tensor of ours in native memory, with a deleter that any thread of the process can call. Safe for use by several
 * threads.
 */
public final class PublishedTensor {
    private static final Logger LOGGER = System.getLogger(PublishedTensor.class.getName());

    /** What is not deleted, by address; this is also what keeps the memory. */
    private static final ConcurrentMap<Long, PublishedTensor> LIVE = new ConcurrentHashMap<>();

    private final MemorySegment structure;
    private final Runnable release;
    private volatile boolean deleted;

    private PublishedTensor(MemorySegment structure, Runnable release) {
        this.structure = structure;
        this.release = release;
    }

    /** One for all tensors, and for good: code that is being executed cannot be freed. Made with the first tensor. */
    private static final class Deleter {
        static final MemorySegment ADDRESS_OF_CODE = make();

        @SuppressWarnings("restricted") // what this class is for
        private static MemorySegment make() {
            try {
                return Linker.nativeLinker()
                        .upcallStub(
                                MethodHandles.lookup()
                                        .findStatic(
                                                PublishedTensor.class,
                                                "delete",
                                                MethodType.methodType(void.class, MemorySegment.class)),
                                FunctionDescriptor.ofVoid(ADDRESS),
                                Arena.global());
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }
    }

    /**
     * Makes a tensor.
     *
     * @param release called once, when the tensor is deleted
     */
    public static PublishedTensor publish(TensorForm form, TensorFields fields, boolean readOnly, Runnable release) {
        // Of the collector, since the deleter must neither throw nor wait, as closing an arena may.
        Arena arena = Arena.ofAuto();
        MemorySegment structure = arena.allocate(form.bytes(), Long.BYTES);
        MemorySegment numbers = arena.allocate(2L * Long.BYTES * fields.shape().size(), Long.BYTES);
        TensorStructure.write(fields, structure.asSlice(form.tensorOffset(), TensorStructure.BYTES), numbers);
        structure.set(ADDRESS, form.deleterOffset(), Deleter.ADDRESS_OF_CODE);
        if (form == TensorForm.VERSIONED) {
            structure.set(JAVA_INT, TensorForm.MAJOR_OFFSET, TensorForm.MAJOR);
            structure.set(JAVA_INT, TensorForm.MINOR_OFFSET, TensorForm.MINOR);
            structure.set(JAVA_LONG, TensorForm.FLAGS_OFFSET, readOnly ? TensorForm.READ_ONLY : 0);
        }
        PublishedTensor tensor = new PublishedTensor(structure, release);
        LIVE.put(structure.address(), tensor);
        return tensor;
    }

    /** Called by other software, from any of its threads: what an upcall throws ends the process. */
    @SuppressWarnings("unused") // called through the stub
    private static void delete(MemorySegment structure) {
        try {
            PublishedTensor tensor = LIVE.remove(structure.address());
            if (tensor != null) { // else somebody deletes it twice
                tensor.end();
            }
        } catch (Throwable e) {
            tell(e);
        }
    }

    private static void tell(Throwable problem) {
        try {
            LOGGER.log(Level.WARNING, "a tensor could not be deleted", problem);
        } catch (Throwable _) { // whatever the logger does, the process goes on
        }
    }

    /** Where it lies. */
    public long address() {
        return structure.address();
    }

    /** Whether it has been deleted. */
    public boolean isDeleted() {
        return deleted;
    }

    /** Deletes it, if nobody has. */
    public void delete() {
        if (LIVE.remove(structure.address(), this)) {
            end();
        }
    }

    private void end() {
        release.run();
        deleted = true;
    }
}

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

/** A tensor of this library in native memory, with a deleter that any thread of the process can call. Thread-safe. */
public final class PublishedTensor {
    private static final Logger LOGGER = System.getLogger(PublishedTensor.class.getName());

    /** Tensors that are not deleted, by address; this map keeps their memory alive. */
    private static final ConcurrentMap<Long, PublishedTensor> LIVE = new ConcurrentHashMap<>();

    private final MemorySegment structure;
    private final Runnable release;
    private volatile boolean deleted;

    private PublishedTensor(MemorySegment structure, Runnable release) {
        this.structure = structure;
        this.release = release;
    }

    /**
     * The deleter's stub, shared by all tensors and never freed, because running code cannot be freed. Created with the
     * first tensor.
     */
    private static final class Deleter {
        static final MemorySegment ADDRESS_OF_CODE = make();

        @SuppressWarnings("restricted") // the purpose of this class
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
     * Creates a tensor.
     *
     * @param release runs once, when the tensor is deleted
     */
    public static PublishedTensor publish(TensorForm form, TensorFields fields, boolean readOnly, Runnable release) {
        // Memory of the garbage collector, since the deleter must neither throw nor wait, as closing an arena may.
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

    /** Called by other software on any of its threads; an exception from an upcall crashes the process. */
    @SuppressWarnings("unused") // called through the stub
    private static void delete(MemorySegment structure) {
        try {
            PublishedTensor tensor = LIVE.remove(structure.address());
            if (tensor != null) { // otherwise it is deleted twice
                tensor.end();
            }
        } catch (Throwable e) {
            log(e);
        }
    }

    private static void log(Throwable problem) {
        try {
            LOGGER.log(Level.WARNING, "a tensor could not be deleted", problem);
        } catch (Throwable _) { // the process continues even if the logger fails
        }
    }

    /** The address of the structure. */
    public long address() {
        return structure.address();
    }

    /** Whether the tensor has been deleted. */
    public boolean isDeleted() {
        return deleted;
    }

    /** Deletes the tensor if it has not been deleted. */
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

package org.mscclj.dlpack.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.posix.ForeignCalls;

/** A tensor of other software with its deleter. Thread-safe. */
public final class ManagedTensor {
    private final MemorySegment structure;
    private final TensorFields fields;
    private final boolean readOnly;
    private final MemorySegment deleter;
    private final AtomicBoolean deleted = new AtomicBoolean();

    private ManagedTensor(MemorySegment structure, TensorFields fields, boolean readOnly, MemorySegment deleter) {
        this.structure = structure;
        this.fields = fields;
        this.readOnly = readOnly;
        this.deleter = deleter;
    }

    /** Initialised at the first deletion. */
    private static final class Deleter {
        @SuppressWarnings("restricted") // the purpose of this class
        static final MethodHandle CALL = Linker.nativeLinker().downcallHandle(FunctionDescriptor.ofVoid(ADDRESS));
    }

    /**
     * Reads a tensor, which still belongs to its owner.
     *
     * @throws UnsupportedException if its version has another layout
     */
    public static ManagedTensor read(TensorForm form, long address) {
        MemorySegment structure = TensorStructure.at(address, form.bytes());
        boolean readOnly = false;
        if (form == TensorForm.VERSIONED) {
            int major = structure.get(JAVA_INT, TensorForm.MAJOR_OFFSET);
            if (major != TensorForm.MAJOR) {
                throw new UnsupportedException("the tensor is of DLPack " + Integer.toUnsignedString(major) + "."
                        + Integer.toUnsignedString(structure.get(JAVA_INT, TensorForm.MINOR_OFFSET))
                        + "; supported: 1.x, and what came before it as unversioned()");
            }
            readOnly = (structure.get(JAVA_LONG, TensorForm.FLAGS_OFFSET) & TensorForm.READ_ONLY) != 0;
        }
        return new ManagedTensor(
                structure,
                TensorStructure.read(structure.asSlice(form.tensorOffset(), TensorStructure.BYTES)),
                readOnly,
                structure.get(ADDRESS, form.deleterOffset()));
    }

    /** The content of the {@code DLTensor}. */
    public TensorFields fields() {
        return fields;
    }

    /** Whether the tensor is read-only. */
    public boolean isReadOnly() {
        return readOnly;
    }

    /**
     * Calls the deleter, if there is one, on a platform thread, since it may call a driver. Only the first call has an
     * effect.
     */
    public void delete() {
        if (deleter.address() == 0 || !deleted.compareAndSet(false, true)) {
            return;
        }
        if (!Thread.currentThread().isVirtual()) {
            call();
            return;
        }
        Thread platform = Thread.ofPlatform().daemon().name("mscclj-dlpack").start(this::call);
        boolean interrupted = false;
        while (platform.isAlive()) {
            try {
                platform.join();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void call() {
        try {
            Deleter.CALL.invokeExact(deleter, structure);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }
}

package org.mscclj.dlpack.ffm;

/** The structure that holds a tensor. */
public enum TensorForm {
    /** {@code DLManagedTensor}, before DLPack 1.0. */
    UNVERSIONED(64, 56, 0),
    /** {@code DLManagedTensorVersioned}. */
    VERSIONED(80, 16, 32);

    /** The supported major version; another one has another layout. */
    static final int MAJOR = 1;

    /** The first minor version with all type codes in use. */
    static final int MINOR = 1;

    /** Offset of the major version in {@link #VERSIONED}; 4 bytes. */
    static final long MAJOR_OFFSET = 0;

    /** Offset of its minor version; 4 bytes. */
    static final long MINOR_OFFSET = 4;

    /** Offset of its flags; 8 bytes. */
    static final long FLAGS_OFFSET = 24;

    /** The flag of read-only tensors. */
    static final long READ_ONLY = 1;

    private final long bytes;
    private final long deleterOffset;
    private final long tensorOffset;

    TensorForm(long bytes, long deleterOffset, long tensorOffset) {
        this.bytes = bytes;
        this.deleterOffset = deleterOffset;
        this.tensorOffset = tensorOffset;
    }

    /** Size of the structure in bytes. */
    long bytes() {
        return bytes;
    }

    /** Offset of its deleter. */
    long deleterOffset() {
        return deleterOffset;
    }

    /** Offset of its {@code DLTensor}. */
    long tensorOffset() {
        return tensorOffset;
    }
}

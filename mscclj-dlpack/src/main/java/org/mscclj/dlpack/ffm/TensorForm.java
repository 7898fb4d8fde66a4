package org.mscclj.dlpack.ffm;

/** Which structure a tensor is in. */
public enum TensorForm {
    /** {@code DLManagedTensor}, of before DLPack 1.0. */
    UNVERSIONED(64, 56, 0),
    /** {@code DLManagedTensorVersioned}. */
    VERSIONED(80, 16, 32);

    /** The major version that is understood; another one has another layout. */
    static final int MAJOR = 1;

    /** The version that has all type codes that are used. */
    static final int MINOR = 1;

    /** Where {@link #VERSIONED} has its major version, 4 bytes. */
    static final long MAJOR_OFFSET = 0;

    /** Where it has its minor version, 4 bytes. */
    static final long MINOR_OFFSET = 4;

    /** Where it has its flags, 8 bytes. */
    static final long FLAGS_OFFSET = 24;

    /** The flag of tensors that are not to be written. */
    static final long READ_ONLY = 1;

    private final long bytes;
    private final long deleterOffset;
    private final long tensorOffset;

    TensorForm(long bytes, long deleterOffset, long tensorOffset) {
        this.bytes = bytes;
        this.deleterOffset = deleterOffset;
        this.tensorOffset = tensorOffset;
    }

    /** Size of the structure. */
    long bytes() {
        return bytes;
    }

    /** Where it has its deleter. */
    long deleterOffset() {
        return deleterOffset;
    }

    /** Where it has its {@code DLTensor}. */
    long tensorOffset() {
        return tensorOffset;
    }
}

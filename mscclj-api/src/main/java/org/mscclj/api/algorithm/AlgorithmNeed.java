package org.mscclj.api.algorithm;

/** What an {@linkplain org.mscclj.api.Algorithm algorithm} needs of a communicator and of the buffers of a call. */
public enum AlgorithmNeed {
    /** Devices that share a multicast address, by which a switch reduces and stores for all of them. */
    MULTICAST("NVLink multicast (NVLS)"),
    /**
     * Buffers that peers access: in memory of {@link org.mscclj.api.Communicator#allocate} or
     * {@link org.mscclj.api.Communicator#register}, at equal offsets on all ranks. MSCCL++ calls that symmetric memory.
     */
    REGISTERED_BUFFERS("buffers from Communicator.allocate, at equal offsets on all ranks (symmetric memory)"),
    /** Scratch. A communicator allocates it itself. */
    SCRATCH("scratch");

    private final String label;

    AlgorithmNeed(String label) {
        this.label = label;
    }

    /** Returns the need as the object of a sentence. */
    @Override
    public String toString() {
        return label;
    }
}

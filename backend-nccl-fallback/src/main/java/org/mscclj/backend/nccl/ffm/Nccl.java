package org.mscclj.backend.nccl.ffm;

import org.mscclj.api.error.BackendException;

/** The functions of a library. Use them only if the library has no {@linkplain NcclLibrary#problem problem}. */
public final class Nccl {
    private final NcclLibrary library;
    private final NcclErrors errors;
    private final NcclCommunicators communicators;
    private final NcclCollectives collectives;
    private final NcclReductions reductions;
    private final NcclRegistration registration;

    /** Binds the functions of a library. */
    Nccl(NcclLibrary library) {
        this.library = library;
        Binding binding = new Binding(library);
        errors = new NcclErrors(binding);
        communicators = new NcclCommunicators(binding, errors);
        collectives = new NcclCollectives(binding);
        reductions = new NcclReductions(binding);
        registration = new NcclRegistration(binding, errors);
    }

    private static final class InstalledNccl {
        static final Nccl FUNCTIONS = new Nccl(NcclLibrary.installed(Product.NCCL));

        private InstalledNccl() {}
    }

    private static final class InstalledRccl {
        static final Nccl FUNCTIONS = new Nccl(NcclLibrary.installed(Product.RCCL));

        private InstalledRccl() {}
    }

    /** Returns the functions of the library of this process that is a product. */
    public static Nccl installed(Product product) {
        return switch (product) {
            case NCCL -> InstalledNccl.FUNCTIONS;
            case RCCL -> InstalledRccl.FUNCTIONS;
        };
    }

    /** Returns the variable that controls NVLink multicast, and its value. */
    public static String multicast() {
        return NcclDefault.MULTICAST.variable() + "=" + NcclDefault.MULTICAST.value();
    }

    /** The library. */
    public NcclLibrary library() {
        return library;
    }

    /** Functions for communicators. */
    public NcclCommunicators communicators() {
        return communicators;
    }

    /** Collectives, sends, receives and groups. */
    public NcclCollectives collectives() {
        return collectives;
    }

    /** Premultiplied sums. */
    public NcclReductions reductions() {
        return reductions;
    }

    /** Memory and its registration. */
    public NcclRegistration registration() {
        return registration;
    }

    /**
     * Returns the exception for a failed call.
     *
     * @param function the name of the called function
     * @param result its result
     */
    public BackendException failure(String function, int result) {
        return errors.failure(function, result);
    }
}

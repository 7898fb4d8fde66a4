package org.mscclj.gpu.driver;

import java.util.Optional;
import java.util.UUID;

/**
 * What the system knows of a GPU's registration with the fabric of switches between GPUs.
 *
 * @param phase how far it is
 * @param status the result of the registration, in words of the vendor, if it is complete
 * @param cluster the domain of the fabric; zero for GPUs of one host
 * @param clique the part of the domain whose GPUs reach each other
 * @param remedy what to do if the registration is not complete
 */
public record FabricState(Phase phase, String status, UUID cluster, int clique, String remedy) {
    private static final UUID ONE_HOST = new UUID(0, 0);

    /** How far the registration is. */
    public enum Phase {
        /** The GPU has no fabric. */
        NOT_SUPPORTED,
        /** It has not begun. */
        NOT_STARTED,
        /** It has begun. */
        IN_PROGRESS,
        /** It has ended. */
        COMPLETED
    }

    /** Why the fabric is not ready; empty if it is, or if there is none. */
    public Optional<String> obstacle() {
        return switch (phase) {
            case NOT_SUPPORTED -> Optional.empty();
            case NOT_STARTED, IN_PROGRESS ->
                Optional.of("its registration with the switches is "
                        + (phase == Phase.IN_PROGRESS ? "in progress" : "not started") + "; " + remedy);
            case COMPLETED ->
                status.isEmpty()
                        ? Optional.empty()
                        : Optional.of("its registration with the switches has failed (" + status + "); " + remedy);
        };
    }

    /** Whether GPUs of other hosts are in the same domain. */
    public boolean spansHosts() {
        return phase == Phase.COMPLETED && status.isEmpty() && !cluster.equals(ONE_HOST);
    }

    /** This state in a few words. */
    public String text() {
        return switch (phase) {
            case NOT_SUPPORTED -> "no fabric";
            case NOT_STARTED -> "registration not started";
            case IN_PROGRESS -> "registration in progress";
            case COMPLETED ->
                (status.isEmpty() ? "registered" : "registration failed: " + status) + ", clique " + clique
                        + (cluster.equals(ONE_HOST) ? "" : " of cluster " + cluster);
        };
    }
}

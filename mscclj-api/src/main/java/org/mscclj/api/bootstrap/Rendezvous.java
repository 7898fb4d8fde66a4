package org.mscclj.api.bootstrap;

import java.util.Objects;
import java.util.Optional;

/**
 * The rendezvous of a group: the settings by which its ranks find and authenticate each other.
 *
 * @param address the address at which rank 0 listens; empty if ranks of one host agree on it through a file that is
 *     named after the job
 * @param controlPorts ports for the connections between the other ranks; any by default
 * @param secret the secret that every connection proves to know; empty if ranks of one host agree on it through the
 *     job's file
 * @param insecure whether to continue without a secret if there is none
 * @param tls encryption; empty for none
 * @param job the launcher's name of the job, which names the file
 * @param store the store through which ranks agree on an address and a secret that the options lack; empty for none
 */
public record Rendezvous(
        Optional<RendezvousAddress> address,
        PortRange controlPorts,
        Optional<String> secret,
        boolean insecure,
        Optional<TlsOptions> tls,
        Optional<String> job,
        Optional<Store> store) {
    /** No setting. */
    public static final Rendezvous UNKNOWN = new Rendezvous(
            Optional.empty(),
            PortRange.ANY,
            Optional.empty(),
            false,
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    /** Checks that the secret cannot be guessed, and that nothing is null. */
    public Rendezvous {
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(controlPorts, "controlPorts");
        Objects.requireNonNull(secret, "secret");
        Objects.requireNonNull(tls, "tls");
        Objects.requireNonNull(job, "job");
        Objects.requireNonNull(store, "store");
        secret.ifPresent(shared -> GuessableSecret.refuse("secret", shared));
    }

    /** Returns a copy with an address. */
    public Rendezvous withAddress(RendezvousAddress where) {
        return new Rendezvous(
                Optional.of(Objects.requireNonNull(where, "address")), controlPorts, secret, insecure, tls, job, store);
    }

    /** Returns a copy with ports for control connections. */
    public Rendezvous withControlPorts(PortRange ports) {
        return new Rendezvous(address, Objects.requireNonNull(ports, "ports"), secret, insecure, tls, job, store);
    }

    /** Returns a copy with a secret. */
    public Rendezvous withSecret(String shared) {
        return new Rendezvous(
                address,
                controlPorts,
                Optional.of(Objects.requireNonNull(shared, "secret")),
                insecure,
                tls,
                job,
                store);
    }

    /** Returns a copy with or without the permission to continue without a secret. */
    public Rendezvous withInsecure(boolean allowed) {
        return new Rendezvous(address, controlPorts, secret, allowed, tls, job, store);
    }

    /** Returns a copy with encryption. */
    public Rendezvous withTls(TlsOptions options) {
        return new Rendezvous(
                address,
                controlPorts,
                secret,
                insecure,
                Optional.of(Objects.requireNonNull(options, "tls")),
                job,
                store);
    }

    /** Returns a copy with a name of the job. */
    public Rendezvous withJob(String name) {
        return new Rendezvous(
                address, controlPorts, secret, insecure, tls, Optional.of(Objects.requireNonNull(name, "job")), store);
    }

    /** Returns a copy with a store. */
    public Rendezvous withStore(Store shared) {
        return new Rendezvous(
                address,
                controlPorts,
                secret,
                insecure,
                tls,
                job,
                Optional.of(Objects.requireNonNull(shared, "store")));
    }

    /** Without the secret, since the text may be logged. */
    @Override
    public String toString() {
        return "Rendezvous[" + address.map(RendezvousAddress::toString).orElse("no address") + ", "
                + (secret.isPresent() ? "secret" : insecure ? "insecure" : "no secret")
                + tls.map(options -> ", " + options).orElse("")
                + job.map(name -> ", job " + name).orElse("")
                + store.map(shared -> ", " + shared).orElse("") + "]";
    }
}

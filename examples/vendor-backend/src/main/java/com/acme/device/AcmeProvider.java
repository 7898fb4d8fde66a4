package com.acme.device;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.spi.Availability;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.Feature;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendOptions;
import org.mscclj.spi.device.BackendProvider;
import org.mscclj.support.device.SimpleBackend;
import org.mscclj.support.ffm.ProcessMemory;

/** Describes the backend acme. The service loader creates it. */
public final class AcmeProvider implements BackendProvider {
    @Override
    public String name() {
        return "acme";
    }

    @Override
    public int priority() {
        return -10; // below the backends of MSCCLJ: an application has to name this one
    }

    @Override
    public String description() {
        return "Acme's devices, in files that processes share";
    }

    @Override
    public Availability probe() {
        if (!Files.exists(Path.of("/proc/self/ns/pid"))) {
            return Availability.unavailable("files in /proc are missing; run on Linux, with /proc mounted");
        }
        return ProcessMemory.refusal().map(Availability::unavailable).orElseGet(Availability::available);
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities(
                EnumSet.allOf(DataType.class),
                EnumSet.allOf(ReduceOp.Kind.class),
                64,
                Set.of(
                        Feature.PLANS,
                        Feature.RANKS_AS_THREADS,
                        Feature.RANKS_AS_PROCESSES,
                        Feature.HOST_MEMORY,
                        Feature.MULTICAST,
                        Feature.ABORT));
    }

    @Override
    public Backend open(BackendOptions options) {
        return new SimpleBackend("acme", AcmeDevice::new);
    }
}

package org.mscclj.runtime.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.plan.Plan;
import org.mscclj.runtime.control.Message;
import org.mscclj.runtime.control.Wire;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.engine.PortBuffers;

/**
 * Memory for addends and sums that the ranks have shared with each other, for a plan whose ranks access each other's
 * buffers. So a rank may change its own buffers and its factor without its peers. Safe for use by several threads.
 */
final class SharedAddends {
    private final DeviceBuffer input;
    private final DeviceBuffer output;
    private final List<CallAgreement> ranks;
    private final List<PortBuffers> ports;
    private final List<AutoCloseable> resources;
    private final Consumer<SharedAddends> forget;
    private int users = 1;

    private SharedAddends(
            DeviceBuffer input,
            DeviceBuffer output,
            List<CallAgreement> ranks,
            List<PortBuffers> ports,
            List<AutoCloseable> resources,
            Consumer<SharedAddends> forget) {
        this.input = input;
        this.output = output;
        this.ranks = ranks;
        this.ports = ports;
        this.resources = resources;
        this.forget = forget;
    }

    /** This rank's part in sharing memory for addends. It takes part in each step in which a context is set up. */
    static final class Stage {
        private final Plan plan;
        private final long sliceBytes;
        private final SumMemory memory;
        private final ExecutionEnvironment environment;
        private final BufferPorts ports;
        private final List<AutoCloseable> resources = new ArrayList<>();
        private final List<DeviceBuffer> own = new ArrayList<>();

        /**
         * Creates the part of a rank.
         *
         * @param sliceBytes bytes of a slice of addends
         */
        Stage(Plan plan, long sliceBytes, SumMemory memory, ExecutionEnvironment environment) {
            this.plan = plan;
            this.sliceBytes = sliceBytes;
            this.memory = memory;
            this.environment = environment;
            this.ports = new BufferPorts(plan);
            resources.add(ports);
        }

        /** Leases memory and returns its description for peers. */
        byte[] describe() {
            AddendPlaces places = AddendPlaces.of(plan, environment.control().rank(), sliceBytes);
            SumMemory.Lease lease = memory.lease(places.bytes());
            resources.addFirst(lease);
            own.add(places.input(lease.buffer()));
            own.add(places.output(lease.buffer()));
            return new CallAgreement(
                            new byte[0],
                            own.getFirst(),
                            own.getLast(),
                            SharedPlans.mapsBuffers(plan),
                            environment.device(),
                            ports.register(
                                    own.getFirst(),
                                    own.getLast(),
                                    environment.links().transports()))
                    .encode();
        }

        /**
         * Imports the memory of peers. The caller is the first user.
         *
         * @param described the description of each rank
         * @param forget is called when the result is closed
         */
        SharedAddends open(PlanContext context, List<Message> described, Consumer<SharedAddends> forget) {
            List<CallAgreement> ranks = Wire.decodeAll(described, CallAgreement.class, CallAgreement::decode);
            return new SharedAddends(
                    own.getFirst(),
                    own.getLast(),
                    ranks,
                    ports.importAll(
                            context.ports(),
                            ranks.stream().map(CallAgreement::ports).toList()),
                    resources,
                    forget);
        }

        /** Releases the memory. */
        void abandon(Throwable cause) {
            Resources.closeSuppressing(resources, cause);
            resources.clear();
        }
    }

    DeviceBuffer input() {
        return input;
    }

    DeviceBuffer output() {
        return output;
    }

    /** Returns, for each rank, how to map its memory. */
    List<CallAgreement> ranks() {
        return ranks;
    }

    List<PortBuffers> ports() {
        return ports;
    }

    /** Adds a user. */
    synchronized void retain() {
        users++;
    }

    /** Removes a user. The last one releases the memory. */
    synchronized void release() {
        users--;
        if (users == 0) {
            close();
        }
    }

    /** Releases the memory, whether or not it has users. */
    synchronized void close() {
        List<AutoCloseable> all = List.copyOf(resources);
        resources.clear();
        forget.accept(this);
        Resources.close(all);
    }
}

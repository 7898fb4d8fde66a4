package org.mscclj.runtime.execution;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.plan.Plan;
import org.mscclj.plan.pairing.BufferAccess;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.engine.PortBuffers;

/**
 * Memory for addends and sums that the ranks have made known to each other, for a plan whose ranks access each other's
 * buffers. So a rank may change its own buffers, and its factor, without its peers. Safe for use by several threads.
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

    /**
     * Shares memory for slices of addends. Collective. The caller is the first user.
     *
     * @param sliceBytes bytes of a slice of addends
     * @param forget is told when this is closed
     */
    static SharedAddends open(
            Plan plan,
            PlanContext context,
            long sliceBytes,
            SumMemory memory,
            ExecutionEnvironment environment,
            Consumer<SharedAddends> forget) {
        List<AutoCloseable> resources = new ArrayList<>();
        try {
            AddendPlaces places = AddendPlaces.of(plan, environment.control().rank(), sliceBytes);
            DeviceBuffer[] own = new DeviceBuffer[2];
            boolean mapped = BufferAccess.mapsBuffers(plan);
            byte[][] all = Exchange.gather(environment.control(), "share addends of plan " + plan.label(), () -> {
                SumMemory.Lease lease = memory.lease(places.bytes());
                resources.add(lease);
                own[0] = places.input(lease.buffer());
                own[1] = places.output(lease.buffer());
                return new CallAgreement(
                                "",
                                mapped ? Optional.of(environment.device().export(own[0])) : Optional.empty(),
                                mapped ? Optional.of(environment.device().export(own[1])) : Optional.empty())
                        .encode();
            });
            List<PortBuffers> ports = context.ports().register(own[0], own[1], resources);
            List<CallAgreement> ranks =
                    Arrays.stream(all).map(CallAgreement::decode).toList();
            return new SharedAddends(own[0], own[1], ranks, ports, resources, forget);
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(resources, e);
            throw e;
        }
    }

    DeviceBuffer input() {
        return input;
    }

    DeviceBuffer output() {
        return output;
    }

    /** How to map the memory of each rank. */
    List<CallAgreement> ranks() {
        return ranks;
    }

    List<PortBuffers> ports() {
        return ports;
    }

    /** Another user. */
    synchronized void retain() {
        users++;
    }

    /** One user less; the last one gives the memory back. */
    synchronized void release() {
        users--;
        if (users == 0) {
            close();
        }
    }

    /** Gives the memory back whoever uses it. */
    synchronized void close() {
        List<AutoCloseable> all = List.copyOf(resources);
        resources.clear();
        forget.accept(this);
        Resources.close(all);
    }
}

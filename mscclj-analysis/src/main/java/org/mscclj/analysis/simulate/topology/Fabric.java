package org.mscclj.analysis.simulate.topology;

import org.mscclj.api.error.InvalidArgumentException;

/** The connection of the ranks of a node. Bandwidths are bytes per nanosecond, latencies nanoseconds one way. */
public sealed interface Fabric {
    /** Nanoseconds from a store by a rank until another rank of the node can see it. */
    double latency();

    /** Nanoseconds from a load from another rank of the node until its first byte arrives. */
    double readLatency();

    /** Bytes that a load from another rank sends towards it, for each byte that it returns. */
    double readRequest();

    /**
     * Whether hardware executes one store at all ranks of a group, and one load as a reduction over them. If not,
     * blocks access each rank.
     */
    boolean multicast();

    /** This fabric with scaled latencies and bandwidths. */
    Fabric scaled(double latencyFactor, double bandwidthFactor);

    /**
     * Every rank has one link to a switch, one link from it, and its own memory. The switch itself is never the
     * bottleneck.
     *
     * @param linkBandwidth of each link
     * @param memoryBandwidth of each rank's memory, reads and writes together
     */
    record Switch(
            double linkBandwidth,
            double memoryBandwidth,
            double latency,
            double readLatency,
            double readRequest,
            boolean multicast)
            implements Fabric {
        /** Checks the numbers. */
        public Switch {
            Positive.bandwidth("link_bandwidth", linkBandwidth);
            Positive.bandwidth("memory_bandwidth", memoryBandwidth);
            Positive.nanos("latency", latency);
            Positive.nanos("read_latency", readLatency);
            if (!(readRequest >= 0 && Double.isFinite(readRequest))) {
                throw InvalidArgumentException.of("read_request", readRequest, "0 or more bytes for each byte");
            }
        }

        @Override
        public Fabric scaled(double latencyFactor, double bandwidthFactor) {
            return new Switch(
                    linkBandwidth * bandwidthFactor,
                    memoryBandwidth * bandwidthFactor,
                    latency * latencyFactor,
                    readLatency * latencyFactor,
                    readRequest,
                    multicast);
        }
    }

    /**
     * Every rank has a link to every other, and a memory of its own.
     *
     * @param linkBandwidth of each link
     * @param memoryBandwidth of each rank's memory, reads and writes together
     */
    record PointToPoint(double linkBandwidth, double memoryBandwidth, double latency) implements Fabric {
        /** Checks the numbers. */
        public PointToPoint {
            Positive.bandwidth("link_bandwidth", linkBandwidth);
            Positive.bandwidth("memory_bandwidth", memoryBandwidth);
            Positive.nanos("latency", latency);
        }

        @Override
        public double readLatency() {
            return 2 * latency;
        }

        @Override
        public double readRequest() {
            return 0;
        }

        @Override
        public boolean multicast() {
            return false;
        }

        @Override
        public Fabric scaled(double latencyFactor, double bandwidthFactor) {
            return new PointToPoint(
                    linkBandwidth * bandwidthFactor, memoryBandwidth * bandwidthFactor, latency * latencyFactor);
        }
    }

    /**
     * All ranks of a node are threads or processes that share memory and processor cores.
     *
     * @param memoryBandwidth of the node's memory, reads and writes together
     * @param cores how many blocks can be at work at once
     */
    record SharedMemory(double memoryBandwidth, double latency, int cores) implements Fabric {
        /** Checks the numbers. */
        public SharedMemory {
            Positive.bandwidth("memory_bandwidth", memoryBandwidth);
            Positive.nanos("latency", latency);
            if (cores < 1) {
                throw InvalidArgumentException.of("cores", cores, "1 or more");
            }
        }

        @Override
        public double readLatency() {
            return 2 * latency;
        }

        @Override
        public double readRequest() {
            return 0;
        }

        @Override
        public boolean multicast() {
            return false;
        }

        @Override
        public Fabric scaled(double latencyFactor, double bandwidthFactor) {
            return new SharedMemory(memoryBandwidth * bandwidthFactor, latency * latencyFactor, cores);
        }
    }
}

package org.mscclj.transport.ib.ffm;

/**
 * What an adapter can do.
 *
 * @param ports the number of its ports; they count from 1
 * @param maxWorkRequests the most work requests in a queue
 * @param maxCompletions the most completions in a completion queue
 * @param maxReadsServed the most reads and atomics of a peer that a queue pair serves at once
 * @param maxReadsStarted the most reads and atomics that a queue pair starts at once
 * @param atomics whether it carries out atomic operations of peers
 */
public record DeviceAttributes(
        int ports, int maxWorkRequests, int maxCompletions, int maxReadsServed, int maxReadsStarted, boolean atomics) {}

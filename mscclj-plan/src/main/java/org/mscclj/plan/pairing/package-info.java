/**
 * Pairs channels, multicast groups and buffers of different ranks. Every rank computes the same pairs from the plan
 * alone.
 */
package org.mscclj.plan.pairing;

/**
 * Which channels, multicast groups and buffers of different ranks belong together. Every rank computes the same from
 * the plan alone.
 */
package org.mscclj.plan.pairing;

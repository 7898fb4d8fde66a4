/** Which channels and multicast groups of different ranks belong together. Every rank computes the same pairing from the plan alone. */
package org.mscclj.plan.pairing;

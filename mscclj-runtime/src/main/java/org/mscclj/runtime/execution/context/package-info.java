/**
 * Contexts of plans: scratch, counters, mapped memory of peers, and the connections of port channels. Ranks set a
 * context up together and keep it for later calls.
 */
package org.mscclj.runtime.execution.context;

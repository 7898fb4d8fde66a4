/**
 * What ranks do together, by names, with results that are known; and calls that do not match. Rules about faults and
 * {@code mscclj stress} make them go wrong.
 */
package org.mscclj.conformance.operation;

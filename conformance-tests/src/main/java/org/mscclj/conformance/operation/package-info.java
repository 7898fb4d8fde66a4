/**
 * Operations in which ranks take part together, by name and with known results, and calls that do not match. Rules
 * about faults and {@code mscclj stress} make them fail on purpose.
 */
package org.mscclj.conformance.operation;

/**
 * What a vendor's tests extend: {@link org.mscclj.conformance.BackendConformance} for a device backend,
 * {@link org.mscclj.conformance.TransportConformance} for a transport. Both are thin: the rules run without JUnit, too.
 */
package org.mscclj.conformance;

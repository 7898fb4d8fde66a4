/** Test cases as values, their data, and the sampling of a grid of cases. */
package org.mscclj.conformance.scenario;

/** Test cases as values, the data they run on, and how a grid of them is sampled. */
package org.mscclj.conformance.scenario;

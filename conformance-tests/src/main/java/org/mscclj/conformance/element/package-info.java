/**
 * Elements and their arithmetic by definition: bits to numbers and back, and the reference that reductions are compared
 * with. The command line checks plans with it, too.
 */
package org.mscclj.conformance.element;

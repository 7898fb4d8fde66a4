/** Checks of sends and receives. */
package org.mscclj.conformance.rank.message;

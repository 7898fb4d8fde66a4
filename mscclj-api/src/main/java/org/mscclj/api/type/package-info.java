/** The types that describe operations: collectives, element types, reduce operations, packet formats. */
package org.mscclj.api.type;

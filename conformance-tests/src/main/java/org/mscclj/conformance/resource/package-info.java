/** The resources that a process holds, and whether they grow. */
package org.mscclj.conformance.resource;

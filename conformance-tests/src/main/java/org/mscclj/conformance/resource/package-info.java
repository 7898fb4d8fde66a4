/** What a process holds, and whether that grows. */
package org.mscclj.conformance.resource;

/** Detection and diagnosis of operations that do not end. */
package org.mscclj.runtime.fault;

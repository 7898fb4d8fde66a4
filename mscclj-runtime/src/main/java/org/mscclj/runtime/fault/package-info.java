/** What is said about operations that do not end, and who notices. */
package org.mscclj.runtime.fault;

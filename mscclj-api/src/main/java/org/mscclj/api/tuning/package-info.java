/**
 * Measured choices of algorithms, which tools and applications write to a file and communicators follow.
 * {@link org.mscclj.api.CommunicatorOptions#tuning} names the file.
 */
package org.mscclj.api.tuning;

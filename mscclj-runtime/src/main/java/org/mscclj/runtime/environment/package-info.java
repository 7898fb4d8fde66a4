/** The environment variables of mscclj: which there are, and whether all that are set have values that can be read. */
package org.mscclj.runtime.environment;

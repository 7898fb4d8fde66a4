/** The environment variables of mscclj: their list, and the check that the values of all set variables can be read. */
package org.mscclj.runtime.environment;

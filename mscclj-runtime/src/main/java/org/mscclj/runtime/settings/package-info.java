/** Settings of a whole group of ranks from options and environment variables. */
package org.mscclj.runtime.settings;

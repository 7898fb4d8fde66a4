/** What options and environment variables ask of a whole group of ranks. */
package org.mscclj.runtime.settings;

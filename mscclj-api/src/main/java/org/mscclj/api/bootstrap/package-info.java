/** How ranks in separate processes find each other: addresses, secrets, and the environment variables of launchers. */
package org.mscclj.api.bootstrap;

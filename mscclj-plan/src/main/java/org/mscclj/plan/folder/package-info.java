/** Directories whose files this process reads or executes, the trust in them, and the location of the user's caches. */
package org.mscclj.plan.folder;

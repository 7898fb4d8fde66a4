/** Folders whose files this process believes or executes: who may write to them, and where the user's caches are. */
package org.mscclj.plan.folder;

/** The README and the user's guide: their commands, programs, links and names are right. */
package org.mscclj.cli.guide;

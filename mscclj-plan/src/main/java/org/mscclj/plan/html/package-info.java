/** What the pages that this project writes have in common: each is one HTML file that needs no other. */
@NullMarked
package org.mscclj.plan.html;

import org.jspecify.annotations.NullMarked;

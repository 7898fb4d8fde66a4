/** The sizes for which a plan is verified, those of pipelines included. */
package org.mscclj.analysis.verify.size;

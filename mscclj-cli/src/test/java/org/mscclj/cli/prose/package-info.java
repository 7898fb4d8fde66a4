/** Comments, messages and pages name the subject of each sentence, use the words of the field, and keep lines short. */
package org.mscclj.cli.prose;

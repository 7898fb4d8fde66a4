/**
 * A rank that is a process of its own. The suite starts the process with its own class path and module path. The rank
 * joins the other ranks, reads cases from its standard input and writes verdicts to its standard output, one a line:
 *
 * <pre>
 * to the rank      create                 rank 0: make the group's id
 * from the rank    id ID
 * to the rank      join ID                join; rank 0 after it has made the id
 * from the rank    ready
 * to the rank      case LINE              try it
 * from the rank    verdict LINE
 * from the rank    failed MESSAGE         instead of any answer; the process ends
 * to the rank      close                  end; so does the end of the input
 * </pre>
 *
 * Lines from a rank begin with {@value org.mscclj.conformance.worker.RankProcess#MARK}; other lines are not from the
 * suite.
 */
package org.mscclj.conformance.worker;

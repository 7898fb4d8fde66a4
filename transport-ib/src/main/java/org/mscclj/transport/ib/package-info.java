/**
 * The transport {@code ib}: one-sided writes and signals by RDMA, over InfiniBand or RoCE, through libibverbs.
 *
 * <p>{@code ffm} binds the library, {@code port} finds ports, {@code adapter} has what ranks of a process share,
 * {@code memory} registers buffers, {@code connection} carries out operations.
 */
package org.mscclj.transport.ib;

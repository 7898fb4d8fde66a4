package org.mscclj.transport.ib.ffm;

/**
 * The way from a port to a port of a peer.
 *
 * @param global whether packets have a global header: always on Ethernet, else between subnets
 * @param gid the peer's GID
 * @param gidIndex the entry of this side's GID in the table of the port
 * @param lid the peer's address within the subnet; 0 on Ethernet
 * @param mtu the code of the MTU of both sides
 * @param serviceLevel from 0 to 15
 * @param trafficClass from 0 to 255
 */
public record Path(boolean global, Gid gid, int gidIndex, int lid, int mtu, int serviceLevel, int trafficClass) {}

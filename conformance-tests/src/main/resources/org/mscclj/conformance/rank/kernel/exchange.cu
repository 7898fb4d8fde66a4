// Uses every operation of channels, between all ranks of a node. The data that a rank receives from a peer by one
// operation is afterwards in a slot of its own. The host compares each slot byte by byte.
#include "mscclj/memorychannel.cuh"
#include "mscclj/portchannel.cuh"
#include "mscclj/semaphore.cuh"
#include "mscclj/syncer.cuh"

using namespace mscclj;

// The slots, in the order of DeviceExchange.java.
enum Slot { kPut16, kPut8, kPut4, kPut1, kGet, kWords, kRead, kPackets8, kPackets16, kPacket, kPort, kPortSignal, kPortFlush, kSlots };

// The host writes this structure.
struct Exchange {
    const MemoryChannel* const* memory; // by peer; null for this rank
    const PortChannel* const* port;
    DeviceSyncer* syncer;
    DeviceSemaphore* semaphore;
    uint64* cells; // one for each block
    uint64 ranks;
    uint64 rank;
    uint64 bytes;       // bytes of a transfer
    uint64 payload;     // bytes in packets
    uint64 slots;       // where slots start, in bytes
    uint64 slotBytes;
    uint64 packets;     // where packet memory starts
};

struct Grid {
    const Exchange& exchange;
    const uint32* abortWord;
    uint64 thread;
    uint64 threads;

    // Returns the offset of a slot for data of a peer, in registered memory of the owner.
    __device__ uint64 slot(uint64 peer, Slot slot) const {
        return exchange.slots + (peer * kSlots + slot) * exchange.slotBytes;
    }

    // Returns the offset of the packets of a peer, in packet memory of the owner.
    __device__ uint64 packetSlot(uint64 peer, int kind) const { return (peer * 3 + kind) * exchange.slotBytes; }

    __device__ bool meet() const { return exchange.syncer->sync(gridDim.x, abortWord); }

    // Calls `operation` with each peer, by one thread of a block. Returns false in all threads of the block if a call
    // has returned false.
    template <class Operation>
    __device__ bool forPeers(Operation operation) const {
        bool failed = false;
        for (uint64 peer = blockIdx.x; peer < exchange.ranks && threadIdx.x == 0; peer += gridDim.x) {
            if (peer != exchange.rank) {
                failed = failed || !operation(peer);
            }
        }
        return !__syncthreads_or(failed);
    }
};

__device__ bool plainData(const Grid& grid) {
    const Exchange& e = grid.exchange;
    for (uint64 peer = 0; peer < e.ranks; peer++) {
        if (peer != e.rank) {
            const MemoryChannel& channel = *e.memory[peer];
            channel.put(grid.slot(e.rank, kPut16) + 5, 5, e.bytes, grid.thread, grid.threads);
            channel.put(grid.slot(e.rank, kPut8) + 8, 0, e.bytes, grid.thread, grid.threads);
            channel.put(grid.slot(e.rank, kPut4) + 4, 0, e.bytes, grid.thread, grid.threads);
            channel.put(grid.slot(e.rank, kPut1) + 1, 0, e.bytes, grid.thread, grid.threads);
            channel.get(7, grid.slot(peer, kGet) + 3, e.bytes, grid.thread, grid.threads);
        }
    }
    return grid.meet()
        && grid.forPeers([&](uint64 peer) { e.memory[peer]->signal(); return true; })
        && grid.forPeers([&](uint64 peer) { return e.memory[peer]->wait(); })
        && grid.meet();
}

__device__ bool words(const Grid& grid, uint32 flag) {
    const Exchange& e = grid.exchange;
    uint64 base = flag * 1000003ull + e.rank * 101;
    bool ok = grid.forPeers([&](uint64 peer) {
        const MemoryChannel& channel = *e.memory[peer];
        uint64 at = grid.slot(e.rank, kWords);
        channel.write<uint8>(at + 1, (uint8)(base + 1));
        channel.write<uint16>(at + 2, (uint16)(base + 2));
        channel.write<uint32>(at + 4, (uint32)(base + 4));
        channel.write<uint64>(at + 8, base * 0x9e3779b97f4a7c15ull);
        channel.write<Words4>(at + 16, Words4{(uint32)base, (uint32)base + 1, (uint32)base + 2, (uint32)base + 3});
        uint64 own = channel.origin + grid.slot(peer, kRead);
        *(uint8*)(own + 1) = channel.read<uint8>(at + 1);
        *(uint16*)(own + 2) = channel.read<uint16>(at + 2);
        *(uint32*)(own + 4) = channel.read<uint32>(at + 4);
        *(uint64*)(own + 8) = channel.read<uint64>(at + 8);
        *(Words4*)(own + 16) = channel.read<Words4>(at + 16);
        channel.signal();
        return true;
    });
    return ok && grid.forPeers([&](uint64 peer) {
        const MemoryChannel& channel = *e.memory[peer];
        while (!channel.poll()) {
            if (channel.aborted()) {
                return false;
            }
        }
        return true;
    });
}

template <PacketType Type>
__device__ bool packets(const Grid& grid, uint32 flag, int kind, Slot slot) {
    const Exchange& e = grid.exchange;
    for (uint64 peer = 0; peer < e.ranks; peer++) {
        if (peer != e.rank) {
            e.memory[peer]->putPackets<Type>(e.packets + grid.packetSlot(e.rank, kind), 0, e.payload, grid.thread,
                                             grid.threads, flag);
        }
    }
    bool failed = false;
    for (uint64 peer = 0; peer < e.ranks && !failed; peer++) {
        if (peer != e.rank) {
            failed = !e.memory[peer]->getPackets<Type>(grid.packetSlot(peer, kind), grid.slot(peer, slot), e.payload,
                                                       grid.thread, grid.threads, flag);
        }
    }
    return !__syncthreads_or(failed);
}

__device__ bool onePacket(const Grid& grid, uint32 flag) {
    const Exchange& e = grid.exchange;
    return grid.forPeers([&](uint64 peer) {
               e.memory[peer]->putPackets<PacketType::LL16>(e.packets + grid.packetSlot(e.rank, 2), 8, 8, 0, 1, flag);
               return true;
           })
        && grid.forPeers([&](uint64 peer) {
               Words2 data;
               bool ok = e.memory[peer]->unpackPacket<PacketType::LL16>(grid.packetSlot(peer, 2), flag, data);
               store8(e.memory[peer]->origin + grid.slot(peer, kPacket), data);
               return ok;
           });
}

__device__ bool relaxed(const Grid& grid) {
    const Exchange& e = grid.exchange;
    return grid.forPeers([&](uint64 peer) { e.memory[peer]->relaxedSignal(); return true; })
        && grid.forPeers([&](uint64 peer) { return e.memory[peer]->relaxedWait(); });
}

// Synchronizes the blocks repeatedly. No block may see the number of another turn in its neighbour's cell.
__device__ bool meetings(const Grid& grid, bool& late) {
    const Exchange& e = grid.exchange;
    for (uint64 turn = 1; turn <= 50; turn++) {
        if (threadIdx.x == 0) {
            e.cells[blockIdx.x] = turn;
        }
        if (!grid.meet()) {
            return false;
        }
        if (threadIdx.x == 0 && e.cells[(blockIdx.x + 1) % gridDim.x] != turn) {
            late = true;
        }
        if (!grid.meet()) {
            return false;
        }
    }
    return true;
}

__device__ bool semaphores(const Grid& grid) {
    bool failed = false;
    if (threadIdx.x == 0) {
        if (blockIdx.x == 0) {
            for (uint32 i = 1; i < gridDim.x; i++) {
                grid.exchange.semaphore->release();
            }
        } else {
            failed = !grid.exchange.semaphore->acquire(grid.abortWord);
        }
    }
    return !__syncthreads_or(failed);
}

__device__ bool ports(const Grid& grid) {
    const Exchange& e = grid.exchange;
    bool ok = grid.forPeers([&](uint64 peer) {
        const PortChannel& channel = *e.port[peer];
        return channel.put(grid.slot(e.rank, kPort), 0, e.bytes) && channel.signal() && channel.flush()
            && channel.putWithSignal(grid.slot(e.rank, kPortSignal) + 3, 1, e.bytes)
            && channel.putWithSignalAndFlush(grid.slot(e.rank, kPortFlush) + 1, 2, e.bytes);
    });
    return ok && grid.forPeers([&](uint64 peer) {
        const PortChannel& channel = *e.port[peer];
        while (!channel.poll()) {
            if (channel.aborted()) {
                return false;
            }
        }
        return channel.wait() && channel.wait();
    });
}

// Writes 100 to `status` at the end, 50 if a block has left a block sync too early, or the number of the part that was
// aborted.
extern "C" __global__ void exchange(const Exchange* exchange, uint32 flag, uint64* status) {
    const MemoryChannel* any = exchange->memory[exchange->rank == 0 ? 1 : 0];
    Grid grid{*exchange, any->abortWord(), blockIdx.x * (uint64)blockDim.x + threadIdx.x, gridDim.x * (uint64)blockDim.x};
    bool late = false;
    uint64 part = 1;
    bool ok = plainData(grid);
    ok = ok && (part++, words(grid, flag));
    ok = ok && (part++, packets<PacketType::LL8>(grid, flag, 0, kPackets8));
    ok = ok && (part++, packets<PacketType::LL16>(grid, flag, 1, kPackets16));
    ok = ok && (part++, onePacket(grid, flag));
    ok = ok && (part++, relaxed(grid));
    ok = ok && (part++, meetings(grid, late));
    ok = ok && (part++, semaphores(grid));
    ok = ok && (part++, ports(grid));
    ok = ok && (part++, grid.meet());
    if (threadIdx.x == 0 && (!ok || late)) {
        *status = ok ? 50 : part;
    } else if (grid.thread == 0) {
        compareAndSetDevice(status, 0, 100);
    }
}

// Waits for a signal that no rank sends. Writes 1 if a signal was received, and 2 if the wait ended without one.
extern "C" __global__ void inVain(const MemoryChannel* channel, uint64* status) {
    bool came = channel->wait();
    *status = came ? 1 : 2;
}

// Point-to-point transfers between two ranks, copies of memory that this rank reaches, and signals. A message is split
// into chunks, which go through slots in the receiver's scratch: the sender fills a slot and raises a counter, the
// receiver empties it and raises a counter in turn. Each block executes one lane of one direction between two ranks,
// message by message.
//
// Where the receiver's memory is on another node, the sender fills a slot of its own scratch, and its proxy copies
// that slot to the receiver's and raises the counter. Puts to such memory and gets from it use slots likewise;
// WindowLanes.java has the protocol.
//
// Happens-before: each end adds to the other's counter with release, after all threads of its block have synchronised
// after their accesses to the slot; the first thread of the other end acquires the counter, and its threads synchronise
// before they access the slot. A slot thus has one owner at any time. A push of a trigger releases as the counter does.
//
// The table: for each block the start of its words; then the words of CommonWord; then for each block its number of
// parts, and the words of PartWord for each; then the words of PortWord for each part that uses a port channel
// (TransferTable.java).
#pragma once
#include "mscclj/block.cuh"
#include "mscclj/copy.cuh"
#include "mscclj/fifo.cuh"

namespace mscclj {

enum CommonWord { kLanes = 0, kSlots = 1, kSlotBytes = 2 };

enum PartWord {
    kKind = 0,    // low 15 bits: PartKind; bit 15: kThroughPort; then number of its name for the trace; high half: peer
    kMemory = 1,  // address of the message
    kBytes = 2,   // its size
    kFirst = 3,   // the first chunk of this lane, followed by each kLanes-th one
    kSlot = 4,    // address of the lane's first slot; of the destination for a copy
    kCounter = 5, // address of this end's counter
    kOther = 6,   // address of the other end's counter; with kThroughPort, position of the words of PortWord
    kTurns = 7,   // address of the number of slots that this end has passed on since the communicator began
    kPartWords = 8
};

enum PartKind { kReceive = 0, kSend = 1, kCopy = 2, kSignal = 3, kTake = 4, kPut = 5, kGet = 6 };

constexpr uint64 kKindMask = 0x7fff;
constexpr uint64 kThroughPort = 0x8000;

enum PortWord {
    kRing = 0,  // address of the ring
    kIds = 1,   // low 16 bits: semaphore; 16 bits each above: source memory, destination memory
    kFrom = 2,  // offset of the first slot in the source memory
    kTo = 3,    // offset of its copy in the destination memory
    kOwned = 4, // offset, in the owner's memory, of the bytes of a get
    kPortWords = 5
};

// Bytes of a slot before its payload; the first 8 hold the size of the message, in the slot of its first chunk.
constexpr uint64 kSlotHeader = 64;

// The first thread waits until this end owns the slot. True if it does, and the slot has the expected content.
template <class B>
__device__ __forceinline__ bool awaitSlot(B& block, uint32 part, bool sends, uint64 turn, uint64 slot, bool isFirst) {
    uint64 slots = block.tableWord(gridDim.x + kSlots);
    uint64 needed = !sends ? turn + 1 : turn < slots ? 0 : turn + 1 - slots;
    if (!awaitCounter((const uint64*)block.word(part + kCounter), needed, block.abortWord())) {
        return false;
    }
    if (sends || !isFirst) {
        return true;
    }
    uint64 sent = *(volatile const uint64*)slot;
    uint64 expected = block.word(part + kBytes);
    if (sent == expected) {
        return true;
    }
    volatile uint64* words = (volatile uint64*)block.abortWord();
    words[1] = block.word(part + kKind) >> 32;
    words[2] = sent;
    words[3] = expected;
    fenceSystem();
    storeRelaxedSystem((uint32*)block.abortWord(), kUnequalSizes);
    return false;
}

// Pushes a copy from an offset behind kFrom to an offset behind kTo; without bytes, a signal alone. By one thread.
// Returns its position, or -1 if the communicator was aborted. Not inlined: transfers within a node do without it.
static __device__ __noinline__ int64 pushSlot(const uint64* words, uint64 from, uint64 to, uint64 bytes, uint32 type,
                                              const uint32* abortWord) {
    const PortRing& ring = *(const PortRing*)words[kRing];
    const uint32 semaphore = (uint32)(words[kIds] & 0xffff);
    if (bytes == 0) {
        return push(ring, 0, triggerWord1(0, 0, 0, kTriggerSignal, semaphore), abortWord);
    }
    const uint64 source = words[kFrom] + from;
    const uint64 destination = words[kTo] + to;
    const uint32 sourceId = (uint32)(words[kIds] >> 16 & 0xffff) + (uint32)(source >> 32);
    const uint32 destinationId = (uint32)(words[kIds] >> 32 & 0xffff) + (uint32)(destination >> 32);
    return push(ring, bytes | source << 32,
                triggerWord1(destination & 0xffffffff, sourceId, destinationId, type, semaphore), abortWord);
}

static __device__ __noinline__ bool awaitSlotFlush(const uint64* words, int64 position, const uint32* abortWord) {
    return awaitFlush(*(const PortRing*)words[kRing], (uint32)(words[kIds] & 0xffff), position, abortWord);
}

// The words of PortWord of a part.
template <class B>
__device__ __forceinline__ const uint64* portWords(const B& block, uint32 part) {
    return block.tableAt((uint32)block.word(part + kOther));
}

// Passes a slot to the other end, by one thread. False if the communicator was aborted.
//
// bytes: how many bytes of the slot the other end has to see; 0 where it has only to know that the slot is free
template <class B>
__device__ __forceinline__ bool passSlot(B& block, uint32 part, uint64 offset, uint64 bytes) {
    if ((block.word(part + kKind) & kThroughPort) == 0) {
        addReleaseSystem((uint64*)block.word(part + kOther), 1);
        return true;
    }
    const uint64* port = portWords(block, part);
    return pushSlot(port, offset, offset, bytes, kTriggerData | kTriggerSignal, block.abortWord()) >= 0;
}

// Sends a signal to another rank, or waits for one and consumes it. Writes of this rank's earlier launches happen
// before the signal: these launches have ended, so their writes are complete, and the release is at system scope. False
// if the block must leave.
template <class B>
__device__ __forceinline__ bool passSignal(B& block, uint32 part, bool sends) {
    if (threadIdx.x == 0) {
        uint64* turns = (uint64*)block.word(part + kTurns);
        if (sends) {
            if (!passSlot(block, part, 0, 0)) {
                block.leave();
            }
        } else if (awaitCounter((const uint64*)block.word(part + kCounter), *turns + 1, block.abortWord())) {
            *turns += 1;
        } else {
            block.leave();
        }
    }
    return !block.nop();
}

// Puts a part to memory of another node: copies chunk after chunk into slots of this rank, whose first word holds the
// position of the flush that frees the slot. Returns when all data is in its place; false if the block must leave.
template <class B>
__device__ __noinline__ bool put(B& block, uint32 part) {
    const uint64 bytes = block.word(part + kBytes);
    const uint64 slotBytes = block.tableWord(gridDim.x + kSlotBytes);
    const uint64 slots = block.tableWord(gridDim.x + kSlots);
    const uint64 room = slotBytes - kSlotHeader;
    const uint64* port = portWords(block, part);
    int64 last = -1;
    uint64 chunk = 0;
    for (uint64 position = 0; position < bytes; position += room, chunk++) {
        const uint64 offset = chunk % slots * slotBytes;
        const uint64 slot = block.word(part + kSlot) + offset;
        const uint64 size = bytes - position < room ? bytes - position : room;
        if (threadIdx.x == 0 && chunk >= slots
            && !awaitSlotFlush(port, *(volatile const int64*)slot, block.abortWord())) {
            block.leave();
        }
        if (block.nop()) {
            return false;
        }
        copy(slot + kSlotHeader, block.word(part + kMemory) + position, size, threadIdx.x, blockDim.x);
        if (block.nop()) {
            return false;
        }
        if (threadIdx.x == 0) {
            last = pushSlot(port, offset + kSlotHeader, position, size, kTriggerData | kTriggerFlush,
                            block.abortWord());
            *(volatile int64*)slot = last;
            if (last < 0) {
                block.leave();
            }
        }
    }
    if (threadIdx.x == 0 && last >= 0 && !awaitSlotFlush(port, last, block.abortWord())) {
        block.leave();
    }
    return !block.nop();
}

// Gets a part of memory of another node: requests chunk after chunk, ahead of the answers, which its owner's proxy
// writes into slots of this rank. False if the block must leave.
template <class B>
__device__ __noinline__ bool get(B& block, uint32 part) {
    const uint64 bytes = block.word(part + kBytes);
    const uint64 slotBytes = block.tableWord(gridDim.x + kSlotBytes);
    const uint64 slots = block.tableWord(gridDim.x + kSlots);
    const uint64 room = slotBytes - kSlotHeader;
    const uint64* port = portWords(block, part);
    uint64* turns = (uint64*)block.word(part + kTurns);
    uint64 turn = *turns;
    uint64 asking = turn;
    uint64 asked = 0;
    for (uint64 taken = 0; taken < bytes; taken += room, turn++) {
        for (; asked < bytes && asking - turn < slots; asked += room, asking++) {
            const uint64 offset = asking % slots * slotBytes;
            volatile uint64* request = (volatile uint64*)(block.word(part + kSlot) + offset);
            if (threadIdx.x == 0) {
                request[0] = port[kOwned] + asked;
                request[1] = bytes - asked < room ? bytes - asked : room;
                if (pushSlot(port, offset, offset, 16, kTriggerData | kTriggerSignal, block.abortWord()) < 0) {
                    block.leave();
                }
            }
        }
        if (threadIdx.x == 0
            && !awaitCounter((const uint64*)block.word(part + kCounter), turn + 1, block.abortWord())) {
            block.leave();
        }
        if (block.nop()) {
            return false;
        }
        copy(block.word(part + kMemory) + taken, block.word(part + kSlot) + turn % slots * slotBytes + kSlotHeader,
             bytes - taken < room ? bytes - taken : room, threadIdx.x, blockDim.x);
        if (block.nop()) {
            return false;
        }
    }
    if (threadIdx.x == 0) {
        *turns = turn;
    }
    return !block.nop();
}

// Executes a block's part of a message. False if the block must leave.
template <class B>
__device__ __forceinline__ bool movePart(B& block, uint32 part) {
    const uint64 memory = block.word(part + kMemory);
    const uint64 bytes = block.word(part + kBytes);
    const uint32 kind = (uint32)(block.word(part + kKind) & kKindMask);
    const bool sends = kind == kSend;
    if (kind == kSignal || kind == kTake) {
        return passSignal(block, part, kind == kSignal);
    }
    if (kind == kPut || kind == kGet) {
        B own = block; // a reference would keep the fields of all blocks in memory, also of those that only send
        const bool goesOn = kind == kPut ? put(own, part) : get(own, part);
        if (own.leaving()) {
            block.leave();
        }
        return goesOn;
    }
    const uint64 slotBytes = block.tableWord(gridDim.x + kSlotBytes);
    const uint64 slots = block.tableWord(gridDim.x + kSlots);
    const uint64 payload = kind == kCopy ? bytes : slotBytes - kSlotHeader;
    uint64* turns = (uint64*)block.word(part + kTurns);
    uint64 turn = kind == kCopy ? 0 : *turns;
    uint64 chunk = block.word(part + kFirst);
    do {
        const uint64 offset = kind == kCopy ? 0 : turn % slots * slotBytes;
        const uint64 slot = block.word(part + kSlot) + offset;
        const uint64 data = kind == kCopy ? slot : slot + kSlotHeader;
        const uint64 position = chunk * payload;
        const uint64 left = bytes - position;
        if (kind != kCopy && threadIdx.x == 0 && !awaitSlot(block, part, sends, turn, slot, chunk == 0)) {
            block.leave();
        }
        if (block.nop()) {
            return false;
        }
        const bool out = kind != kReceive;
        const uint64 size = left < payload ? left : payload;
        copy(out ? data : memory + position, out ? memory + position : data, size, threadIdx.x, blockDim.x);
        if (sends && chunk == 0 && threadIdx.x == 0) {
            *(volatile uint64*)slot = bytes;
        }
        if (block.nop()) {
            return false;
        }
        if (kind != kCopy && threadIdx.x == 0 && !passSlot(block, part, offset, sends ? kSlotHeader + size : 0)) {
            block.leave();
        }
        turn++;
        chunk += block.tableWord(gridDim.x + kLanes);
    } while (kind != kCopy && chunk * payload < bytes);
    if (kind != kCopy && threadIdx.x == 0) {
        *turns = turn;
    }
    return !block.nop();
}

// A part without tracing; see transfertrace.cuh.
struct Untraced {
    template <class B>
    __device__ __forceinline__ Untraced(const B&, uint32) {}
};

// Executes all parts of a block.
//
// Scope: constructed before each part, with the block and the position of the part's words, and destroyed after it
template <class Scope, class B>
__device__ __forceinline__ void moveMessages(B& block) {
    const uint64 parts = block.word(0);
    for (uint32 i = 0; i < parts; i++) {
        const uint32 part = 1 + i * kPartWords;
        Scope scope(block, part);
        if (!movePart(block, part)) {
            return;
        }
    }
}

} // namespace mscclj

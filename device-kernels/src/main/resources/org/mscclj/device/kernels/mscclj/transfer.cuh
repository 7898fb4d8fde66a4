// Point-to-point transfers between two ranks, copies of memory that this rank reaches, and signals. A message is split
// into chunks, which go through slots in the receiver's scratch: the sender fills a slot and raises a counter, the
// receiver empties it and raises a counter in turn. Each block executes one lane of one direction between two ranks,
// message by message.
//
// Happens-before: each end adds to the other's counter with release, after all threads of its block have synchronised
// after their accesses to the slot; the first thread of the other end acquires the counter, and its threads synchronise
// before they access the slot. A slot thus has one owner at any time.
//
// The table: for each block the start of its words; then the words of CommonWord; then for each block its number of
// parts, and the words of PartWord for each (TransferTable.java).
#pragma once
#include "mscclj/block.cuh"
#include "mscclj/copy.cuh"

namespace mscclj {

enum CommonWord { kLanes = 0, kSlots = 1, kSlotBytes = 2 };

enum PartWord {
    kKind = 0,    // low 16 bits: PartKind; above: number of its name for the trace; high half: peer
    kMemory = 1,  // address of the message
    kBytes = 2,   // its size
    kFirst = 3,   // the first chunk of this lane, followed by each kLanes-th one
    kSlot = 4,    // address of the lane's first slot; of the destination for a copy
    kCounter = 5, // address of this end's counter
    kOther = 6,   // address of the other end's counter
    kTurns = 7,   // address of the number of slots that this end has passed on since the communicator began
    kPartWords = 8
};

enum PartKind { kReceive = 0, kSend = 1, kCopy = 2, kSignal = 3, kTake = 4 };

constexpr uint64 kKindMask = 0xffff;

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

// Sends a signal to another rank, or waits for one and consumes it. Writes of this rank's earlier launches happen
// before the signal: these launches have ended, so their writes are complete, and the release is at system scope. False
// if the block must leave.
template <class B>
__device__ __forceinline__ bool passSignal(B& block, uint32 part, bool sends) {
    if (threadIdx.x == 0) {
        uint64* turns = (uint64*)block.word(part + kTurns);
        if (sends) {
            addReleaseSystem((uint64*)block.word(part + kOther), 1);
        } else if (awaitCounter((const uint64*)block.word(part + kCounter), *turns + 1, block.abortWord())) {
            *turns += 1;
        } else {
            block.leave();
        }
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
    const uint64 slotBytes = block.tableWord(gridDim.x + kSlotBytes);
    const uint64 slots = block.tableWord(gridDim.x + kSlots);
    const uint64 payload = kind == kCopy ? bytes : slotBytes - kSlotHeader;
    uint64* turns = (uint64*)block.word(part + kTurns);
    uint64 turn = kind == kCopy ? 0 : *turns;
    uint64 chunk = block.word(part + kFirst);
    do {
        const uint64 slot = block.word(part + kSlot) + (kind == kCopy ? 0 : turn % slots * slotBytes);
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
        copy(out ? data : memory + position, out ? memory + position : data, left < payload ? left : payload, threadIdx.x,
             blockDim.x);
        if (sends && chunk == 0 && threadIdx.x == 0) {
            *(volatile uint64*)slot = bytes;
        }
        if (block.nop()) {
            return false;
        }
        if (kind != kCopy && threadIdx.x == 0) {
            addReleaseSystem((uint64*)block.word(part + kOther), 1);
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

// Fused blocks whose packets are lines of 128 bytes, 120 of which are payload; the last 8 bytes of a line are the flag,
// twice. A warp stores four lines by one instruction, and loads them by one: a unit is 480 bytes of payload.
//
// This relies on a line that a warp stores by one instruction arriving as a whole, and being loaded as a whole, over
// NVLink. The memory model does not promise it. NCCL relies on the same from compute capability 7.0 on. The engine uses
// lines only where that holds.
//
// Lines lie in an area of scratch that has no other packets, at multiples of their size. So the last 8 bytes of a line
// never hold anything but flags, and data that was left by another launch is never taken for a flag.
#pragma once
#include "mscclj/fused.cuh"

namespace mscclj {

template <class Element, class Operator, uint32 RecordWords>
class FusedLines : public FusedBlock<typename Element::Stored, RecordWords> {
    using Base = FusedBlock<typename Element::Stored, RecordWords>;

    // Pieces of 16 bytes that a thread handles: one on GPUs, all of a unit where a warp is a single thread.
    static constexpr int kPieces = 32 / Warp::kThreads;
    static constexpr uint32 kUnitBytes = 480;

public:
    struct Payload {
        Words4 pieces[kPieces];
    };

    using Base::Base;

    // A unit that no operand has if nothing may be loaded.
    __device__ __forceinline__ uint32 first() const {
        return Base::mayLoad() ? threadIdx.x / Warp::kThreads : 1u << 23;
    }

    __device__ __forceinline__ uint32 next(uint32 unit) const { return unit + blockDim.x / Warp::kThreads; }

    // At is the place of the operand in the record.

    template <uint32 At>
    __device__ __forceinline__ Payload load(uint32 unit) const {
        Payload data;
#pragma unroll
        for (int i = 0; i < kPieces; i++) {
            const uint32 offset = unit * kUnitBytes + payloadOffset(i);
            const Words2 low = Base::template loadPlain<At>(offset);
            const Words2 high = Base::template loadPlain<At>(offset + 8, !hasFlag(i));
            data.pieces[i] = Words4{low.x, low.y, high.x, high.y};
        }
        return data;
    }

    template <uint32 At>
    __device__ __forceinline__ void store(uint32 unit, const Payload& data) const {
#pragma unroll
        for (int i = 0; i < kPieces; i++) {
            const uint32 offset = unit * kUnitBytes + payloadOffset(i);
            Base::template storePlain<At>(offset, Words2{data.pieces[i].x, data.pieces[i].y});
            if (!hasFlag(i)) {
                Base::template storePlain<At>(offset + 8, Words2{data.pieces[i].z, data.pieces[i].w});
            }
        }
    }

    // The threads of a warp may have separated before, and __syncwarp() does not promise that they execute the next
    // instruction together. Then the flags follow behind a fence: the line arrives in parts, but its flag last.
    template <uint32 At>
    __device__ __forceinline__ void send(uint32 unit, const Payload& data) const {
        const uint64 address = Base::template packets<At>() + unit * 512ull;
        syncWarp();
        if (!isWarpTogether()) {
            storePayload(address, data);
            fenceSystem();
            syncWarp();
        }
        storeLines(address, data);
    }

    // Waits for lines of several operands together; false if the communicator was aborted. All threads of a warp return
    // the same. If they have not loaded together, some may have loaded before the flags came: they load again.
    template <uint32... At>
    __device__ __forceinline__ bool receive(uint32 unit, Payload* data) {
        constexpr int kCount = sizeof...(At);
        const uint64 addresses[kCount] = {(Base::template packets<At>() + unit * 512ull)...};
        Spin spin(Base::abortWord());
        while (true) {
            syncWarp();
            const bool together = isWarpTogether();
            if (allOfWarp(loadPieces(addresses, data))) {
                if (!together) {
                    fenceSystem();
                    syncWarp();
                    loadPieces(addresses, data);
                }
                return true;
            }
            if (!allOfWarp(spin.template again<kPieces>())) { // a single thread loads for a whole warp
                Base::leaving_ = true;
                return false;
            }
        }
    }

    template <class... More>
    __device__ __forceinline__ Payload combine(const Payload& first, const More&... more) const {
        Payload result;
#pragma unroll
        for (int i = 0; i < kPieces; i++) {
            result.pieces[i] = combineInOrder<Element, Operator>(first.pieces[i], more.pieces[i]...);
        }
        return result;
    }

    template <uint32 At, class... More>
    __device__ __forceinline__ Payload combineAt(const Payload& plain, const More&... packets) const {
        Payload result;
#pragma unroll
        for (int i = 0; i < kPieces; i++) {
            const Words4 others[] = {packets.pieces[i]...};
            result.pieces[i] = combineAround<Element, Operator>(Base::template before<At>(), plain.pieces[i], others);
        }
        return result;
    }

private:
    // Stores the payload alone. The memory model does not promise that both halves of 16 bytes arrive together, so the
    // payload beside a flag is stored here too.
    __device__ __forceinline__ void storePayload(uint64 address, const Payload& data) const {
#pragma unroll
        for (int i = 0; i < kPieces; i++) {
            const Words4 piece = data.pieces[i];
            const uint64 at = address + place(i) * 16;
            storePair(at, Words2{piece.x, piece.y});
            if (!hasFlag(i)) {
                storePair(at + 8, Words2{piece.z, piece.w});
            }
        }
    }

    // Stores payload and flags. Pieces ascend, so that the flag of a line follows its payload where a thread stores all
    // pieces.
    __device__ __forceinline__ void storeLines(uint64 address, const Payload& data) const {
        const uint32 flag = Base::flag_;
#pragma unroll
        for (int i = 0; i < kPieces; i++) {
            const Words4 piece = data.pieces[i];
            storePairs(address + place(i) * 16,
                       Words4{piece.x, piece.y, hasFlag(i) ? flag : piece.z, hasFlag(i) ? flag : piece.w});
        }
    }

    // Loads the pieces of several operands; true if this thread has loaded no flag of another launch. Pieces descend,
    // so that the flag of a line precedes its data where a thread loads all pieces.
    template <int Count>
    __device__ __forceinline__ bool loadPieces(const uint64 (&addresses)[Count], Payload* data) const {
        bool all = true;
#pragma unroll
        for (int operand = 0; operand < Count; operand++) {
#pragma unroll
            for (int i = kPieces - 1; i >= 0; i--) {
                const Words4 piece = loadPairs(addresses[operand] + place(i) * 16);
                data[operand].pieces[i] = piece;
                all &= !hasFlag(i) || (piece.z == Base::flag_ && piece.w == Base::flag_);
            }
        }
        return all;
    }

    // The place of a piece of this thread among the 32 pieces of a unit.
    __device__ __forceinline__ static uint32 place(int piece) {
        return (uint32)piece * Warp::kThreads + threadIdx.x % Warp::kThreads;
    }

    // Whether the second half of a piece is the flag of its line.
    __device__ __forceinline__ static bool hasFlag(int piece) { return (place(piece) & 7) == 7; }

    // The offset of a piece in the payload of its unit.
    __device__ __forceinline__ static uint32 payloadOffset(int piece) {
        return 8 * (2 * place(piece) - place(piece) / 8);
    }
};

} // namespace mscclj

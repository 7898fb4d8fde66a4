"""Each collective and message of torch.distributed, with results compared with the definition.

torchrun starts it: one process for each GPU. Each rank prints what was wrong; rank 0 prints how many checks there were.
"""

import datetime
import os

import torch
import torch.distributed as dist

RANK = int(os.environ["RANK"])
WORLD = int(os.environ["WORLD_SIZE"])
DEVICE = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
TYPES = [torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.int8, torch.uint8, torch.int32, torch.int64]
SUMS = [dist.ReduceOp.SUM, dist.ReduceOp.PRODUCT, dist.ReduceOp.MIN, dist.ReduceOp.MAX]
COUNTS = [1, 7, 1001, 65536, (1 << 21) + 3]

checks = 0
wrong = 0


def values(rank, count, dtype, salt=0):
    """Small whole numbers, so that every type holds each result exactly."""
    return ((torch.arange(count) * 7 + rank * 3 + salt) % 5 + 1).to(dtype)


def cleared(count, dtype):
    """Memory for a result. No value is 0."""
    return torch.zeros(count, dtype=dtype, device=DEVICE)


def check(what, got, expected):
    global checks, wrong
    checks += 1
    torch.cuda.synchronize()
    if not torch.equal(got.cpu(), expected):
        wrong += 1
        differs = (got.cpu() != expected).nonzero().flatten()
        first = differs[0].item()
        print(
            f"rank {RANK}: wrong: {what}: {len(differs)} of {expected.numel()} elements, first {first}:"
            f" {got.flatten()[first].item()} instead of {expected.flatten()[first].item()}",
            flush=True,
        )


def reduced(op, count, dtype):
    inputs = torch.stack([values(rank, count, torch.float64) for rank in range(WORLD)])
    if op == dist.ReduceOp.SUM:
        result = inputs.sum(0)
    elif op == dist.ReduceOp.PRODUCT:
        result = inputs.prod(0)
    elif op == dist.ReduceOp.MIN:
        result = inputs.min(0).values
    elif op == dist.ReduceOp.MAX:
        result = inputs.max(0).values
    else:
        result = inputs.mean(0)
    return result.to(dtype)


def reductions(count, dtype):
    operations = [dist.ReduceOp.SUM]
    if dtype in (torch.float32, torch.bfloat16, torch.int32):
        operations = SUMS + ([dist.ReduceOp.AVG] if dtype.is_floating_point else [])
    for op in operations:
        what = f"{op} of {count} {dtype}"
        tensor = values(RANK, count, dtype).to(DEVICE)
        dist.all_reduce(tensor, op)
        check("all_reduce " + what, tensor, reduced(op, count, dtype))
        for root in range(WORLD):
            tensor = values(RANK, count, dtype).to(DEVICE)
            dist.reduce(tensor, root, op)
            if RANK == root:
                check("reduce " + what, tensor, reduced(op, count, dtype))
        whole = values(RANK, count * WORLD, dtype).to(DEVICE)
        part = cleared(count, dtype)
        dist.reduce_scatter_tensor(part, whole, op)
        check("reduce_scatter_tensor " + what, part, reduced(op, count * WORLD, dtype).chunk(WORLD)[RANK])
        pieces = list(values(RANK, count * WORLD, dtype).to(DEVICE).chunk(WORLD))
        part.zero_()
        dist.reduce_scatter(part, pieces, op)
        check("reduce_scatter " + what, part, reduced(op, count * WORLD, dtype).chunk(WORLD)[RANK])
    if dtype == torch.float32:  # PyTorch passes the factor of bfloat16 as a float32, of which NCCL reads two bytes
        tensor = values(RANK, count, dtype).to(DEVICE)
        dist.all_reduce(tensor, dist._make_nccl_premul_sum(0.5))
        half = reduced(dist.ReduceOp.SUM, count, torch.float64) / 2
        check(f"all_reduce half of {count} {dtype}", tensor, half.to(dtype))


def copies(count, dtype):
    what = f"of {count} {dtype}"
    all_values = [values(rank, count, dtype) for rank in range(WORLD)]
    for root in range(WORLD):
        tensor = all_values[RANK].to(DEVICE)
        dist.broadcast(tensor, root)
        check("broadcast " + what, tensor, all_values[root])

        gathered = [cleared(count, dtype) for _ in range(WORLD)] if RANK == root else None
        dist.gather(all_values[RANK].to(DEVICE), gathered, root)
        for rank in range(WORLD if RANK == root else 0):
            check("gather " + what, gathered[rank], all_values[rank])

        received = cleared(count, dtype)
        given = [values(rank, count, dtype, root).to(DEVICE) for rank in range(WORLD)] if RANK == root else None
        dist.scatter(received, given, root)
        check("scatter " + what, received, values(RANK, count, dtype, root))

    listed = [cleared(count, dtype) for _ in range(WORLD)]
    dist.all_gather(listed, all_values[RANK].to(DEVICE))
    for rank in range(WORLD):
        check("all_gather " + what, listed[rank], all_values[rank])
    whole = cleared(count * WORLD, dtype)
    dist.all_gather_into_tensor(whole, all_values[RANK].to(DEVICE))
    check("all_gather_into_tensor " + what, whole, torch.cat(all_values))

    sent = values(RANK, count * WORLD, dtype).to(DEVICE)
    whole.zero_()
    dist.all_to_all_single(whole, sent)
    expected = torch.cat([values(rank, count * WORLD, dtype).chunk(WORLD)[RANK] for rank in range(WORLD)])
    check("all_to_all_single " + what, whole, expected)
    for one in listed:
        one.zero_()
    dist.all_to_all(listed, list(sent.chunk(WORLD)))
    check("all_to_all " + what, torch.cat(listed), expected)

    # Rank r sends (r + p + 1) * count elements to rank p.
    splits = [(RANK + peer + 1) * count for peer in range(WORLD)]
    sent = values(RANK, sum(splits), dtype).to(DEVICE)
    uneven = cleared(sum(splits), dtype)
    dist.all_to_all_single(uneven, sent, splits, splits)
    parts = []
    for rank in range(WORLD):
        sizes = [(rank + peer + 1) * count for peer in range(WORLD)]
        parts.append(values(rank, sum(sizes), dtype).split(sizes)[RANK])
    check("all_to_all_single, uneven, " + what, uneven, torch.cat(parts))

    following, preceding = (RANK + 1) % WORLD, (RANK - 1) % WORLD
    mine, theirs = all_values[RANK].to(DEVICE), cleared(count, dtype)
    for work in dist.batch_isend_irecv(
        [dist.P2POp(dist.isend, mine, following), dist.P2POp(dist.irecv, theirs, preceding)]
    ):
        work.wait()
    check("batch_isend_irecv " + what, theirs, all_values[preceding])
    theirs.zero_()
    if RANK == 0:
        dist.send(mine, following)
        dist.recv(theirs, preceding)
    else:
        dist.recv(theirs, preceding)
        dist.send(mine, following)
    check("send and recv " + what, theirs, all_values[preceding])


def several_at_once(group=None):
    tensors = [values(RANK, 1000 + i, torch.float32).to(DEVICE) for i in range(20)]
    works = [dist.all_reduce(tensor, async_op=True, group=group) for tensor in tensors]
    for work in works:
        work.wait()
    for i, tensor in enumerate(tensors):
        check("twenty at once", tensor, reduced(dist.ReduceOp.SUM, 1000 + i, torch.float32))
    tensors = [values(RANK, 1000 + i, torch.float32).to(DEVICE) for i in range(20)]
    with dist._coalescing_manager(group=group, device=DEVICE, async_ops=True) as manager:
        for tensor in tensors:
            dist.all_reduce(tensor, group=group)
    manager.wait()
    for i, tensor in enumerate(tensors):
        check("twenty in one group", tensor, reduced(dist.ReduceOp.SUM, 1000 + i, torch.float32))


def main():
    torch.cuda.set_device(DEVICE)
    dist.init_process_group("nccl", timeout=datetime.timedelta(seconds=60), device_id=DEVICE)
    for dtype in TYPES:
        for count in COUNTS:
            reductions(count, dtype)
            copies(count, dtype)
    several_at_once()

    everyone = dist.new_group(list(range(WORLD)))
    several_at_once(everyone)
    alone = [dist.new_group([rank]) for rank in range(WORLD)][RANK]
    tensor = values(RANK, 100, torch.float32).to(DEVICE)
    dist.all_reduce(tensor, group=alone)
    check("all_reduce of a group of one rank", tensor, values(RANK, 100, torch.float32))
    dist.destroy_process_group(everyone)

    objects = [None] * WORLD
    dist.all_gather_object(objects, {"rank": RANK, "text": "x" * (RANK + 1)})
    assert objects == [{"rank": rank, "text": "x" * (rank + 1)} for rank in range(WORLD)], objects
    given = ["from rank 0", {"a": 1}] if RANK == 0 else [None, None]
    dist.broadcast_object_list(given, 0)
    assert given == ["from rank 0", {"a": 1}], given

    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        tensor = values(RANK, 4096, torch.float32).to(DEVICE)
        dist.all_reduce(tensor)
    stream.synchronize()
    check("all_reduce on a stream of the program", tensor, reduced(dist.ReduceOp.SUM, 4096, torch.float32))
    empty = torch.empty(0, device=DEVICE)
    dist.all_reduce(empty)
    dist.barrier()
    dist.destroy_process_group()
    print(f"rank {RANK}: {checks} checks, {wrong} wrong", flush=True)
    raise SystemExit(1 if wrong else 0)


main()

"""Trains a small transformer with DistributedDataParallel and with fully sharded parameters.

training.py FILE: rank 0 writes the losses of all steps and the median time of one to FILE, as JSON.
"""

import json
import os
import statistics
import sys
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel, fully_shard
from torch.nn.parallel import DistributedDataParallel

RANK = int(os.environ["RANK"])
DEVICE = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
STEPS = 60
TOKENS = 1000
LENGTH = 128
BATCH = 16


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(TOKENS, 512)
        self.places = nn.Parameter(torch.zeros(LENGTH, 512))
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(512, 8, 2048, dropout=0.0, batch_first=True, norm_first=True) for _ in range(6)
        )
        self.head = nn.Linear(512, TOKENS)

    def forward(self, tokens):
        x = self.tokens(tokens) + self.places
        for layer in self.layers:
            x = layer(x)
        return self.head(x)


def train(name):
    torch.manual_seed(1)
    model = Model().to(DEVICE)
    if name == "ddp":
        model = DistributedDataParallel(model, device_ids=[DEVICE.index])
    elif name == "fsdp":
        model = FullyShardedDataParallel(model, device_id=DEVICE, use_orig_params=True)
    else:
        for layer in model.layers:
            fully_shard(layer)
        fully_shard(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    generator = torch.Generator().manual_seed(100 + RANK)
    losses, times = [], []
    for _ in range(STEPS):
        # The next token follows from the last one, so that there is something to learn.
        first = torch.randint(TOKENS, (BATCH, 1), generator=generator)
        tokens = ((first + torch.arange(LENGTH + 1) * 17) % TOKENS).to(DEVICE)
        torch.cuda.synchronize()
        start = time.perf_counter()
        output = model(tokens[:, :-1])
        loss = nn.functional.cross_entropy(output.flatten(0, 1), tokens[:, 1:].flatten())
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        torch.cuda.synchronize()
        times.append(time.perf_counter() - start)
        mean = loss.detach().clone()
        dist.all_reduce(mean, dist.ReduceOp.AVG)
        losses.append(mean.item())
    return {"losses": losses, "ms": 1000 * statistics.median(times[10:])}


def main():
    torch.cuda.set_device(DEVICE)
    torch.use_deterministic_algorithms(False)
    dist.init_process_group("nccl", device_id=DEVICE)
    results = {name: train(name) for name in ["ddp", "fsdp", "fsdp2"]}
    dist.barrier()
    dist.destroy_process_group()
    if RANK == 0:
        with open(sys.argv[1], "w") as file:
            json.dump(results, file)
        for name, result in results.items():
            first, last = result["losses"][0], result["losses"][-1]
            print(f"{name}: loss {first:.6f} to {last:.6f}, {result['ms']:.2f} ms a step", flush=True)


main()

"""Training steps of some ranks, with checkpoints that are flushed while the next steps run, as a Chrome trace."""
import json

from scheduler import MS, Draw, draws, spread

WORDS = (("forward_backward", "all_reduce", "checkpoint.save", "checkpoint.flush"), ("compute", "barrier", "save_state", "async_flush"),
         ("train_batch", "sync_gradients", "snapshot", "upload"), ("solve", "exchange_halo", "dump", "drain_buffer"))


class Steps:
    """One run: steps that end together, every `every` of them followed by a checkpoint whose flush takes `flush_ns`."""

    def __init__(self, seed, size, noise_seed, slow):
        draw = Draw(seed, "steps")
        self.seed = noise_seed
        self.names = draw.choice(WORDS)
        self.ranks = draw.choice((2, 4, 8))
        self.n_steps = {"small": 135, "medium": 600, "large": 2500}[size] // self.ranks
        self.base = draw.between(40, 300) * MS
        self.noise = draw.between(0.005, 0.03)
        self.every = 4 + draw.below(8)
        self.flush_ns = self.base * self.every * draw.between(0.2, 0.6)
        self.slow = slow  # how much longer while the rank's own flush goes on
        self.spans = []  # (rank, thread, name, start, duration)
        self.extra = 0
        self.seen = 0
        self.run()

    def compute(self, rank, step, now, flush_end):
        """How long a step takes that begins now, as long as the flush goes on slowly."""
        own = self.base * spread(draws(self.seed, rank, step, "step")[0], self.noise)
        slowly = min(own, max(0, flush_end - now) / (1 + self.slow))
        return int(own + slowly * self.slow), int(own)

    def run(self):
        compute, sync, save, flush = self.names
        flush_end = [0] * self.ranks
        now = [int(draws(self.seed, r, "begin")[0] * 2 * MS) for r in range(self.ranks)]
        for step in range(self.n_steps):
            ends = []
            for r in range(self.ranks):
                time, own = self.compute(r, step, now[r], flush_end[r])
                self.extra += time - own
                self.spans.append((r, 0, compute, now[r], time))
                ends.append(now[r] + time)
            together = max(ends) + int(0.4 * MS * spread(draws(self.seed, step, "sync")[0], 0.2))
            for r in range(self.ranks):
                u = draws(self.seed, r, step, "checkpoint")
                after = together + int(u[3] * 20_000)
                self.spans.append((r, 0, sync, ends[r], after - ends[r]))
                now[r] = after + int((0.02 + 0.02 * u[0]) * MS)
                if step % self.every == self.every - 1:
                    time = int(self.base * 0.1 * spread(u[1], 0.1))
                    self.spans.append((r, 0, save, now[r], time))
                    now[r] += time
                    begin = max(now[r], flush_end[r])
                    time = int(self.flush_ns * spread(u[2], 0.15))
                    self.spans.append((r, 1, flush, begin, time))
                    flush_end[r] = begin + time
        self.makespan = max(s[3] + s[4] for s in self.spans) - min(s[3] for s in self.spans)

    def write(self, path):
        rows = []
        for r in range(self.ranks):
            rows.append({"ph": "M", "pid": r, "name": "process_name", "args": {"name": "rank %d" % r}})
            for thread, name in enumerate(("main", "writer")):
                rows.append({"ph": "M", "pid": r, "tid": thread, "name": "thread_name", "args": {"name": name}})
        base = 1_700_000_000_000_000 + int(draws(self.seed, "boot")[0] * 1e12)
        for r, thread, name, start, duration in sorted(self.spans, key=lambda s: (s[3], s[0], s[1])):
            begin, end = (start + 500) // 1000, (start + duration + 500) // 1000
            rows.append({"ph": "X", "pid": r, "tid": thread, "name": name, "cat": "user_annotation", "ts": base + begin,
                         "dur": end - begin})
        with open(path, "w", encoding="utf-8") as file:
            file.write('{"traceEvents": [\n' + ",\n".join(map(json.dumps, rows)) + "\n]}\n")

#!/usr/bin/env python3
"""The reference model push7 in SimPy as people write it: one environment, a process per activity of each device.

    push7_simpy.py --devices N --days D --seed S

Time is in hours. The rules are in Benchmarks/README.md.
"""

import argparse
import json
import math
import random

import simpy

OPEN_RATE = [0.05] * 7 + [0.4] * 11 + [0.8] * 5 + [0.3]


class Results:
    def __init__(self):
        self.events = 0
        self.sent = 0
        self.latencies = []


class Device:
    def __init__(self, env, results):
        self.env = env
        self.results = results
        self.battery = random.uniform(30, 100)
        self.tokens = random.uniform(0, 4)
        self.quality = 1.0
        self.charging = False
        self.low_power = False
        self.last = 0.0
        env.process(self.opens())
        env.process(self.charges())
        env.process(self.sends())

    def update(self):
        self.results.events += 1
        passed = self.env.now - self.last
        self.last = self.env.now
        self.battery += (45 if self.charging else -2.5) * passed
        self.battery = min(100.0, max(0.0, self.battery))
        if self.battery >= 80:
            self.low_power = False
        if not self.charging and self.battery < 20:
            self.low_power = True
        self.tokens = min(4.0, self.tokens + 3 * self.quality * passed)

    def opens(self):
        while True:
            yield self.env.timeout(random.expovariate(0.8))
            if random.random() * 0.8 >= OPEN_RATE[int(self.env.now) % 24]:
                continue
            self.update()
            self.battery = max(0.0, self.battery - 0.7)
            self.tokens = min(4.0, self.tokens + 0.5)

    def charges(self):
        while True:
            yield self.env.timeout(random.expovariate(1 / 10))
            self.update()
            self.charging = True
            yield self.env.timeout(random.lognormvariate(math.log(1.5), 0.5))
            self.update()
            self.charging = False

    def sends(self):
        while True:
            yield self.env.timeout(random.expovariate(4))
            self.update()
            self.results.sent += 1
            self.env.process(self.push(self.env.now))

    def push(self, sent):
        yield self.env.timeout(random.lognormvariate(math.log(0.4 / 3600), 1))
        for attempt in range(5):
            self.update()
            if self.tokens >= 1 and (self.charging or (self.battery >= 20 and not self.low_power)):
                self.tokens -= 1
                self.results.latencies.append(self.env.now - sent)
                yield from self.handler()
                return
            if attempt < 4:
                yield self.env.timeout(random.expovariate(1 / 0.5))

    def handler(self):
        run_time = random.lognormvariate(math.log(4 / 3600), 0.8)
        limit = 30 / 3600
        yield self.env.timeout(min(run_time, limit))
        self.update()
        u = random.random()
        if run_time > limit or u < 0.1:
            self.quality = max(0.2, self.quality * 0.8)
        elif u < 0.7:
            self.quality = min(1.5, self.quality * 1.05)
        else:
            self.quality = max(0.2, self.quality * 0.99)
        self.battery = max(0.0, self.battery - 0.05)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--devices", type=int, default=100)
    parser.add_argument("--days", type=int, default=7)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random.seed(options.seed)
    env = simpy.Environment()
    results = Results()
    for _ in range(options.devices):
        Device(env, results)
    env.run(until=24 * options.days)
    latencies = sorted(results.latencies)
    print(
        json.dumps(
            {
                "events": results.events,
                "device_days": options.devices * options.days,
                "delivered_share": round(len(latencies) / results.sent, 6),
                "mean_latency_s": round(sum(latencies) / len(latencies) * 3600, 3),
                "p95_latency_s": round(latencies[int(0.95 * (len(latencies) - 1))] * 3600, 3),
            }
        )
    )


if __name__ == "__main__":
    main()

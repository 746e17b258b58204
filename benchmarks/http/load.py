"""A load generator: connections that are kept, requests made beforehand, latencies kept.

Closed: each connection asks again as soon as it has its answer, which finds the most a server can
do. Open: requests are due at fixed times whether or not earlier ones are answered, and latency
counts from when a request was due, so that a server that stalls cannot hide it.
"""

import asyncio
import collections
import time


class Connection(asyncio.Protocol):
    """One connection; answers come in the order of the requests."""

    def __init__(self, load):
        self.load, self.buffer = load, b""
        self.due = collections.deque()

    def connection_made(self, transport):
        self.transport = transport

    def ask(self, due):
        self.due.append(due)
        self.transport.write(self.load.next_request())

    def data_received(self, data):
        self.buffer += data
        while True:
            end = self.buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            at = self.buffer.lower().index(b"content-length:", 0, end) + 15
            length = int(self.buffer[at : self.buffer.index(b"\r", at)])
            if len(self.buffer) < end + 4 + length:
                return
            status = self.buffer[9:12]
            self.buffer = self.buffer[end + 4 + length :]
            self.load.answered(self, status, self.due.popleft())

    def connection_lost(self, error):
        self.load.lost(error)


class Load:
    """Requests against one port, and what became of them."""

    def __init__(self, port, requests):
        self.port, self.requests = port, requests
        self.sent = 0
        self.statuses = collections.Counter()
        self.seconds = []
        self.again = False
        self.failure = None
        self.stopped = False

    def next_request(self):
        request = self.requests[self.sent % len(self.requests)]
        self.sent += 1
        return request

    def answered(self, connection, status, due):
        now = time.perf_counter()
        self.statuses[status.decode()] += 1
        self.seconds.append(now - due)
        if self.again:
            connection.ask(now)

    def lost(self, error):
        if not self.stopped:
            self.failure = error or ConnectionError("the server hung up")

    async def _connect(self, count):
        loop = asyncio.get_running_loop()
        pairs = [
            await loop.create_connection(lambda: Connection(self), "127.0.0.1", self.port)
            for _ in range(count)
        ]
        return [protocol for _, protocol in pairs]

    async def closed(self, connections, seconds=None, requests=None):
        """Return requests a second, over a time or a number of requests."""
        opened = await self._connect(connections)
        self.again = True
        began = time.perf_counter()
        for connection in opened:
            connection.ask(time.perf_counter())
        while self.failure is None:
            await asyncio.sleep(0.05)
            if seconds is not None and time.perf_counter() - began >= seconds:
                break
            if requests is not None and len(self.seconds) >= requests:
                break
        self.again = False
        rate = len(self.seconds) / (time.perf_counter() - began)
        await self._end(opened)
        return rate

    async def open(self, connections, rate, seconds):
        """Ask `rate` times a second."""
        opened = await self._connect(connections)
        began = time.perf_counter()
        count = int(rate * seconds)
        for i in range(count):
            due = began + i / rate
            wait = due - time.perf_counter()
            if wait > 0:
                await asyncio.sleep(wait)
            free = min(opened, key=lambda c: len(c.due))
            free.ask(due)
        await self._end(opened)

    async def _end(self, opened):
        for _ in range(200):
            if not any(connection.due for connection in opened):
                break
            await asyncio.sleep(0.05)
        self.stopped = True
        for connection in opened:
            connection.transport.close()
        if self.failure is not None:
            raise self.failure

    def percentile(self, share):
        ordered = sorted(self.seconds)
        return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]

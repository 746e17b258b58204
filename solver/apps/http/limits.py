"""A limit on how much one client asks: a bucket of tokens that fills with time.

A request needs one token to be let in, and pays what it turns out to cost afterwards, if need be
on credit: so a batch is never refused for its size, and whoever sent it waits after it.
"""

from __future__ import annotations

import ipaddress
import math
from collections import OrderedDict
from dataclasses import dataclass

_CLIENTS = 20_000


@dataclass(slots=True)
class _Bucket:
    tokens: float
    at: float


class RateLimit:
    """Buckets of all clients, at most some thousand; who was not seen longest is forgotten.

    Parameters
    ----------
    rate
        Tokens a second; 0 for no limit.
    burst
        Tokens in a full bucket.
    """

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, max(burst, 1.0)
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def admit(self, client: str, now: float) -> int:
        """Return 0 and take a token, or the seconds after which there is one.

        Parameters
        ----------
        client
            Its name; see :func:`client_name`.
        now
            A clock that never goes back, in seconds.
        """
        if not self._rate:
            return 0
        bucket = self._buckets.get(client)
        if bucket is None:
            bucket = self._buckets[client] = _Bucket(self._burst, now)
            if len(self._buckets) > _CLIENTS:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(client)
            bucket.tokens = min(self._burst, bucket.tokens + (now - bucket.at) * self._rate)
            bucket.at = now
        if bucket.tokens < 1.0:
            return max(1, math.ceil((1.0 - bucket.tokens) / self._rate))
        bucket.tokens -= 1.0
        return 0

    def charge(self, client: str, tokens: float) -> None:
        """Take more tokens for a request that was let in, on credit if need be."""
        bucket = self._buckets.get(client)
        if bucket is not None:
            bucket.tokens -= tokens


def client_name(host: str | None) -> str:
    """Return the name under which a client's tokens are kept: an IPv6 network of /64 is one.

    Examples
    --------
    >>> client_name("192.0.2.7"), client_name("2001:db8:0:1:2:3:4:5")
    ('192.0.2.7', '2001:db8:0:1::')
    """
    if host is None or ":" not in host:
        return host or ""
    try:
        address = ipaddress.IPv6Address(host.partition("%")[0])
    except ValueError:
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Address(int(address) >> 64 << 64))

"""TLS in front of a server that has none, as proxies do it: what comes in over TLS goes on in the clear."""

import asyncio
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

CHUNK = 65536


@contextmanager
def tls_in_front(address: str, key: Path, chain: Path) -> Iterator[str]:
    """A way to this address over TLS. Gives where it begins."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain, key)
    context.set_alpn_protocols(["h2"])  # gRPC insists on it
    host, _, port = address.rpartition(":")

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection(host, int(port))
        await asyncio.gather(_pump(reader, far_writer), _pump(far_reader, writer))

    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(asyncio.start_server(forward, "127.0.0.1", 0, ssl=context))
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        asyncio.run_coroutine_threadsafe(_stop(server), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError, ssl.SSLError):
        while data := await reader.read(CHUNK):
            writer.write(data)
            await writer.drain()
    writer.close()


async def _stop(server: asyncio.Server) -> None:
    server.close()
    under_way = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in under_way:
        task.cancel()
    await asyncio.gather(*under_way, return_exceptions=True)

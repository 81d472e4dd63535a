"""Many games at once in one event loop: the same names, with `async` and `await`."""

import asyncio
import sys

import lair

GAMES = 10


async def play(client: lair.AsyncClient, number: int) -> str:
    """Play one game while somebody watches it."""
    game = await client.create("cabbages", seats=["Ann", "Ben", "Cleo"], options={"max_turns": 40})
    outcome, revisions = await asyncio.gather(game.play_out(seed=number), watch(game))
    verification = await game.verify()
    assert verification.ok
    assert verification.moves == revisions
    return f"game {number}: {outcome.reason} after {revisions} moves, {verification}"


async def watch(game: lair.AsyncSession) -> int:
    """Watch to the end, and give the last revision."""
    last = 0
    async for now in game.watch():
        if isinstance(now, lair.Update):
            last = now.revision
    return last


async def play_all(target: str) -> None:
    """Play all games over one connection."""
    async with lair.aconnect(target) as client:
        for line in await asyncio.gather(*(play(client, number) for number in range(GAMES))):
            print(line)


def main(target: str) -> None:
    """Play ten games at once."""
    asyncio.run(play_all(target))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:50051")

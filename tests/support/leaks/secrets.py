"""Everything secret at a table: cards, seeds, tokens, codes; who may hear each, and how it might be spelled."""

from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from monsters.rules.v1 import rules_pb2 as words
from monsters.session.v1 import session_pb2 as wire

from services.session.domain.secrets import seed_of
from tests.support.canary.codec import read_position
from tests.support.canary.proto import canary_pb2
from tests.support.canary.rules import cards_of
from tests.support.leaks.hearing import Ear, Heard


@dataclass(frozen=True, slots=True)
class Secret:
    """Something that only one call may answer to one caller, or that nobody may be told before the end."""

    name: str
    spellings: Sequence[bytes]
    ear: str = ""
    method: str = ""
    at_the_end: bool = False
    """Whether RevealSession tells it to everybody, once the game is over."""

    def may_be_in(self, heard: Heard) -> bool:
        """Whether this is where it belongs."""
        if self.at_the_end:
            return heard.over and heard.method == "RevealSession"
        return (heard.ear.name, heard.method) == (self.ear, self.method)


class Cards:
    """Every card of a game of the canary, and who may know it when. From what is revealed after the end."""

    def __init__(self, steps: Iterable[wire.Step]) -> None:
        kind: Any = canary_pb2
        positions = [read_position(kind.Position.FromString(step.position.value)) for step in steps]
        self._steps = [cards_of(position) for position in positions]
        self.spellings: Mapping[str, Sequence[bytes]] = {
            card.text: spell_card(card.text) for cards in self._steps for card in cards
        }

    def known(self, ear: Ear, revision: int) -> set[str]:
        """What an ear may know at a revision; without one, nothing."""
        cards = self._steps[revision] if revision >= 0 else ()
        return {card.text for card in cards if card.known.admits(ear.seat)}

    def known_at_the_end(self, ear: Ear) -> set[str]:
        """What it may know when all is over."""
        return self.known(ear, len(self._steps) - 1)


def spell_card(text: str) -> Sequence[bytes]:
    """A card's text, and the draws that it was made of, as they lie in a message."""
    results = [byte + 1 for byte in bytes.fromhex(text)]
    drawn = words.Draw(results=results).SerializeToString()
    return [text.encode(), drawn, str(results).encode(), ", ".join(map(str, results)).encode()]


def spell(secret: bytes) -> Sequence[bytes]:
    """The bytes of a secret in every form in which they are likely to lie somewhere."""
    forms = [secret, secret.hex().encode(), repr(secret)[2:-1].encode()]
    return [*forms, *(encode(secret).rstrip(b"=") for encode in (b64encode, urlsafe_b64encode))]


def secrets_of(
    creator: Ear,
    created: wire.CreateSessionResponse,
    joined: Mapping[Ear, wire.JoinSessionResponse],
    request_ids: Mapping[str, str],
    revealed: wire.RevealSessionResponse,
) -> Sequence[Secret]:
    """All of a session that was opened by one, and joined by others."""
    code = created.join_code
    codes = [code, code.replace("-", ""), code.upper()]
    found = [
        Secret("the host's token", spell_token(created.host_token), creator.name, "CreateSession"),
        Secret("the join code", [form.encode() for form in codes], creator.name, "CreateSession"),
        Secret("the server seed", spell(revealed.server_seed), at_the_end=True),
    ]
    for ear, answer in joined.items():
        found.append(Secret(f"the token of {ear.name}", spell_token(answer.seat_token), ear.name, "JoinSession"))
    for seat, entropy in enumerate(revealed.entropies):
        found.append(Secret(f"the entropy of seat {seat}", spell(entropy), at_the_end=True))
    for revision in range(len(revealed.steps)):
        known = revealed.session
        seed = seed_of(revealed.server_seed, known.name, revision, revealed.entropies, known.chance_version)
        found.append(Secret(f"the seed of revision {revision}", spell(seed)))
    for ear_name, request_id in request_ids.items():
        method = "CreateSession" if ear_name == creator.name else "JoinSession"
        found.append(Secret(f"the request id of {ear_name}", [request_id.encode()], ear_name, method))
    return found


def secrets_of_rematch(
    host: Ear,
    created: wire.CreateRematchResponse,
    player: Ear,
    joined: wire.JoinRematchResponse,
    sent: tuple[bytes, str],
) -> Sequence[Secret]:
    """All of a rematch that waits for its players. `sent` is the entropy and the request id of the one who has come."""
    entropy, request_id = sent
    codes = [created.join_code, created.join_code.replace("-", ""), created.join_code.upper()]
    return [
        Secret("the token of the rematch's host", spell_token(created.host_token), host.name, "CreateRematch"),
        Secret("the join code of the rematch", [form.encode() for form in codes], host.name, "CreateRematch"),
        Secret("the token in the rematch", spell_token(joined.seat_token), player.name, "JoinRematch"),
        Secret("the entropy in the rematch", spell(entropy)),
        Secret("the request id in the rematch", [request_id.encode()]),
    ]


def spell_token(token: str) -> Sequence[bytes]:
    """A token, and its hash, which opens nothing but is nobody's business."""
    return [token.encode(), *spell(sha256(token.encode()).digest())]

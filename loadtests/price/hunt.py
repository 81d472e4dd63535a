"""The hunt: hostile requests one after the other; what costs most is kept, and changed to cost more.

A request's price is the time of the server's processors from before it is sent until after it is answered, by the clock
that the kernel keeps for the process. What seems dear is sent again a few times, and the least counts: a garbage
collection or a clock of some session may have come in between.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from monsters.session.v1 import session_pb2 as wire
from monsters.session.v1 import session_pb2_grpc

from loadtests.measuring.filling import TOKENS
from loadtests.price.doors import Answer, GrpcDoor, JsonDoor
from loadtests.price.ingredients import Hints, Ingredients, gather
from loadtests.price.json_requests import changed, written
from loadtests.price.mutation import Mutator
from loadtests.price.requests import Request, Target
from loadtests.price.structure import Builder
from loadtests.price.sweep import SIZES, SIZES_IN_JSON, sweep

KEPT = 12
"""Dear requests of each method, from which others are made."""
DEAR = 2.0
"""Milliseconds below which the exact price of a request does not matter."""
AGAIN = 5
"""How often one is sent again that seems to be the dearest."""
FRESH_EVERY = 4000
"""Requests after which sessions are opened anew: those of before have been ended by some request."""
STREAMS_SELDOM = 0.1
"""Streams take time and not work: of those that are drawn, so many are sent."""
MOST_MESSAGES = 4


@dataclass(slots=True)
class Priced:
    """A request, and what it costs: milliseconds of the server's processors, for each message."""

    request: Request
    milliseconds: float
    code: str


@dataclass(slots=True)
class Findings:
    """What a hunt has come to."""

    inputs: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    bad: list[Priced] = field(default_factory=list)
    """What ended as no request may."""
    dearest: dict[str, list[Priced]] = field(default_factory=dict)
    """By the name of the target, the dearest first."""

    def worst(self) -> Sequence[tuple[str, Priced]]:
        """The dearest request of each method, the dearest of all first."""
        found = [(name, kept[0]) for name, kept in self.dearest.items() if kept]
        return sorted(found, key=lambda pair: -pair[1].milliseconds)


class Hunt:
    """Sends requests of one kind after another to one server."""

    def __init__(
        self,
        targets: Sequence[Target],
        grpc_door: GrpcDoor,
        json_door: JsonDoor | None,
        processor: Callable[[], float],
        seed: int,
    ) -> None:
        """`processor` is the server's time on processors so far, in milliseconds."""
        self._targets = targets
        self._grpc = grpc_door
        self._json = json_door
        self._processor = processor
        self._chance = random.Random(seed)
        self._builder = Builder(self._chance)
        self._mutator = Mutator(self._chance, self._builder)
        self._stub = session_pb2_grpc.SessionServiceStub(grpc_door.channel)
        self._ingredients: Ingredients = gather(grpc_door.channel, self._chance)
        self._sweep = self._swept()
        self.findings = Findings(dearest={target.name: [] for target in targets})

    def step(self) -> None:
        """Send one request, and keep it if it is dear."""
        findings = self.findings
        if findings.inputs % FRESH_EVERY == FRESH_EVERY - 1:
            self._ingredients = gather(self._grpc.channel, self._chance)
        request = next(self._sweep, None) or self._make(self._choose())
        target = request.target
        priced, answer = self._price(request)
        findings.inputs += 1
        findings.codes[answer.code] += 1
        if answer.bad:
            findings.bad.append(priced)
        kept = findings.dearest[target.name]
        if len(kept) < KEPT or priced.milliseconds > kept[-1].milliseconds:
            if priced.milliseconds > max(DEAR, kept[0].milliseconds if kept else 0):
                priced = min(
                    [priced, *(self._price(request)[0] for _ in range(AGAIN))], key=lambda each: each.milliseconds
                )
            kept.append(priced)
            kept.sort(key=lambda each: -each.milliseconds)
            del kept[KEPT:]

    def _swept(self) -> Iterator[Request]:
        """Every list as long as it can be, each method by somebody without a token and by a seat."""
        steps = [
            (target, step)
            for target in self._targets
            for step in sweep(target.method.input_type, self._hints(target), SIZES_IN_JSON if target.binding else SIZES)
        ]
        self._chance.shuffle(steps)
        for target, step in steps:
            token = self._chance.choice((None, TOKENS[0]))
            if target.binding:
                yield written(target, step(), token, self._chance)
            else:
                yield Request(target, (step().SerializeToString(),), token)

    def _hints(self, target: Target) -> Hints:
        return self._ingredients.of(target.method.containing_service.full_name.split(".")[1])

    def _choose(self) -> Target:
        while True:
            target = self._chance.choice(self._targets)
            if not target.method.server_streaming or self._chance.random() < STREAMS_SELDOM:
                return target

    def _price(self, request: Request) -> tuple[Priced, Answer]:
        door = self._json if request.target.binding else self._grpc
        assert door
        before = self._processor()
        answer = door.send(request)
        spent = (self._processor() - before) / answer.messages
        self._end(request, answer)
        return Priced(request, spent, answer.code), answer

    def _end(self, request: Request, answer: Answer) -> None:
        """End the session that somebody has opened: its clocks and bots would be counted with other requests."""
        if request.target.method.name == "CreateSession" and answer.code == "OK" and not request.target.binding:
            opened = wire.CreateSessionResponse.FromString(answer.last)
            if opened.session.state != wire.STATE_ABORTED:
                ended = wire.AbortSessionRequest(name=opened.session.name)
                self._stub.AbortSession(ended, metadata=[("authorization", f"Bearer {opened.host_token}")])

    def _make(self, target: Target) -> Request:
        chance = self._chance
        kept = self.findings.dearest[target.name]
        if kept and chance.random() < 0.6:
            # The dearer ones more often: the lesser of two numbers drawn.
            parent = kept[min(chance.randrange(len(kept)), chance.randrange(len(kept)))].request
            return self._change(parent, chance.choice(kept).request)
        request = self._build(target)
        return self._change(request, request) if chance.random() < 0.3 else request

    def _build(self, target: Target) -> Request:
        chance = self._chance
        hints = self._hints(target)
        token = chance.choice(self._ingredients.tokens)
        message = self._builder.message(target.method.input_type, hints)
        if target.binding:
            return written(target, message, token, chance)
        messages = [message]
        if target.method.client_streaming:
            messages += [
                self._builder.message(target.method.input_type, hints) for _ in range(chance.randrange(MOST_MESSAGES))
            ]
            if isinstance(message, wire.PlaySeatRequest) and chance.random() < 0.8:
                opening = wire.PlaySeatOpen(name=chance.choice(hints["name"]))
                messages.insert(0, wire.PlaySeatRequest(open=opening))
        return Request(target, tuple(each.SerializeToString() for each in messages), token)

    def _change(self, request: Request, other: Request) -> Request:
        chance, target = self._chance, request.target
        if target.binding:
            return changed(request, chance)
        at = chance.randrange(len(request.messages))
        raw = request.messages[at]
        if chance.random() < 0.5:
            raw = self._mutator.spoil(raw, chance.choice(other.messages))
        else:
            raw = self._mutator.change_field(raw, target.request_type, self._hints(target))
        messages = (*request.messages[:at], raw, *request.messages[at + 1 :])
        token = request.token if chance.random() < 0.9 else chance.choice(self._ingredients.tokens)
        return Request(target, messages, token)

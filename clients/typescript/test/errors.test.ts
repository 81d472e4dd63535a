/** Errors as classes, whatever sent them. */

import { Code, ConnectError } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { errorFrom, errorOf, IllegalMove, LairError, NotYourTurn, SeatTaken, Unavailable } from "../src/errors.js";
import { BadRequestSchema, ErrorInfoSchema } from "../src/gen/google/rpc/error_details_pb.js";

function refused(code: Code, domain: string, reason: string, metadata: Record<string, string> = {}): ConnectError {
  return new ConnectError("no", code, undefined, [{ desc: ErrorInfoSchema, value: { domain, reason, metadata } }]);
}

const GAME = "monsters.cabbages.v1";
const SESSION = "monsters.session.v1";

test.each([
  [refused(Code.FailedPrecondition, GAME, "CUP_EMPTY"), "IllegalMove"],
  [refused(Code.FailedPrecondition, GAME, "NOT_YOUR_TURN"), "NotYourTurn"],
  [refused(Code.FailedPrecondition, SESSION, "GAME_OVER"), "GameOver"],
  [refused(Code.FailedPrecondition, SESSION, "SEAT_TAKEN"), "SeatTaken"],
  [refused(Code.FailedPrecondition, SESSION, "SESSION_NOT_STARTED"), "WrongState"],
  [refused(Code.InvalidArgument, "monsters.rules.v1", "MALFORMED_REQUEST"), "InvalidRequest"],
  [refused(Code.Aborted, SESSION, "STALE_SESSION"), "StaleSession"],
  [refused(Code.NotFound, SESSION, "SESSION_NOT_FOUND"), "NotFound"],
  [refused(Code.PermissionDenied, SESSION, "HOST_ONLY"), "PermissionDenied"],
  [refused(Code.Unauthenticated, SESSION, "BAD_TOKEN"), "BadToken"],
  [refused(Code.ResourceExhausted, SESSION, "TOO_MANY_WATCHERS"), "TooMany"],
  [refused(Code.Unavailable, SESSION, "STORE_UNAVAILABLE"), "Unavailable"],
  [refused(Code.Internal, "monsters.rules.v1", "UNEXPECTED"), "ServerError"],
  [new ConnectError("cut", Code.Internal), "Unavailable"],
  [new ConnectError("cut", Code.Unknown), "Unavailable"],
  [new ConnectError("what?", Code.Unimplemented), "LairError"],
  [new TypeError("a defect"), "LairError"],
])("%s is of its class", (error, name) => {
  const known = errorOf(error);
  expect([known.name, known.cause]).toEqual([name, error]);
  expect(errorFrom(structuredClone(known.facts))).toBeInstanceOf(known.constructor);
});

test("a subclass is what it is a kind of, and nothing else", () => {
  const error = errorOf(refused(Code.FailedPrecondition, GAME, "NOT_YOUR_TURN", { rule: "C-R4" }));
  expect([LairError, IllegalMove, NotYourTurn].every((type) => error instanceof type)).toBe(true);
  expect([SeatTaken, Unavailable].some((type) => error instanceof type)).toBe(false);
  expect([error.reason, error.rule, errorOf(error)]).toEqual(["NOT_YOUR_TURN", "C-R4", error]);
});

test("wrong fields are named", () => {
  const error = refused(Code.InvalidArgument, "monsters.rules.v1", "MALFORMED_REQUEST");
  const value = { fieldViolations: [{ field: "seats", description: "must be 2 to 4" }] };
  error.details.push({ desc: BadRequestSchema, value });
  expect(errorOf(error).message).toBe("no seats: must be 2 to 4.");
});

test("whoever can't be reached is told in a sentence", () => {
  const { message, facts } = errorOf(new ConnectError("fetch failed", Code.Unavailable));
  expect([message, facts.transient]).toEqual(["The server can't be reached. Is the connection all right?", true]);
});

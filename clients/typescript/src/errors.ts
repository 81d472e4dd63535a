/**
 * What goes wrong, as classes. Malformed (InvalidRequest), illegal (IllegalMove) and stale (StaleSession) are three
 * things, and a server that is away (Unavailable) is a fourth. All of them are in docs/errors.md.
 */

import { Code, ConnectError } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema } from "./gen/google/rpc/error_details_pb.js";

/** Everything that is known of an error. It is plain data, so that it can be passed to another tab. */
export interface ErrorFacts {
  /** For people. */
  sentence: string;
  code: Code;
  /** The package that documents the reason, such as monsters.session.v1. Empty when no server has said so. */
  domain: string;
  /** For programs, such as CUP_EMPTY. Empty when no server has said so. */
  reason: string;
  /** The rule that forbids it, such as C-R10. Empty when none does. */
  rule: string;
  /** Whatever is dynamic in the sentence. */
  metadata: Readonly<Record<string, string>>;
  /** Whether it says nothing about the call itself: the server is away or busy, or the connection was cut off. */
  transient: boolean;
}

/** What all errors of this package are. */
export class LairError extends Error {
  override readonly name: string = "LairError";

  constructor(
    readonly facts: ErrorFacts,
    options?: ErrorOptions,
  ) {
    super(facts.sentence, options);
  }

  /** For programs, such as CUP_EMPTY. Empty when no server has said so. */
  get reason(): string {
    return this.facts.reason;
  }

  /** The rule that forbids it, such as C-R10. Empty when none does. */
  get rule(): string {
    return this.facts.rule;
  }
}

/** The request is wrong whatever the position. The sentence names the fields. */
export class InvalidRequest extends LairError {
  override readonly name: string = "InvalidRequest";
}

/** The position forbids the move. The reason is the game's own, and the rule is the one that forbids it. */
export class IllegalMove extends LairError {
  override readonly name: string = "IllegalMove";
}

/** The seat may not act now. */
export class NotYourTurn extends IllegalMove {
  override readonly name: string = "NotYourTurn";
}

/** The game is over. */
export class GameOver extends IllegalMove {
  override readonly name: string = "GameOver";
}

/** The session is not in a state for that: see the reason. */
export class WrongState extends LairError {
  override readonly name: string = "WrongState";
}

/** Every seat is taken, or the one that was asked for. */
export class SeatTaken extends WrongState {
  override readonly name: string = "SeatTaken";
}

/** The session has moved on from the etag. Look again, and decide again. */
export class StaleSession extends LairError {
  override readonly name: string = "StaleSession";
}

/** There is no such session, join code, game or revision. */
export class NotFound extends LairError {
  override readonly name: string = "NotFound";
}

/** The token opens something else: it is another seat's, or not the host's. Or a join code is required. */
export class PermissionDenied extends LairError {
  override readonly name: string = "PermissionDenied";
}

/** The token is missing, or opens nothing there. */
export class BadToken extends PermissionDenied {
  override readonly name: string = "BadToken";
}

/** Over a limit: too many calls or streams at once, or too many sessions opened. */
export class TooMany extends LairError {
  override readonly name: string = "TooMany";
}

/** Nobody answers, or not in time. It is safe to send the same again with the same request id. */
export class Unavailable extends LairError {
  override readonly name: string = "Unavailable";
}

/** A defect of the server. Its log has more, by the `incident` in the metadata. */
export class ServerError extends LairError {
  override readonly name: string = "ServerError";
}

/** The game is newer than this package, or the server does not have it. */
export class UnknownGame extends LairError {
  override readonly name: string = "UnknownGame";

  constructor(token: string) {
    super({ ...UNSAID, sentence: `this client is older than the game ${token}`, code: Code.Unimplemented });
  }
}

const UNSAID = { code: Code.Unknown, domain: "", reason: "", rule: "", metadata: {}, transient: false };
const UNREACHABLE = "The server can't be reached. Is the connection all right?";
const FULL: readonly Code[] = [Code.Unavailable, Code.ResourceExhausted, Code.DeadlineExceeded];
const BROKEN: readonly Code[] = [Code.Unknown, Code.Internal, Code.Canceled];

type ErrorClass = new (facts: ErrorFacts, options?: ErrorOptions) => LairError;

/** Reasons whose class does not follow from the code. */
const BY_REASON: Readonly<Record<string, ErrorClass>> = {
  GAME_OVER: GameOver,
  NOT_YOUR_TURN: NotYourTurn,
  SEAT_TAKEN: SeatTaken,
};

const BY_CODE: Readonly<Partial<Record<Code, ErrorClass>>> = {
  [Code.InvalidArgument]: InvalidRequest,
  [Code.OutOfRange]: InvalidRequest,
  [Code.FailedPrecondition]: WrongState,
  [Code.Aborted]: StaleSession,
  [Code.NotFound]: NotFound,
  [Code.PermissionDenied]: PermissionDenied,
  [Code.Unauthenticated]: BadToken,
  [Code.ResourceExhausted]: TooMany,
  [Code.Internal]: ServerError,
};

const GAME = /^monsters\.(?!rules\.|session\.|replicas\.)\w+\.v\d+$/;

/** The error of a class of ours, from what is known of it. */
export function errorFrom(facts: ErrorFacts, options?: ErrorOptions): LairError {
  const { code, domain, reason, transient } = facts;
  const illegal = code === Code.FailedPrecondition && GAME.test(domain) ? IllegalMove : undefined;
  const away = transient && code !== Code.ResourceExhausted ? Unavailable : undefined;
  const type = BY_REASON[reason] ?? illegal ?? away ?? BY_CODE[code] ?? LairError;
  return new type(facts, options);
}

/** Any error as one of ours. */
export function errorOf(error: unknown): LairError {
  if (error instanceof LairError) return error;
  if (!(error instanceof ConnectError)) return new LairError({ ...UNSAID, sentence: `${error}` }, { cause: error });
  const { code, rawMessage } = error;
  const [info] = error.findDetails(ErrorInfoSchema);
  const transient = FULL.includes(code) || (BROKEN.includes(code) && !info);
  if (!info) {
    return errorFrom({ ...UNSAID, sentence: transient ? UNREACHABLE : rawMessage, code, transient }, { cause: error });
  }
  const flaws = error.findDetails(BadRequestSchema).flatMap((details) => details.fieldViolations);
  const sentence = rawMessage + flaws.map((flaw) => ` ${flaw.field}: ${flaw.description}.`).join("");
  const { domain, reason, metadata } = info;
  const facts = { sentence, code, domain, reason, rule: metadata.rule ?? "", metadata: { ...metadata }, transient };
  return errorFrom(facts, { cause: error });
}

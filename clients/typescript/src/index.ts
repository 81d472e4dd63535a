/** Play on a Lair server, and check every die of a finished game. */

export { ServerClock } from "./clock.js";
export { type Described, messageOf, optionsOf, registry, unpack } from "./contract.js";
export {
  BadToken,
  type ErrorFacts,
  errorOf,
  GameOver,
  IllegalMove,
  InvalidRequest,
  LairError,
  NotFound,
  NotYourTurn,
  PermissionDenied,
  SeatTaken,
  ServerError,
  StaleSession,
  TooMany,
  Unavailable,
  UnknownGame,
  WrongState,
} from "./errors.js";
export type { GameDescription, OptionDescription } from "./gen/monsters/rules/v1/rules_pb.js";
export {
  type Game,
  type LegalMove,
  SeatKind,
  type Session,
  State,
  type Update,
} from "./gen/monsters/session/v1/session_pb.js";
export type { Host, Invitation, Opened, SeatKey } from "./keys.js";
export { Lair, type LairOptions, type Verifying } from "./lair.js";
export { named } from "./names.js";
export { insist } from "./patience.js";
export { nameOf } from "./replaying.js";
export type { StreamWorker } from "./sharing.js";
export { isOver, type TableState } from "./state.js";
export { type Following, type Submitting, Table, type TableListener } from "./table.js";
export { NOTHING_CHECKED, type Noted, type Recorded, type Verdict } from "./verifying.js";
export { shareStreams } from "./worker.js";

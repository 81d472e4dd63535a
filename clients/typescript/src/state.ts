/** How a table stands: made of what was heard, and of nothing else. Pure. */

import type { Any, Timestamp } from "@bufbuild/protobuf/wkt";
import type { Heard } from "./following.js";
import type { Standing } from "./gen/monsters/rules/v1/rules_pb.js";
import {
  type LegalMove,
  type Session,
  type Snapshot,
  State,
  type Update,
} from "./gen/monsters/session/v1/session_pb.js";

/** How a table stands for this reader. */
export interface TableState {
  /** The public facts. How the game stands is told by what follows, which is newer. */
  session: Session | undefined;
  /** Whether it was told how things stand. */
  seen: boolean;
  /** -1 before the start. */
  revision: bigint;
  /** What this reader may see: `unpack` opens it. */
  view: Any | undefined;
  /** What this reader may do now. */
  moves: readonly LegalMove[];
  standing: Standing | undefined;
  deadline: Timestamp | undefined;
  /** What has happened since it is followed, by revision, in order; all of it where that was asked for. */
  history: readonly Update[];
  /** Whether the connection stands. */
  live: boolean;
}

/** A table of which nothing was heard. */
export const EMPTY: TableState = {
  session: undefined,
  seen: false,
  revision: -1n,
  view: undefined,
  moves: [],
  standing: undefined,
  deadline: undefined,
  history: [],
  live: false,
};

/** Whether the game has ended, with an outcome or without. */
export function isOver({ session, standing }: TableState): boolean {
  return standing?.outcome !== undefined || session?.state === State.ABORTED;
}

/** After something was heard. */
export function withHeard(table: TableState, heard: Heard): TableState {
  switch (heard.case) {
    case "session":
      return withSession(table, heard.value);
    case "snapshot":
      return withSnapshot(table, heard.value);
    case "update":
      // Who listens twice may hear the same twice, and late.
      return heard.value.revision < table.revision ? withHistory(table, [heard.value]) : withUpdate(table, heard.value);
    default:
      return { ...table, live: heard.case !== "lost" };
  }
}

/** How things stand for this reader. Before the start there is no view, and no revision yet. */
export function withSnapshot(table: TableState, snapshot: Snapshot): TableState {
  const { view, moves, standing, deadline } = snapshot;
  const revision = standing ? snapshot.revision : -1n;
  return { ...table, seen: true, revision, view, moves, standing, deadline, live: true };
}

/** The next revision. */
export function withUpdate(table: TableState, update: Update): TableState {
  const { revision, view, moves, standing, deadline } = update;
  return withHistory({ ...table, revision, view, moves, standing, deadline, live: true }, [update]);
}

/** What everybody may know, which no revision tells: who sits there, whether it was aborted, its rematch. */
export function withSession(table: TableState, session: Session): TableState {
  return { ...table, session, live: true };
}

/** More of what has happened, in any order, also what is known already. */
export function withHistory(table: TableState, updates: readonly Update[]): TableState {
  const known = new Map([...table.history, ...updates].map((update) => [update.revision, update]));
  return { ...table, history: [...known.values()].sort((one, other) => Number(one.revision - other.revision)) };
}

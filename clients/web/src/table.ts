/** What a table shows: made of what was heard, and of nothing else. Pure. */

import type { Any, Timestamp } from "@bufbuild/protobuf/wkt";
import type { Standing } from "./gen/monsters/rules/v1/rules_pb";
import type { LegalMove, Session, Snapshot, Update } from "./gen/monsters/session/v1/session_pb";

export interface Table {
  /** The public facts. How the game stands is told by what follows, which is newer. */
  session: Session | undefined;
  /** Whether it was told how things stand. */
  seen: boolean;
  /** -1 before the start. */
  revision: bigint;
  view: Any | undefined;
  moves: readonly LegalMove[];
  standing: Standing | undefined;
  deadline: Timestamp | undefined;
  /** What has happened, by revision, in order. */
  history: readonly Update[];
  live: boolean;
}

export const EMPTY: Table = {
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

/** How things stand for this reader. Before the start there is no view, and no revision yet. */
export function withSnapshot(table: Table, snapshot: Snapshot): Table {
  const { view, moves, standing, deadline } = snapshot;
  const revision = standing ? snapshot.revision : -1n;
  return { ...table, seen: true, revision, view, moves, standing, deadline, live: true };
}

/** The next revision. */
export function withUpdate(table: Table, update: Update): Table {
  const { revision, view, moves, standing, deadline } = update;
  return withHistory({ ...table, revision, view, moves, standing, deadline, live: true }, [update]);
}

/** What everybody may know, which no revision tells: who sits there, whether it was aborted, its rematch. */
export function withSession(table: Table, session: Session): Table {
  return { ...table, session, live: true };
}

/** More of what has happened, in any order, also what is known already. */
export function withHistory(table: Table, updates: readonly Update[]): Table {
  const known = new Map([...table.history, ...updates].map((update) => [update.revision, update]));
  return { ...table, history: [...known.values()].sort((one, other) => Number(one.revision - other.revision)) };
}

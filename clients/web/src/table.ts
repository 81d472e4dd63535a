/** What a table shows: made of what was heard, and of nothing else. Pure. */

import type { Any, Timestamp } from "@bufbuild/protobuf/wkt";
import type { Standing } from "./gen/monsters/rules/v1/rules_pb";
import type { LegalMove, Session, Snapshot, Update } from "./gen/monsters/session/v1/session_pb";

export interface Table {
  session: Session | undefined;
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
  return { ...table, revision, view, moves, standing, deadline, live: true };
}

/** The next revision. */
export function withUpdate(table: Table, update: Update): Table {
  const { revision, view, moves, standing, deadline } = update;
  return withHistory({ ...table, revision, view, moves, standing, deadline, live: true }, [update]);
}

/** The public facts. Answers may overtake one another on their way: an older one changes nothing. */
export function withSession(table: Table, session: Session | undefined): Table {
  const newer = nanosOf(session) >= nanosOf(table.session);
  return newer ? { ...table, session } : table;
}

function nanosOf(session: Session | undefined): bigint {
  const time = session?.updateTime;
  return time ? time.seconds * 1_000_000_000n + BigInt(time.nanos) : 0n;
}

/** More of what has happened, in any order, also what is known already. */
export function withHistory(table: Table, updates: readonly Update[]): Table {
  const known = new Map([...table.history, ...updates].map((update) => [update.revision, update]));
  return { ...table, history: [...known.values()].sort((one, other) => Number(one.revision - other.revision)) };
}

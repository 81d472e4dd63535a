/** A table as it is now: followed for as long as it is shown. */

import { useEffect, useMemo, useState } from "preact/hooks";
import { ServerClock } from "../clock";
import { follow, type Heard } from "../following";
import type { Update } from "../gen/monsters/session/v1/session_pb";
import { insist, type Problem, problemOf } from "../problems";
import { as, sessions } from "../server";
import { EMPTY, type Table, withHistory, withSession, withSnapshot, withUpdate } from "../table";

const PAGE = 1000;

export function useTable(name: string, token: string | undefined) {
  const [table, setTable] = useState<Table>(EMPTY);
  const [problem, setProblem] = useState<Problem>();
  const clock = useMemo(() => new ServerClock(), []);
  useEffect(() => {
    const controller = new AbortController();
    const hear = async (heard: Heard) => {
      setTable((now) => told(now, heard));
      if (heard.case === "lost") return;
      setProblem(undefined);
      if (heard.case === "snapshot" || heard.case === "heartbeat") clock.hear(heard.value.serverTime);
      if (heard.case === "update") clock.hear(heard.value.commitTime);
      if (heard.case === "snapshot") await historyOf(name, token, (page) => setTable((now) => withHistory(now, page)));
    };
    const run = async () => {
      try {
        for await (const heard of follow(name, token, controller.signal)) hear(heard).catch(fail);
      } catch (error) {
        fail(error);
      }
    };
    const fail = (error: unknown) => setProblem(problemOf(error));
    void run();
    return () => controller.abort();
  }, [name, token, clock]);
  return { table, problem, clock };
}

function told(table: Table, heard: Heard): Table {
  switch (heard.case) {
    case "session":
      return withSession(table, heard.value);
    case "snapshot":
      return withSnapshot(table, heard.value);
    case "update":
      return withUpdate(table, heard.value);
    default:
      return { ...table, live: heard.case !== "lost" };
  }
}

async function historyOf(name: string, token: string | undefined, take: (updates: readonly Update[]) => void) {
  let pageToken = "";
  do {
    const request = { name, pageSize: PAGE, pageToken };
    const page = await insist(() => sessions.listEvents(request, as(token)));
    take(page.updates);
    pageToken = page.nextPageToken;
  } while (pageToken);
}
